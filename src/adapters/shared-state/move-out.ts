import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Row } from '../../client/ports/engine.ts';
import type { StateMoved } from '../../client/ports/state-store.ts';
import type { Use } from '../../client/ports/usage.ts';
import { commit, keyText } from '../../client/state/commit.ts';
import type { Part } from '../../client/state/commit.ts';
import { rowOfIntent } from '../../client/state/intent-rows.ts';
import { keptResources } from '../../client/state/kept-resources.ts';
import { keptUsage } from '../../client/state/kept-usage.ts';
import { rowOf } from '../../client/state/open-write-rows.ts';
import type { Mark, OpenWriteState } from '../../client/state/open-write-rows.ts';
import { intents, openWrites, records, resources, runs } from '../../client/state/tables.ts';
import type { Table } from '../../client/state/tables.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import { makeDirectory, writeAtomically } from '../files/atomic-file.ts';
import type { Database } from '../postgres/database.ts';
import { intentColumns, intentOf } from '../postgres/intent-rows.ts';
import type { IntentRow } from '../postgres/intent-rows.ts';
import { places } from '../postgres/places.ts';
import { postgresCredentials } from '../postgres/postgres-credentials.ts';
import { postgresIntents } from '../postgres/postgres-intents.ts';
import { postgresJournal } from '../postgres/postgres-journal.ts';
import type { Place, Vault } from '../postgres/vault.ts';
import { homeEngines } from '../sqlite/home-state.ts';
import { plainCodec } from '../sqlite/plain-codec.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import { aheadOf, counted, putConversation, withUses } from './moving.ts';
import { sessionsIn } from './state-contents.ts';
import { nowhere } from './state-home.ts';
import type { HomeFiles } from './state-home.ts';

/** So many rows are read, and written, at once. */
const batch = 100;

interface Within {
  database: Database;
  vault: Vault;
}

/** Where it goes, and who counts it. */
interface Into {
  home: HomeFiles;
  engines: ReturnType<typeof homeEngines>;
  count: (kind: string, isNew: boolean) => void;
}

/** Writes the whole state as the files of a home; begun again, it goes on where it was. */
export async function moveOut(
  { clock, ...within }: Within & { clock: Clock },
  home: HomeFiles,
): Promise<StateMoved[]> {
  const { database } = within;
  await needAlone(database, clock);
  const { count, all } = counted();
  const engines = homeEngines(home.stateDir);
  const into = { home, engines, count };
  try {
    for (const { kind, of, columns, row } of await moves(within))
      for await (const rows of each(database, [...of.key, columns].join(', '), of.name, of.key))
        for (const isNew of await add(into, of, rows.map(row))) if (kind !== undefined) count(kind, isNew);
    await bringConversations(within, into);
    await bringCredentials(within, into);
    await bringUses(within, into, await aheadOf(database, clock));
  } finally {
    await engines.state.close();
    await engines.log.close();
  }
  return all();
}

/** Throws LOCK_BUSY while another run is connected. A server takes its time to see off who has just ended. */
async function needAlone(database: Database, clock: Clock): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const other = (await sessionsIn(database)).find(({ self }) => !self);
    if (other === undefined) return;
    if (turn === 10)
      throw new ObkError({
        code: 'LOCK_BUSY',
        title: 'Another run is connected to this state, so nothing is moved.',
        detail: `${other.application} as ${other.user}: what it does next would be left behind.`,
        hint: ['obk state status   # who is connected'],
      });
    await clock.sleep(100);
  }
}

type Texts = Record<'exchange' | 'number' | 'type' | 'noun' | 'kind', string>;
type Sealed = Record<'mark' | 'record' | 'parent' | 'slot' | 'key', Buffer>;

/** The columns of all tables by their names; a row has those of its own. */
interface Found extends IntentRow, Texts, Sealed {
  id: string & Buffer;
  at: Date;
  machine: string | null;
  host: string | null;
  ended: object | null;
  free: boolean;
}

