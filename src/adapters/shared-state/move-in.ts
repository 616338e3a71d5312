import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { StateMoved } from '../../client/ports/state-store.ts';
import type { Resources } from '../../client/ports/resources.ts';
import type { Use } from '../../client/ports/usage.ts';
import type { Credentials } from '../../settings/records/credentials.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';
import type { Found } from '../state/open-write-files.ts';
import type { StoredIntent } from '../state/intent-files.ts';
import { nounOfParent } from '../state/noun-of-parent.ts';
import { cameToNothing } from '../state/exchange-state.ts';
import { summary } from '../state/run-index.ts';
import type { Database } from '../postgres/database.ts';
import { resourceIdBytes, sealEnding, sealIntent } from '../postgres/intent-rows.ts';
import { machineOf } from '../postgres/machine.ts';
import { machinesIn } from './machines-file.ts';
import type { Machines } from './machines-file.ts';
import { places, tagged } from '../postgres/places.ts';
import { postgresCredentials } from '../postgres/postgres-credentials.ts';
import { postgresResources } from '../postgres/postgres-resources.ts';
import { intentsOf, needQuiet, openWritesOf, recordsOf, resourcesOf, runsOf, usesOf } from './state-home.ts';
import type { HomeFiles } from './state-home.ts';
import type { Vault } from '../postgres/vault.ts';

/**
 * Takes over the files of a home. Everything is read before anything is written, so that a damaged file stops it in time; each entry
 * is written once, however often it is begun.
 */
export async function moveIn(
  { database, vault, clock }: { database: Database; vault: Vault; clock: Clock },
  home: HomeFiles,
): Promise<StateMoved[]> {
  const { stateDir } = home;
  const machines = machinesIn(stateDir, machineOf(stateDir));
  needQuiet(stateDir, clock.now());
  const intents = intentsOf(stateDir);
  const runs = runsOf(stateDir);
  for (const run of runs) recordsOf(stateDir, run);
  const marks = openWritesOf(stateDir).map((mark) => whole(stateDir, mark));
  const uses = usesOf(stateDir);
  for await (const _ of resourcesOf(stateDir));

  const moved = new Map<string, { moved: number; same: number }>();
  const count = (kind: string, isNew: boolean) => {
    const before = moved.get(kind) ?? { moved: 0, same: 0 };
    moved.set(kind, { moved: before.moved + Number(isNew), same: before.same + Number(!isNew) });
  };
  for (const kind of [
    'intents',
    'runs',
    'open writes',
    'resources',
    'authorisations',
    'credentials',
    'counts of calls',
  ])
    moved.set(kind, { moved: 0, same: 0 });
  const once = <T>(action: () => Promise<T>) => database.again(() => database.transaction(action));

  // What keeps a payment from being made twice comes first.
  for (const intent of intents) {
    const isNothing = intent.sent !== false && cameToNothing(recordsOf(stateDir, intent.run), intent.hash);
    count('intents', await once(() => putIntent(database, vault, intent, isNothing)));
  }
  for (const run of runs)
    count('runs', await once(() => putRun({ database, vault, machines }, run, recordsOf(stateDir, run))));
  for (const mark of marks)
    count('open writes', await once(() => putMark({ database, vault, machines }, mark)));
  const madeBy = (machine: string) => postgresResources({ database, vault, machine });
  for await (const some of resourcesOf(stateDir)) {
    for (const one of some.resources) {
      const resources = madeBy(machines.ofResource(one.profile, one.noun, one.id));
      const before = await resources.find(one.profile, one.noun, one.id);
      const isNew = before === undefined || before.updatedAt < one.updatedAt;
      if (isNew) await resources.save(one);
      count('resources', isNew);
    }
    for (const one of some.conversations)
      count('authorisations', await putConversation(madeBy(''), some.profile, one));
  }
  const isOtherKey = await putCredentials({ database, vault }, home, count);
  const [server] = await database.rows<{ at: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at',
  );
  const ahead = Math.round(clock.now().getTime() - (server?.at ?? 0));
  for (const one of uses) count('counts of calls', await once(() => putUses(database, vault, one, ahead)));
  return [...moved].map(([kind, counts]) => ({
    ...{ kind, ...counts },
    ...(isOtherKey && kind === 'credentials' && { note: otherKey }),
  }));
}

/** A mark of an older obk is made anew of the records of its run. */
function whole(stateDir: string, found: Found): Found & { mark: NonNullable<Found['mark']> } {
  if (found.mark !== undefined) return { ...found, mark: found.mark };
  throw new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'An open write of this home cannot be read, so nothing is moved.',
    detail: `Its file in ${join(stateDir, 'journal', 'open')} is damaged, or an older obk wrote it: run ${found.run}.`,
    hint: ['obk pending list   # settle it first'],
  });
}

/** The state of an intent only goes on: what has left once has left. Throws STATE_NOT_WRITTEN where another run has its key there. */
async function putIntent(
  database: Database,
  vault: Vault,
  { owner, ...intent }: StoredIntent,
  /** The records of its run prove that nothing came of it. */
  isNothing: boolean,
): Promise<boolean> {
  const { settled, sent } = intent;
  const state =
    isNothing || (settled?.created === false && sent !== false)
      ? 'returned'
      : sent === undefined
        ? 'legacy'
        : sent
          ? 'sending'
          : 'claimed';
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
    ...[intent.hash, intent.profile, content, intent.run, state, JSON.stringify(owner), intent.createdAt],
    ...[resourceIdBytes(intent.resourceId), sealIntent(vault, intent), ending],
  ];
  if (row === undefined) {
    await database.rows(
      `INSERT INTO intent (hash, profile, content, run, state, owner, created_at, resource_id, record, ending, transition, leased_until)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, gen_random_uuid(), clock_timestamp())`,
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
    [intent.hash, next, ...values.slice(7)],
  );
  return true;
}

