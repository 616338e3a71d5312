import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { StateMoved } from '../../client/ports/state-store.ts';
import type { Use } from '../../client/ports/usage.ts';
import type { intentOf } from '../../client/state/intent-rows.ts';
import type { opened } from '../../client/state/open-write-rows.ts';
import type { RowOf, runs } from '../../client/state/tables.ts';
import type { Credentials } from '../../settings/records/credentials.ts';
import type { EndedRun, JournalRecord } from '../../settings/records/journal.ts';
import type { Database } from '../postgres/database.ts';
import { resourceIdBytes, sealEnding, sealIntent } from '../postgres/intent-rows.ts';
import { machineOf } from '../postgres/machine.ts';
import type { Machine } from '../postgres/machine.ts';
import { places, tagged } from '../postgres/places.ts';
import { postgresCredentials } from '../postgres/postgres-credentials.ts';
import { postgresResources } from '../postgres/postgres-resources.ts';
import type { Vault } from '../postgres/vault.ts';
import { aheadOf, counted, putConversation, withUses } from './moving.ts';
import { homeRows, needWholeAndQuiet } from './state-home.ts';
import type { HomeFiles, HomeRows } from './state-home.ts';

const kinds = [
  ...['intents', 'runs', 'open writes', 'resources', 'authorisations', 'credentials'],
  'counts of calls',
];

interface Within {
  database: Database;
  vault: Vault;
  /** The home that is moved: what it names no other machine for is its own. */
  machine: Machine;
}

/**
 * Takes over the files of a home. Everything is read before anything is written, so that a damaged row stops it in time; each entry
 * is written once, however often it is begun.
 */
export async function moveIn(
  { clock, ...within }: { database: Database; vault: Vault; clock: Clock },
  home: HomeFiles,
): Promise<StateMoved[]> {
  const rows = homeRows(home.stateDir);
  try {
    await needWholeAndQuiet(rows, clock.now());
    return await moveRows({ ...within, machine: machineOf(home.stateDir) }, clock, home, rows);
  } finally {
    await rows.close();
  }
}

async function moveRows(
  within: Within,
  clock: Clock,
  home: HomeFiles,
  rows: HomeRows,
): Promise<StateMoved[]> {
  const { database, vault, machine } = within;
  const { count, all } = counted(kinds);
  const once = <T>(action: () => Promise<T>) => database.again(() => database.transaction(action));
  // What keeps a payment from being made twice comes first.
  for await (const one of rows.intents()) count('intents', await once(() => putIntent(within, one)));
  for await (const run of rows.runs()) {
    const records = await rows.records(run.run);
    count('runs', await once(() => putRun(within, run, records)));
  }
  for await (const one of rows.openWrites()) count('open writes', await once(() => putMark(within, one)));
  const madeBy = (id: string) => postgresResources({ database, vault, machine: id === '' ? machine.id : id });
  for await (const { row, record } of rows.resources()) {
    const resources = madeBy(row.machine);
    const before = await resources.find(record.profile, record.noun, record.id);
    const isNew = before === undefined || before.updatedAt < record.updatedAt;
    if (isNew) await resources.save(record);
    count('resources', isNew);
  }
  for await (const { row, record } of rows.conversations())
    count('authorisations', (await putConversation(madeBy(''), row.profile, record)) === undefined);
  const isOtherKey = await putCredentials(within, home, count);
  const ahead = await aheadOf(database, clock);
  for await (const one of rows.uses())
    count('counts of calls', await once(() => putUses(within, one, ahead)));
  return all().map((one) => (isOtherKey && one.kind === 'credentials' ? { ...one, note: otherKey } : one));
}

/** The state of an intent only goes on: what has left once has left. Throws STATE_NOT_WRITTEN where another run has its key there. */
async function putIntent(
  { database, vault }: Within,
  { row: home, intent }: NonNullable<ReturnType<typeof intentOf>>,
): Promise<boolean> {
  const { settled, sent } = intent;
  const isNothing = settled?.created === false && sent !== false;
  const state = isNothing ? 'returned' : home.state === 'made' ? 'sending' : home.state;
  const ending = settled === undefined ? null : sealEnding(vault, intent, settled);
  const [content] = vault.tags(...tagged.content(intent));
  const [row] = await database.rows<{ run: string; state: string; ending: Buffer | null; known: boolean }>(
    'SELECT run, state, ending, resource_id IS NOT NULL AS known FROM intent WHERE hash = $1 FOR UPDATE',
    [intent.hash],
  );
  if (row !== undefined && row.run !== intent.run)
    throw new ObkError({
      code: 'STATE_NOT_WRITTEN',
      title: 'A payment of this home is there already, begun by another run.',
      detail: `Intent ${intent.hash.slice(0, 12)} is of run ${intent.run} here and of run ${row.run} in the database.`,
      hint: ['obk pending list   # settle one of the two first'],
    });
  const values = [
    ...[intent.hash, intent.profile, content, intent.run, state, home.owner, intent.createdAt],
    ...[resourceIdBytes(intent.resourceId), sealIntent(vault, intent), ending, home.fence],
  ];
  if (row === undefined) {
    await database.rows(
      `INSERT INTO intent (hash, profile, content, run, state, owner, created_at, resource_id, record, ending, fence, transition, leased_until)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, gen_random_uuid(), clock_timestamp())`,
      values,
    );
    return true;
  }
  const next = furtherOf(row, state);
  const isFurther =
    next !== row.state ||
    (row.ending === null && ending !== null) ||
    (!row.known && intent.resourceId !== undefined);
  if (!isFurther) return false;
  await database.rows(
    `UPDATE intent SET state = $2, resource_id = coalesce($3, resource_id), record = $4,
            ending = coalesce($5, ending), fence = fence + 1 WHERE hash = $1`,
    [intent.hash, next, ...values.slice(7, 10)],
  );
  return true;
}