/** A table of both: what of it is read besides its key, and the row that it becomes at home. */
interface Move {
  /** As what the rows are counted, if at all. */
  kind?: string;
  of: Table;
  columns: string;
  row: (found: Found) => Row;
}

async function moves({ database, vault }: Within): Promise<readonly Move[]> {
  // Whether a write has left is said there by the records and the intents as well.
  const intentsThere = postgresIntents({ database, vault });
  const machine = { id: '', host: '' };
  const journal = postgresJournal({ database, vault, intents: intentsThere, machine, run: 'none' });
  const left = new Set((await journal.openWrites()).map(({ run, exchange }) => `${run} ${exchange}`));
  const unsealed = (place: Place, sealed: Buffer) =>
    vault.open(place, sealed) ?? lost(`${place.kind} ${place.row}`);
  return [
    {
      ...{ kind: 'intents', of: intents, columns: intentColumns },
      row: (found) => {
        const intent = intentOf(vault, found) ?? lost(`intent ${found.hash}`);
        const row = rowOfIntent(plainCodec, intent, ownerOf(found.owner), Number(found.fence));
        // Where nobody knows whether a request has left, it may have.
        return { ...row, state: found.state === 'legacy' ? 'sending' : found.state };
      },
    },
    {
      ...{ kind: 'runs', of: runs, columns: 'profile, machine, host, ended, free' },
      row: ({ run, profile, machine: its, host, ended, free }) => ({
        ...{ run, profile, machine: its ?? '', host },
        ended: ended && JSON.stringify({ ...ended, ...(free && { free }) }),
      }),
    },
    {
      ...{ of: records, columns: 'id, type, profile, record' },
      row: ({ run, number, id, type, profile, record }) => ({
        ...{ run, number: Number(number), type, profile },
        record: plainCodec.seal(nowhere, unsealed(places.record(profile, run, id), record)),
      }),
    },
    {
      ...{ kind: 'open writes', of: openWrites, columns: 'profile, owner, at, mark' },
      row: ({ run, exchange, profile, owner, at, mark: sealed }) => {
        const mark = unsealed(places.openWrite(profile, run, exchange), sealed) as Mark;
        const state: OpenWriteState = left.has(`${run} ${exchange}`) ? 'sending' : 'prepared';
        const key = { run, exchange, profile, intent: mark.intent ?? null, owner: ownerOf(owner) };
        return rowOf(plainCodec, { ...key, at: at.getTime(), state }, mark);
      },
    },
    {
      ...{ kind: 'resources', of: resources, columns: 'created_at, machine, record' },
      row: ({ profile, noun, id, created_at: at, machine: its, record }) => ({
        ...{ profile, noun, id, created_at: at.getTime(), machine: its ?? '' },
        record: plainCodec.seal(nowhere, unsealed(places.resource(profile, noun, id), record)),
      }),
    },
  ];
}

async function bringConversations(
  { database, vault }: Within,
  { home, engines, count }: Into,
): Promise<void> {
  const saved = keptResources({ engine: engines.state, codec: plainCodec, machine: '' });
  // While two keys are in use a PSU may have two, of which the later one counts.
  const key = ['profile', 'noun', 'parent', 'kind', 'started_at', 'slot'];
  for await (const rows of each(database, [...key, 'record'].join(', '), 'conversation', key))
    for (const { profile, noun, parent, kind, slot, record } of rows) {
      const place = places.conversation(profile, noun, parent, kind, slot);
      const conversation = (vault.open(place, record) ?? lost(place.kind)) as Conversation;
      const there = await putConversation(saved, profile, conversation);
      if (there !== undefined && !isDeepStrictEqual(there, conversation))
        throw another(home.stateDir, `state.db: ${place.kind} ${conversation.parent.id}`);
      count('authorisations', there === undefined);
    }
}

