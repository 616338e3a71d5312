import { defined } from '../../base/defined.ts';
import { readFileSync, existsSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ObkError } from '../../base/errors.ts';
import type { Row } from '../../client/ports/engine.ts';
import type { StateMoved } from '../../client/ports/state-store.ts';
import { openIn, sealIn, sealedRow } from '../../client/state/sealed-rows.ts';
import type { OpenedRow } from '../../client/state/sealed-rows.ts';
import {
  conversations,
  insert,
  intents,
  openWrites,
  records,
  replace,
  resources,
  runs,
  select,
} from '../../client/state/tables.ts';
import type { RowOf, Table } from '../../client/state/tables.ts';
import type { Credentials } from '../../settings/records/credentials.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { machineOf } from '../postgres/machine.ts';
import type { Machine } from '../postgres/machine.ts';
import { sentKey } from '../postgres/own-key.ts';
import { postgresCredentials } from '../postgres/postgres-credentials.ts';
import { sharedKeys } from '../postgres/schema.ts';
import { copyRows, copyUses, counted, openedRows, whole, isSame } from './copy-rows.ts';
import type { Side } from './copy-rows.ts';
import { fleetSide } from './fleet-side.ts';
import type { Within } from './fleet-side.ts';
import { homeSide, needWholeAndQuiet, rowAt } from './state-home.ts';
import type { HomeFiles } from './state-home.ts';
import { line } from '../../base/command-line.ts';
import type { Clock } from '../../client/ports/clock.ts';
import { claimCount } from '../../client/state/claim-count.ts';
import { countsIn } from '../../client/state/contents.ts';
import { makeDirectory, writeAtomically } from '../files/atomic-file.ts';
import type { Database } from '../postgres/database.ts';
import { sessionsIn } from './state-contents.ts';

const kinds = [
  ...['intents', 'runs', 'open writes', 'resources', 'authorisations', 'credentials'],
  'counts of calls',
];

/**
 * Takes over the files of a home. Everything is read before anything is written, so that a damaged row stops it in time; each entry
 * is written once, however often it is begun.
 */
export async function moveIn(within: Within, files: HomeFiles): Promise<StateMoved[]> {
  const home = homeSide(files.stateDir);
  try {
    await needWholeAndQuiet(home, within.clock.now());
    return await moveRows(within, home, files);
  } finally {
    await home.close();
  }
}

async function moveRows(within: Within, from: Side, files: HomeFiles): Promise<StateMoved[]> {
  const to = fleetSide(within);
  const { count, all } = counted(kinds);
  const counting = (kind: string) => (isNew: boolean) => {
    count(kind, isNew);
  };
  const of = { from, to };
  // What a home names no other machine for is its own.
  const own = machineOf(files.stateDir);
  const adapt = (mine: OpenedRow): OpenedRow =>
    mine.row['machine'] === '' ? { ...mine, row: { ...mine.row, machine: own.id } } : mine;
  // What keeps a payment from being made twice comes first.
  await copyRows(intents, { ...of, merge: furtherIntent, count: counting('intents') });
  for await (const some of openedRows(from, runs))
    for (const run of some) count('runs', await copyRun(from, to, ofMachine(run, own)));
  await copyRows(openWrites, { ...of, merge: (there) => there, count: counting('open writes') });
  await copyRows(resources, { ...of, adapt, merge: newerResource, count: counting('resources') });
  await copyRows(conversations, {
    ...of,
    merge: (there, mine) => (Number(there.row['started_at']) < Number(mine.row['started_at']) ? mine : there),
    count: counting('authorisations'),
  });
  const isOtherKey = await putCredentials(within, files, count);
  await copyUses(from, to, counting('counts of calls'));
  return all().map((one) => (isOtherKey && one.kind === 'credentials' ? { ...one, note: otherKey } : one));
}

