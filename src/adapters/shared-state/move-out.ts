import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { StateMoved } from '../../client/ports/state-store.ts';
import type { Use } from '../../client/ports/usage.ts';
import type { Intent, JournalRecord } from '../../settings/records/journal.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import { makeDirectory, writeAtomically } from '../files/atomic-file.ts';
import { filesOfIntent } from '../state/intent-files.ts';
import type { StoredIntent } from '../state/intent-files.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import { resourceFiles } from '../state/resource-files.ts';
import { runFiles } from '../state/run-files.ts';
import { safeName } from '../files/safe-name.ts';
import { seal } from '../files/sealed.ts';
import type { Database } from '../postgres/database.ts';
import { intentColumns, intentOf } from '../postgres/intent-rows.ts';
import type { IntentRow } from '../postgres/intent-rows.ts';
import { places } from '../postgres/places.ts';
import { postgresCredentials } from '../postgres/postgres-credentials.ts';
import { sessionsIn } from './state-contents.ts';
import { machinesFile, resourceLine, runLine } from './machines-file.ts';
import type { HomeFiles } from './state-home.ts';
import type { Vault } from '../postgres/vault.ts';

/** So many rows are read at once. */
const batch = 100;

interface Within {
  database: Database;
  vault: Vault;
}

/** Writes the whole state as the files of a home; begun again, it goes on where it was. */
export async function moveOut(
  { database, vault, clock }: Within & { clock: Clock },
  home: HomeFiles,
): Promise<StateMoved[]> {
  const { stateDir } = home;
  const another = async () => (await sessionsIn(database)).find(({ self }) => !self);
  let other = await another();
  // A server takes its time to see off who has just ended.
  for (let turn = 0; other !== undefined && turn < 10; turn += 1) {
    await clock.sleep(100);
    other = await another();
  }
  if (other !== undefined)
    throw new ObkError({
      code: 'LOCK_BUSY',
      title: 'Another run is connected to this state, so nothing is moved.',
      detail: `${other.application} as ${other.user}: what it does next would be left behind.`,
      hint: ['obk state status   # who is connected'],
    });
  const moved = new Map<string, { moved: number; same: number }>();
  const count = (kind: string, isNew: boolean) => {
    const before = moved.get(kind) ?? { moved: 0, same: 0 };
    moved.set(kind, { moved: before.moved + Number(isNew), same: before.same + Number(!isNew) });
  };
  const put = (kind: string, path: string, text: Uint8Array) => {
    count(kind, write(join(stateDir, path), text));
  };

  for await (const rows of each<IntentRow & { hash: string }>(database, intentColumns, 'intent', ['hash']))
    for (const row of rows) {
      const intent = intentOf(vault, row) ?? lost(`intent ${row.hash}`);
      // The run of the payment stands where it always has: the text is the one that files have.
      const owner = ownerOf(row.owner);
      const { own, markers } = filesOfIntent(inOrder(intent, row.run, owner));
      put('intents', ...own);
      for (const marker of markers) write(join(stateDir, marker), new Uint8Array());
    }
  const machines: string[] = [];
  for await (const rows of each<RunRow>(database, 'run, machine, host', 'run', ['run']))
    for (const { run, machine, host } of rows) {
      if (machine !== null) machines.push(runLine(run, machine, host));
      const records = await recordsOf({ database, vault }, run);
      if (records.length > 0) put('runs', runFiles('journal').newPath(run), Buffer.concat(records.map(seal)));
    }
  for await (const rows of each<MarkRow>(
    database,
    'run, exchange, profile, sent, owner, mark',
    'open_write',
    ['run', 'exchange'],
  ))
    for (const row of rows) {
      const name = `${row.run}.${safeName(row.exchange)}${row.sent ? '.sent' : ''}.json`;
      put('open writes', join('journal', 'open', name), seal(markOf(vault, row)));
    }
  const files = resourceFiles(stateDir);
  for await (const rows of each<ResourceRow>(database, 'profile, noun, id, record, machine', 'resource', [
    'profile',
    'noun',
    'id',
  ]))
    for (const { profile, noun, id, record, machine } of rows) {
      if (machine !== null) machines.push(resourceLine(profile, noun, id.toString('utf8'), machine));
      const opened = vault.open(places.resource(profile, noun, id), record) ?? lost(`resource ${noun}`);
      await files.save(opened as SavedResource);
      count('resources', true);
    }
  if (machines.length > 0) write(join(stateDir, machinesFile), Buffer.from(machines.join('')));
  const keys = ['profile', 'noun', 'parent', 'kind', 'slot'];
  for await (const rows of each<ConversationRow>(
    database,
    [...keys, 'record'].join(', '),
    'conversation',
    keys,
  ))
    for (const { profile, noun, parent, kind, slot, record } of rows) {
      const place = places.conversation(profile, noun, parent, kind, slot);
      await files.saveConversation(
        profile,
        (vault.open(place, record) ?? lost(`authorisation of ${noun}`)) as Conversation,
      );
      count('authorisations', true);
    }
  const shared = postgresCredentials({ database, vault, chosen: () => Promise.resolve(undefined) });
  for (const { profile } of await database.rows<{ profile: string }>(
    'SELECT profile FROM credential ORDER BY 1',
  )) {
    const credentials = await shared.read(profile);
    await home.credentials.update(profile, () => credentials);
    count('credentials', true);
  }
  const key = (await shared.machineKey()).reveal();
  put('shared keys', 'machine.key', Buffer.from(`${key}\n`));
  const [server] = await database.rows<{ at: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at',
  );
  const ahead = Math.round(clock.now().getTime() - (server?.at ?? 0));
  for await (const rows of each<{ key: Buffer; record: Buffer }>(database, 'key, record', 'usage', ['key']))
    for (const row of rows) {
      const opened = vault.open(places.usage(row.key), row.record) ?? lost('usage');
      const { name, uses } = opened as { name: string; uses: readonly Use[] };
      const text = JSON.stringify({ schemaVersion: 1, uses: uses.map(({ at, what }) => [at + ahead, what]) });
      makeDirectory(join(stateDir, 'usage'));
      writeAtomically(join(stateDir, 'usage', `${name}.json`), `${text}\n`);
      count('counts of calls', true);
    }
  return [...moved].map(([kind, counts]) => ({ kind, ...counts }));
}

