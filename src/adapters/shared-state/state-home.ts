import { join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import type { Row, SqlValue } from '../../client/ports/engine.ts';
import type { Use } from '../../client/ports/usage.ts';
import { keyText } from '../../client/state/commit.ts';
import { intentOf } from '../../client/state/intent-rows.ts';
import { hasShape } from '../../client/state/kept-shape.ts';
import { opened } from '../../client/state/open-write-rows.ts';
import { asKept } from '../../client/state/shapes.ts';
import {
  conversations,
  intents,
  openWrites,
  read,
  records,
  resources,
  runs,
  select,
  uses,
} from '../../client/state/tables.ts';
import type { RowOf, Table } from '../../client/state/tables.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import { jsonIn } from '../files/json-in.ts';
import { timeInName } from '../files/safe-name.ts';
import { homeEngines } from '../sqlite/home-state.ts';
import { plainCodec } from '../sqlite/plain-codec.ts';
import { isIdentity, isRunning, lifeOf } from '../system/process-identity.ts';

/** The files of a home, to be moved: where they are, and who reads its tokens. */
export interface HomeFiles {
  stateDir: string;
  credentials: CredentialStore;
  /** The profiles of the settings, whose credentials may be there. */
  profiles: readonly string[];
}

/** So many rows are read at once. */
const batch = 500;
const day = 24 * 60 * 60 * 1000;

/** A home seals nothing: its records open wherever they stand. */
export const nowhere = { profile: '', kind: '', row: '' };

export type HomeRows = ReturnType<typeof homeRows>;

/** What a home keeps, in the order of the keys. Whoever reads a row that is damaged gets STATE_UNREADABLE. */
export function homeRows(stateDir: string) {
  const engines = homeEngines(stateDir);

  const whole =
    <T>(file: keyof typeof engines, of: Table, open: (found: Row) => T | undefined) =>
    (found: Row): T => {
      const one = open(found);
      if (one === undefined) throw damaged(join(stateDir, `${file}.db`), of, found);
      return one;
    };

  async function* each<T>(...what: Parameters<typeof whole<T>>): AsyncGenerator<T> {
    const [file, of] = what;
    const key = of.key.join(', ');
    const marks = of.key.map((_, at) => `?${String(at + 1)}`).join(', ');
    let last: readonly SqlValue[] | undefined;
    for (;;) {
      const after = last === undefined ? '' : `WHERE (${key}) > (${marks})`;
      const rows = await engines[file].rows(
        select(of, `${after} ORDER BY ${key} LIMIT ${String(batch)}`, last),
      );
      yield* rows.map(whole(...what));
      const end = rows.at(-1);
      if (end === undefined) return;
      last = of.key.map((name) => end[name] ?? null);
    }
  }

  return {
    intents: () => each('state', intents, (found) => intentOf(plainCodec, found)),
    openWrites: () => each('state', openWrites, (found) => opened(plainCodec, found)),
    resources: () => each('state', resources, kept(resources, 'resource')),
    /** Those too whose resource is not saved. */
    conversations: () => each('state', conversations, kept(conversations, 'conversation')),
    runs: () => each('log', runs, (found) => read(runs, found)),
    records: async (run: string) => {
      const rows = await engines.log.rows(select(records, 'WHERE run = ?1 ORDER BY number', [run]));
      const open = whole('log', records, kept(records, 'record'));
      return rows.map((found) => open(found).record);
    },
    uses: () => each('log', uses, usesIn),
    close: async () => {
      await engines.state.close();
      await engines.log.close();
    },
  };
}

/** What is kept as a record alone. */
interface Kept {
  resource: SavedResource;
  conversation: Conversation;
  record: JournalRecord;
}

const kept =
  <Its extends Table, What extends keyof Kept>(of: Its, what: What) =>
  (found: Row): { row: RowOf<Its>; record: Kept[What] } | undefined => {
    const row = read(of, found);
    const record =
      row && (asKept(what, plainCodec.open(nowhere, row['record'] as Uint8Array)) as Kept[What] | undefined);
    return row && record && { row: row as RowOf<Its>, record };
  };

function usesIn({ record }: Row): { name: string; uses: readonly Use[] } | undefined {
  const json = plainCodec.open(nowhere, record as Uint8Array);
  if (!hasShape(json, { name: 'text', uses: 'objects' })) return undefined;
  const its = json as { name: string; uses: readonly Use[] };
  return its.uses.every((use) => hasShape(use, { at: 'number', what: 'text' })) ? its : undefined;
}

/**
 * Reads all of a home, before anything of it is moved. Throws STATE_UNREADABLE where a row is damaged, and LOCK_BUSY while a run goes
 * on: what it writes next would be left behind.
 */
export async function needWholeAndQuiet(home: HomeRows, now: Date): Promise<void> {
  for await (const { row } of home.openWrites()) {
    const owner = jsonIn(row.owner);
    if (isIdentity(owner) && owner.pid !== process.pid && lifeOf(owner) === 'alive') throw goingOn(row.run);
  }
  for await (const { run } of home.runs()) {
    const all = await home.records(run);
    const head = all.find((record) => record.type === 'run');
    const isOld = now.getTime() - Date.parse(timeInName(run) ?? '') > day;
    if (isOld || head === undefined || all.some(({ type }) => type === 'ended')) continue;
    if (head.pid !== process.pid && isRunning(head.pid))
      throw goingOn(`${run} (process ${String(head.pid)})`);
  }
  for (const rest of [home.intents(), home.resources(), home.conversations(), home.uses()])
    for await (const _ of rest);
}

function goingOn(run: string): ObkError {
  return new ObkError({
    code: 'LOCK_BUSY',
    title: 'A run is going on in this home, so nothing is moved.',
    detail: `Run ${run} has not ended: what it does next would be left behind.`,
    hint: ['obk log list --limit 5'],
  });
}

function damaged(path: string, of: Table, found: Row): ObkError {
  const key = of.key.map((name) => keyText(found[name] ?? null)).join(' ');
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'A row of this home is damaged, so nothing is moved.',
    detail: `${path}: ${of.name} ${key} does not hold what obk wrote.`,
    hint: ['obk doctor --offline'],
  });
}