/** The state of an intent only goes on: what has left once has left. Throws STATE_NOT_WRITTEN where another run has its key there. */
function furtherIntent(there: OpenedRow, mine: OpenedRow): OpenedRow {
  const [before, after] = [there.row, mine.row] as [RowOf<typeof intents>, RowOf<typeof intents>];
  if (before.run !== after.run)
    throw new ObkError({
      code: 'STATE_NOT_WRITTEN',
      title: 'A payment of this home is there already, begun by another run.',
      detail: `Intent ${after.hash.slice(0, 12)} is of run ${after.run} here and of run ${before.run} in the database.`,
      hint: ['obk pending list   # settle one of the two first'],
    });
  const state = furtherOf(before, after.state);
  const ending = mine.records['ending'] ?? there.records['ending'];
  const resourceId = after.resource_id ?? before.resource_id;
  const isFurther =
    state !== before.state ||
    (before.ending === null && ending !== undefined) ||
    (before.resource_id === null && resourceId !== null);
  if (!isFurther) return there;
  return {
    row: { ...before, state, resource_id: resourceId, fence: before.fence + 1 },
    records: { ...mine.records, ...defined({ ending }) },
  };
}

/** The later of the two states of one run; what may be on its way counts as being so unless its end is proved or settled. */
function furtherOf({ state, ending }: RowOf<typeof intents>, mine: string): string {
  if (state === 'claimed') return mine;
  if (mine === 'claimed' || state === 'made') return state;
  return state === 'returned' && ending !== null ? state : mine;
}

function newerResource(there: OpenedRow, mine: OpenedRow): OpenedRow {
  const [before, after] = [there, mine].map(({ records: { record } }) => record as SavedResource);
  if (before === undefined || after === undefined || !(before.updatedAt < after.updatedAt)) return there;
  return { ...mine, row: { ...mine.row, machine: there.row['machine'] ?? '' } };
}

const ofMachine = ({ row }: OpenedRow, own: Machine): RowOf<typeof runs> => {
  const run = row as RowOf<typeof runs>;
  return run.machine === '' ? { ...run, machine: own.id, host: own.host } : run;
};

/** A run with its records, all at once; those that are there, under whichever number, are left as they are. */
async function copyRun(from: Side, to: Side, run: RowOf<typeof runs>): Promise<boolean> {
  const ofRun = [run.run];
  const found = await from.engine(records).rows(select(records, 'WHERE run = ?1 ORDER BY number', ofRun));
  const mine = found.map((one) => whole(from, records, one));
  return to
    .engine(runs)
    .change(
      [select(runs, 'WHERE run = ?1', ofRun), select(records, 'WHERE run = ?1 ORDER BY number', ofRun)],
      ([[before] = [] as readonly Row[], old = []]) => {
        const there = old.map((one) => whole(to, records, one));
        const isThere = (one: OpenedRow) =>
          there.some((other) => isDeepStrictEqual(other.records, one.records));
        const last = Number(there.at(-1)?.row['number'] ?? 0);
        const added = mine.filter((one) => !isThere(one));
        const rows = added.map(({ row, records: its }, at) =>
          sealedRow(to.codec, records, { row: { ...row, number: last + at + 1 }, records: its }),
        );
        const changes = [
          ...(before === undefined
            ? [insert(runs, run)]
            : rows.length > 0
              ? [replace(runs, before as never, { ended: run.ended })]
              : []),
          ...rows.map((row) => insert(records, row as never)),
        ];
        return { changes, result: changes.length > 0 };
      },
    );
}

const otherKey =
  'Another home has brought the key by which obk knows a password that it has sent; that of this home stays behind. ' +
  'Authorisations that this home has sent one for go on with --new.';

/**
 * Tokens that are there already are newer: each refresh puts another one in their place. Returns whether the key of another machine
 * is there in place of that of this home.
 */