interface RunRow {
  run: string;
  machine: string | null;
  host: string | null;
}
interface MarkRow {
  run: string;
  exchange: string;
  profile: string;
  sent: boolean;
  owner: unknown;
  mark: Buffer;
}
interface ResourceRow {
  profile: string;
  noun: string;
  id: Buffer;
  record: Buffer;
  machine: string | null;
}
interface ConversationRow extends Omit<ResourceRow, 'id' | 'machine'> {
  parent: Buffer;
  kind: string;
  slot: Buffer;
}

/** All rows of a table by its key, a batch at a time. */
async function* each<Row extends object>(
  database: Database,
  columns: string,
  table: string,
  key: readonly string[],
): AsyncGenerator<readonly Row[]> {
  const names = key.join(', ');
  let last: readonly unknown[] | undefined;
  for (;;) {
    const after = key.map((_, at) => `$${String(at + 1)}`).join(', ');
    const rows = await database.rows<Row>(
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

async function recordsOf({ database, vault }: Within, run: string): Promise<JournalRecord[]> {
  const rows = await database.rows<{ id: string; profile: string; record: Buffer }>(
    'SELECT id, profile, record FROM record WHERE run = $1 ORDER BY number',
    [run],
  );
  return rows.map(
    ({ id, profile, record }) =>
      (vault.open(places.record(profile, run, id), record) ?? lost(`run ${run}`)) as JournalRecord,
  );
}

/** An object of JSON in a database forgets the order of its members. */
function ownerOf(owner: unknown): ProcessIdentity {
  const { pid, startTime, bootId, namespace, host } = owner as ProcessIdentity;
  return { pid, startTime, bootId, namespace, ...(host !== undefined && { host }) };
}

/** The members of an intent in the order in which files have them: those with columns of their own are where they were. */
function inOrder(intent: Intent, run: string, owner: ProcessIdentity): StoredIntent {
  const { createdAt, resourceId, sent, settled, run: _, ...rest } = intent;
  const { schemaVersion, hash, profile, key, bodyHash, fingerprint, chosen, ...last } = rest;
  return {
    ...{ schemaVersion, hash, profile, key, bodyHash, fingerprint, chosen, run, createdAt },
    ...last,
    ...(sent !== undefined && { sent }),
    owner,
    ...(resourceId !== undefined && { resourceId }),
    ...(settled !== undefined && { settled }),
  };
}

function markOf(vault: Vault, { run, exchange, profile, owner, mark }: MarkRow): object {
  const opened = vault.open(places.openWrite(profile, run, exchange), mark) ?? lost(`open write of ${run}`);
  const { operation, at, requestId, bodySha256, exact, ...rest } = opened as Readonly<
    Record<string, unknown>
  >;
  return {
    ...{
      schemaVersion: 1,
      operation,
      at,
      requestId,
      bodySha256,
      owner: ownerOf(owner),
      exact: exact ?? null,
    },
    ...rest,
  };
}

/** Writes a file; false where it is there. Throws INPUT_INVALID where its content is another. */
function write(path: string, text: Uint8Array): boolean {
  if (existsSync(path)) {
    if (readFileSync(path).equals(text)) return false;
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'The folder holds another state.',
      detail: `${path} is there and says something else.`,
      hint: [line`obk state export --to ${`${dirname(path)}-new`}   # a folder of its own`],
    });
  }
  makeDirectory(dirname(path));
  writeAtomically(path, text);
  return true;
}

function lost(what: string): never {
  throw new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'A row of the state cannot be read, so it is not moved.',
    detail: `${what}: it does not hold what obk wrote, or its key is another.`,
    hint: ['obk state doctor'],
  });
}