/** The later of the two states of one run; what may be on its way counts as being so unless its end is proved or settled. */
function furtherOf(row: { state: string; ending: Buffer | null }, state: string): string {
  if (row.state === 'claimed') return state;
  if (row.state === 'sending' && state === 'returned') return state;
  return row.state === 'returned' && state === 'sending' && row.ending === null ? state : row.state;
}

/** The place of the runs, and the machines whose they are. */
interface Within {
  database: Database;
  vault: Vault;
  machines: Machines;
}

/** Each record has an id made of its run, its number and its text, so that it is there once. */
async function putRun(
  { database, vault, machines }: Within,
  run: string,
  records: readonly JournalRecord[],
): Promise<boolean> {
  const head = records.find((record) => record.type === 'run');
  const profile = head?.profile ?? '';
  const { id: machine, host } = machines.ofRun(run);
  await database.rows(
    'INSERT INTO run (run, profile, machine, host) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [run, profile, machine, host],
  );
  let isNew = false;
  for (const [number, record] of records.entries()) {
    const id = idOf(`${run} ${String(number)} ${JSON.stringify(record)}`);
    const added = await database.rows(
      `INSERT INTO record (id, run, at, type, profile, record) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO NOTHING RETURNING id`,
      [id, run, record.at, record.type, profile, vault.seal(places.record(profile, run, id), record)],
    );
    isNew ||= added.length > 0;
  }
  const ended = summary(records);
  if (isNew && ended !== undefined)
    await database.rows('UPDATE run SET ended = $2 WHERE run = $1', [run, JSON.stringify(ended)]);
  return isNew;
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
  { database, vault, machines }: Within,
  { run, exchange, sent, mark }: ReturnType<typeof whole>,
): Promise<boolean> {
  const { schemaVersion: _, owner, ...facts } = mark;
  const profile = facts.profile ?? '';
  // One that was settled there meanwhile is not open for that: its run says how it ended.
  const { id: machine, host } = machines.ofRun(run);
  await database.rows(
    'INSERT INTO run (run, profile, machine, host) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [run, profile, machine, host],
  );
  const added = await database.rows(
    `INSERT INTO open_write (run, exchange, profile, sent, owner, at, mark)
     VALUES ($1, $2, $3, $4, $5, coalesce($6, clock_timestamp()), $7)
     ON CONFLICT (run, exchange) DO NOTHING RETURNING run`,
    [
      ...[run, exchange, profile, sent, JSON.stringify(owner), facts.at ?? null],
      vault.seal(places.openWrite(profile, run, exchange), facts),
    ],
  );
  return added.length > 0;
}

async function putConversation(
  resources: Resources,
  profile: string,
  conversation: Parameters<Resources['saveConversation']>[1],
): Promise<boolean> {
  const { parent, startedAt, authorisationId, psuId } = conversation;
  const noun = nounOfParent(parent.kind);
  const there = (await resources.conversations(profile, noun, parent.id)).find(
    (one) =>
      one.parent.kind === parent.kind &&
      one.startedAt === startedAt &&
      one.authorisationId === authorisationId &&
      one.psuId === psuId,
  );
  if (there !== undefined) return false;
  await resources.saveConversation(profile, conversation);
  return true;
}

const otherKey =
  'Another home has brought the key by which obk knows a password that it has sent; that of this home stays behind. ' +
  'Authorisations that this home has sent one for go on with --new.';

/**
 * Tokens that are there already are newer: each refresh puts another one in their place. Returns whether the key of another machine
 * is there in place of that of this home.
 */
async function putCredentials(
  within: { database: Database; vault: Vault },
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

/** The uses of both places, each once; in the database they have the time of the server. */
async function putUses(
  database: Database,
  vault: Vault,
  { name, uses }: { name: string; uses: readonly Use[] },
  ahead: number,
): Promise<boolean> {
  const tags = vault.tags(...tagged.usage(name));
  const [row] = await database.rows<{ key: Buffer; record: Buffer }>(
    'SELECT key, record FROM usage WHERE key = ANY($1) FOR UPDATE',
    [tags],
  );
  const before =
    row === undefined
      ? []
      : ((vault.open(places.usage(row.key), row.record) as { uses?: readonly Use[] } | undefined)?.uses ??
        []);
  const mine = uses.map(({ at, what }) => ({ at: at - ahead, what }));
  // The two clocks were compared once more, so the same use may differ by a few milliseconds.
  const isThere = ({ at, what }: Use) =>
    before.some((one) => one.what === what && Math.abs(one.at - at) < 1000);
  const added = mine.filter((use) => !isThere(use));
  const key = row?.key ?? tags[0];
  if (key === undefined || (row !== undefined && added.length === 0)) return false;
  const record = vault.seal(places.usage(key), {
    name,
    uses: [...before, ...added].sort((a, b) => a.at - b.at),
  });
  await database.rows(
    `INSERT INTO usage (key, record) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET record = excluded.record`,
    [key, record],
  );
  return true;
}