async function putCredentials(
  { database, vault }: Within,
  { stateDir, credentials, profiles }: HomeFiles,
  count: (kind: string, isNew: boolean) => void,
): Promise<boolean> {
  const shared = postgresCredentials({ database, vault, chosen: () => Promise.resolve(undefined) });
  for (const profile of profiles) {
    const own = await credentials.read(profile);
    if (isEmpty(own)) continue;
    let isNew = false;
    await shared.update(profile, (before) => {
      isNew = isEmpty(before);
      return isNew ? own : before;
    });
    count('credentials', isNew);
  }
  const key = keyOf(stateDir);
  if (key === undefined) return false;
  await database.rows('INSERT INTO shared_key (name, record) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
    sentKey,
    sealIn(vault, sharedKeys, 'record', { name: sentKey }, { key }),
  ]);
  const [row] = await database.rows<{ record: Buffer }>('SELECT record FROM shared_key WHERE name = $1', [
    sentKey,
  ]);
  const there = openIn(vault, sharedKeys, 'record', { name: sentKey, record: row?.record ?? null });
  return (there as { key?: unknown } | undefined)?.key !== key;
}

const isEmpty = (credentials: Credentials): boolean =>
  Object.values(credentials as Readonly<Record<string, unknown>>).every(
    (value) => value === undefined || (Array.isArray(value) && value.length === 0),
  );

/** The key of the machine, if it has made one. */
function keyOf(stateDir: string): string | undefined {
  try {
    return /^([0-9a-f]{64})\n$/.exec(readFileSync(join(stateDir, 'machine.key'), 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** Writes the whole state as the files of a home; begun again, it goes on where it was. */
export async function moveOut(within: Within, files: HomeFiles): Promise<StateMoved[]> {
  await needAlone(within.database, within.clock);
  const { count, all } = counted();
  const counting = (of: Table) => (isNew: boolean) => {
    // A run is counted with its records.
    if (of !== records) count(of.kind ?? of.name, isNew);
  };
  const from = fleetSide(within);
  const home = homeSide(files.stateDir);
  const to = { ...home, unread: (of: Table, found: OpenedRow['row']) => another(files.stateDir, of, found) };
  try {
    for (const of of [intents, runs, records, openWrites, resources, conversations])
      await copyRows(of, {
        ...{ from, to, count: counting(of) },
        merge: (there, mine) => {
          // While two keys are in use a PSU may have two, of which the later one counts.
          const later = Number(mine.row['started_at'] ?? 0) - Number(there.row['started_at'] ?? 0);
          if (later !== 0) return later > 0 ? mine : there;
          if (!isSame(of, there, mine)) throw another(files.stateDir, of, mine.row);
          return there;
        },
      });
    await countClaims(home);
    await bringCredentials(within, files, count);
    await copyUses(from, home, (isNew) => {
      count('counts of calls', isNew);
    });
  } finally {
    await home.close();
  }
  return all();
}

/** What came was begun and seen: where it is lost there, it is missing. */
async function countClaims({ engine, codec }: Side): Promise<void> {
  const [state, log] = [engine(intents), engine(runs)];
  const [{ count } = { count: 0 }] = await countsIn(engine, [intents]);
  await claimCount({ state, log, codec }).atLeast(count, count);
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

async function bringCredentials(
  { database, vault }: Within,
  home: HomeFiles,
  count: (kind: string, isNew: boolean) => void,
): Promise<void> {
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
  if (!isNew && !readFileSync(path).equals(text)) throw anotherAt(home.stateDir, path);
  makeDirectory(dirname(path));
  if (isNew) writeAtomically(path, text);
  count('shared keys', isNew);
}

const another = (stateDir: string, of: Table, row: OpenedRow['row']): ObkError =>
  anotherAt(stateDir, rowAt(stateDir, of, row));

function anotherAt(stateDir: string, what: string): ObkError {
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'The folder holds another state.',
    detail: `${what} is there and says something else.`,
    hint: [line`obk state export --to ${`${dirname(stateDir)}-new`}   # a folder of its own`],
  });
}