async function bringCredentials({ database, vault }: Within, { home, count }: Into): Promise<void> {
  const shared = postgresCredentials({ database, vault, chosen: () => Promise.resolve(undefined) });
  for (const { profile } of await database.rows<{ profile: string }>(
    'SELECT profile FROM credential ORDER BY 1',
  )) {
    const credentials = await shared.read(profile);
    await home.credentials.update(profile, () => credentials);
    count('credentials', true);
  }
  const text = Buffer.from(`${(await shared.machineKey()).reveal()}\n`);
  const path = join(home.stateDir, 'machine.key');
  const isNew = !existsSync(path);
  if (!isNew && !readFileSync(path).equals(text)) throw another(home.stateDir, 'machine.key');
  makeDirectory(dirname(path));
  if (isNew) writeAtomically(path, text);
  count('shared keys', isNew);
}

async function bringUses(
  { database, vault }: Within,
  { engines, count }: Into,
  ahead: number,
): Promise<void> {
  const usage = keptUsage({ engine: engines.log, codec: plainCodec });
  for await (const rows of each(database, 'key, record', 'usage', ['key']))
    for (const row of rows) {
      const opened = vault.open(places.usage(row.key), row.record) ?? lost('usage');
      const { name, uses } = opened as { name: string; uses: readonly Use[] };
      let isNew = false;
      await usage.update(name, (before) => {
        const after = withUses(before, uses, ahead);
        isNew = after !== before;
        return after;
      });
      count('counts of calls', isNew);
    }
}

/** All rows of a table by its key, a batch at a time. */
async function* each(
  database: Database,
  columns: string,
  table: string,
  key: readonly string[],
): AsyncGenerator<readonly Found[]> {
  const names = key.join(', ');
  let last: readonly unknown[] | undefined;
  for (;;) {
    const after = key.map((_, at) => `$${String(at + 1)}`).join(', ');
    const rows = await database.rows<Found>(
      `SELECT ${columns} FROM ${table} ${last === undefined ? '' : `WHERE (${names}) > (${after})`}
        ORDER BY ${names} LIMIT ${String(batch)}`,
      last ?? [],
    );
    const end = rows.at(-1) as Readonly<Record<string, unknown>> | undefined;
    if (end === undefined) return;
    yield rows;
    last = key.map((name) => end[name]);
  }
}

/** As the process has written it: an object of JSON in a database forgets the order of its members. */
function ownerOf(owner: unknown): string {
  const { pid, startTime, bootId, namespace, host } = owner as ProcessIdentity;
  return JSON.stringify({ pid, startTime, bootId, namespace, ...(host !== undefined && { host }) });
}

/** Adds the rows that are not there yet, all at once. Throws INPUT_INVALID where one is there and says something else. */
async function add({ home, engines }: Into, of: Table, rows: readonly Row[]): Promise<readonly boolean[]> {
  const isNew = rows.map(() => false);
  const file = of === runs || of === records ? 'log' : 'state';
  const part = (row: Row, at: number): Part => ({
    of,
    where: of.key.map((name, place) => `${name} = ?${String(place + 1)}`).join(' AND '),
    values: of.key.map((name) => row[name] ?? null),
    next: ([before]) => {
      isNew[at] = before === undefined;
      const isOther = (name: string) => keyText(before?.[name] ?? null) !== keyText(row[name] ?? null);
      if (before !== undefined && Object.keys(of.columns).some(isOther))
        throw another(home.stateDir, `${file}.db: ${of.name} ${String(row[of.key[0] ?? ''])}`);
      return [before ?? row];
    },
  });
  await commit(engines[file], rows.map(part));
  return isNew;
}

function another(stateDir: string, what: string): ObkError {
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'The folder holds another state.',
    detail: `${join(stateDir, what)} is there and says something else.`,
    hint: [line`obk state export --to ${`${dirname(stateDir)}-new`}   # a folder of its own`],
  });
}

function lost(what: string): never {
  throw new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'A row of the state cannot be read, so it is not moved.',
    detail: `${what}: it does not hold what obk wrote, or its key is another.`,
    hint: ['obk state doctor'],
  });
}