/** The later of the two states of one run; what may be on its way counts as being so unless its end is proved or settled. */
function furtherOf(row: { state: string; ending: Buffer | null }, state: string): string {
  if (row.state === 'claimed') return state;
  if (row.state === 'sending' && state === 'returned') return state;
  return row.state === 'returned' && state === 'sending' && row.ending === null ? state : row.state;
}

/** Each record has an id made of its run, its number and its text, so that it is there once. */
async function putRun(
  within: Within,
  row: RowOf<typeof runs>,
  records: readonly JournalRecord[],
): Promise<boolean> {
  const { database, vault } = within;
  const { run, profile } = row;
  let isNew = await listRun(within, row);
  for (const [number, record] of records.entries()) {
    const id = idOf(`${run} ${String(number)} ${JSON.stringify(record)}`);
    const added = await database.rows(
      `INSERT INTO record (id, run, at, type, profile, record) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO NOTHING RETURNING id`,
      [id, run, record.at, record.type, profile, vault.seal(places.record(profile, run, id), record)],
    );
    isNew ||= added.length > 0;
  }
  const { free = false, ...ended } = JSON.parse(row.ended ?? '{}') as Partial<EndedRun>;
  if (isNew)
    await database.rows('UPDATE run SET ended = $2, free = $3 WHERE run = $1', [
      ...[run, row.ended === null ? null : JSON.stringify(ended), free],
    ]);
  return isNew;
}

async function listRun(
  { database, machine }: Within,
  { run, profile, machine: id, host }: Omit<RowOf<typeof runs>, 'ended'>,
): Promise<boolean> {
  const added = await database.rows(
    `INSERT INTO run (run, profile, machine, host) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING run`,
    [run, profile, ...(id === '' ? [machine.id, machine.host] : [id, host])],
  );
  return added.length > 0;
}

function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

async function putMark(
  within: Within,
  { row, mark }: NonNullable<ReturnType<typeof opened>>,
): Promise<boolean> {
  const { database, vault } = within;
  const { run, exchange, profile, owner, state, at } = row;
  // The log may have lost the run.
  await listRun(within, { run, profile, machine: '', host: null });
  const added = await database.rows(
    `INSERT INTO open_write (run, exchange, profile, sent, owner, at, mark) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (run, exchange) DO NOTHING RETURNING run`,
    [
      ...[run, exchange, profile, state === 'sending', owner, new Date(at)],
      vault.seal(places.openWrite(profile, run, exchange), mark),
    ],
  );
  return added.length > 0;
}

const otherKey =
  'Another home has brought the key by which obk knows a password that it has sent; that of this home stays behind. ' +
  'Authorisations that this home has sent one for go on with --new.';

/**
 * Tokens that are there already are newer: each refresh puts another one in their place. Returns whether the key of another machine
 * is there in place of that of this home.
 */
async function putCredentials(
  within: Within,
  { stateDir, credentials, profiles }: HomeFiles,
  count: (kind: string, isNew: boolean) => void,
): Promise<boolean> {
  const shared = postgresCredentials({ ...within, chosen: () => Promise.resolve(undefined) });
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
  const place = places.sharedKey('sent');
  await within.database.rows(
    'INSERT INTO shared_key (name, record) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
    [place.row, within.vault.seal(place, { key })],
  );
  const [row] = await within.database.rows<{ record: Buffer }>(
    'SELECT record FROM shared_key WHERE name = $1',
    [place.row],
  );
  const there = row && (within.vault.open(place, row.record) as { key?: unknown } | undefined);
  return there?.key !== key;
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

/** In the database the uses have the time of the server. */
async function putUses(
  { database, vault }: Within,
  { name, uses }: { name: string; uses: readonly Use[] },
  ahead: number,
): Promise<boolean> {
  const tags = vault.tags(...tagged.usage(name));
  const [row] = await database.rows<{ key: Buffer; record: Buffer }>(
    'SELECT key, record FROM usage WHERE key = ANY($1) FOR UPDATE',
    [tags],
  );
  const there =
    row && (vault.open(places.usage(row.key), row.record) as { uses?: readonly Use[] } | undefined);
  const before = there?.uses ?? [];
  const after = withUses(before, uses, -ahead);
  const key = row?.key ?? tags[0];
  if (key === undefined || (row !== undefined && after === before)) return false;
  await database.rows(
    `INSERT INTO usage (key, record) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET record = excluded.record`,
    [key, vault.seal(places.usage(key), { name, uses: after })],
  );
  return true;
}
