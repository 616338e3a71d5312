// A home of real commands goes into a database and comes back as it was.
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postgresCredentials } from '../../../../../src/adapters/postgres/postgres-credentials.ts';
import { createCredentials } from '../../../../../src/adapters/secrets/conf-credentials.ts';
import type { Database } from '../../../../../src/adapters/postgres/database.ts';
import { moveIn } from '../../../../../src/adapters/shared-state/move-in.ts';
import { createClock } from '../../../../../src/adapters/system/system-clock.ts';
import { seal } from '../../../../../src/adapters/files/sealed.ts';
import { places } from '../../../../../src/adapters/postgres/places.ts';
import type { Place } from '../../../../../src/adapters/postgres/vault.ts';
import { Secret } from '../../../../../src/base/secret.ts';
import { livingProcess, resource } from '../../../../helpers/adapter-homes.ts';
import { prepared, runRecord, sending, write } from '../../../../helpers/journal-records.ts';
import { filesIn, paidHome } from '../../../../helpers/paid-home.ts';
import type { PaidHome } from '../../../../helpers/paid-home.ts';
import { oneError } from '../../../../helpers/one-error.ts';
import type { PayingHome } from '../../../../helpers/paying-home.ts';
import {
  hasPostgres,
  stateEnvironment,
  testDatabase,
  testState,
  testVault,
} from '../../../../helpers/postgres.ts';
import type { TestDatabase } from '../../../../helpers/postgres.ts';

const shared = testDatabase();

const second = testDatabase();

type Cells = Readonly<Record<string, unknown>>;

/** All rows of a database with what was sealed in them opened; without what counts anew there, and without times to the millisecond. */
async function everythingIn(of: TestDatabase): Promise<Readonly<Record<string, readonly Cells[]>>> {
  const administrator = await of.administer();
  const vault = testVault();
  const opened = async (table: string, columns: string, place: (row: never) => Place) => {
    const rows = await administrator.rows<{ sealed: Buffer } & Cells>(
      `SELECT ${columns} FROM obk.${table} ORDER BY ${table === 'record' ? 'run, number' : '1, 2, 3'}`,
    );
    return rows.map(({ sealed, ...row }) => {
      const { uses, ...record } = (vault.open(place(row as never), sealed) ?? {}) as {
        uses?: readonly unknown[];
      };
      expect(Object.keys(record), table).not.toEqual([]);
      const { id, ...rest } = row;
      return { ...rest, record, ...(table === 'record' ? {} : { id }), ...(uses && { uses: uses.length }) };
    });
  };
  type Row = Record<'profile' | 'hash' | 'run' | 'id' | 'exchange' | 'noun' | 'kind' | 'name', string>;
  type Bytes = Record<'id' | 'parent' | 'slot' | 'key', Buffer>;
  const all = {
    run: await administrator.rows<Cells>('SELECT run, profile, machine, host, ended FROM obk.run ORDER BY 1'),
    intent: await opened(
      'intent',
      'hash, profile, run, state, owner, created_at, resource_id, ending IS NULL AS open, record AS sealed',
      (row: Row) => places.intent(row.profile, row.hash),
    ),
    record: await opened('record', 'run, type, profile, id, record AS sealed', (row: Row) =>
      places.record(row.profile, row.run, row.id),
    ),
    open_write: await opened(
      'open_write',
      'run, exchange, profile, sent, owner, mark AS sealed',
      (row: Row) => places.openWrite(row.profile, row.run, row.exchange),
    ),
    resource: await opened(
      'resource',
      'profile, noun, id, created_at, machine, record AS sealed',
      (row: Row & Bytes) => places.resource(row.profile, row.noun, row.id),
    ),
    conversation: await opened(
      'conversation',
      'profile, noun, parent, kind, slot, started_at, record AS sealed',
      (row: Row & Bytes) => places.conversation(row.profile, row.noun, row.parent, row.kind, row.slot),
    ),
    credential: await opened('credential', 'profile, 1 AS one, 2 AS two, record AS sealed', (row: Row) =>
      places.credentials(row.profile),
    ),
    shared_key: await opened('shared_key', 'name, 1 AS one, 2 AS two, record AS sealed', (row: Row) =>
      places.sharedKey(row.name),
    ),
    usage: await opened('usage', 'key, 1 AS one, 2 AS two, record AS sealed', (row: Bytes) =>
      places.usage(row.key),
    ),
  };
  await of.end();
  return all;
}

interface Moved {
  kind: string;
  moved: number;
  same: number;
}

describe.skipIf(!hasPostgres())('moving a home', () => {
  let paid: PaidHome;
  beforeAll(async () => {
    paid = await paidHome();
  });
  beforeEach(() => {
    shared.empty();
  });
  afterAll(async () => {
    await shared.end();
    await second.end();
    await paid.close();
  });

  const inDatabase = async (home: PayingHome) => ({
    env: { ...home.env, ...stateEnvironment((await shared.url()).reveal()) },
  });
  async function moved(home: PayingHome, words: string): Promise<readonly Moved[]> {
    await shared.end();
    const ran = await home.run([...words.split(' '), '--json'], await inDatabase(home));
    expect(ran.stderr).toBe('');
    return (JSON.parse(ran.stdout) as { moved: Moved[] }).moved;
  }

  /** What was made of the files of others, and what has no place in the database. */
  const isOwn = (path: string) => !/ended\.index|\.damaged$|\.bak$|^usage\//.test(path);

  it('into the database and back is the same, byte for byte, however often it is begun', async () => {
    const home = paid.whole.copy();
    const first = await moved(home, 'state import');
    expect(first.find(({ kind }) => kind === 'intents')).toMatchObject({ moved: 5, same: 0 });
    expect(
      first.every(({ kind, moved: count }) => count > 0 || ['open writes', 'credentials'].includes(kind)),
    ).toBe(true);
    for (const { kind, moved: count } of await moved(home, 'state import')) expect(count, kind).toBe(0);

    await moved(home, 'state export --to out');
    await moved(home, 'state export --to out');
    const before = join(home.folder, 'state');
    const after = join(home.folder, 'out', 'state');
    const names = filesIn(before)
      .map((path) => relative(before, path))
      .filter(isOwn);
    expect(names.length).toBeGreaterThan(20);
    for (const name of names)
      expect(readFileSync(join(after, name), 'utf8'), name).toBe(readFileSync(join(before, name), 'utf8'));
    home.close();
  });

  it('from the database into files and into another database loses nothing, not even whose it was', async () => {
    const home = paid.whole.copy();
    await moved(home, 'state import');
    const elsewhere = testState({ ...shared, stateDir: '/elsewhere', run: '20261121T110000000Z-elsewhere' });
    await write(elsewhere.journal, runRecord(), prepared('e1'), sending('e1'));
    await elsewhere.resources.save(resource({ id: 'p-9' }));
    await elsewhere.credentials.update('acme', () => ({
      consentId: 'con-9',
      tokens: [{ token: new Secret('t') }],
    }));
    await elsewhere.credentials.machineKey();
    await elsewhere.usage.update('calls', () => [{ at: Date.now(), what: 'x' }]);
    await elsewhere.close();
    const before = await everythingIn(shared);
    expect(new Set(before.run?.map(({ machine }) => machine)).size).toBe(2);
    await moved(home, 'state export --to out');
    const out = join(home.folder, 'out');
    const at = { OBK_CONFIG_DIR: join(out, 'config'), OBK_STATE_DIR: join(out, 'state') };
    const url = (await second.url()).reveal();
    const ran = await home.run(['state', 'import', '--json'], {
      env: { ...home.env, ...at, ...stateEnvironment(url) },
    });
    expect(ran.stderr).toBe('');
    expect(await everythingIn(second)).toEqual(before);
    home.close();
  });

  it('is the same state for the commands: nothing is paid twice, and what is unknown is unknown', async () => {
    const home = paid.whole.copy();
    const words = [
      ['payment', 'list', '--profile', 'acme', '--json'],
      ['pending', 'list', '--profile', 'acme', '--json'],
      ['log', 'list', '--profile', 'acme', '--json'],
    ];
    const before = await Promise.all(words.map((line) => home.run(line)));
    await moved(home, 'state import');
    const there = await inDatabase(home);
    for (const [at, line] of words.entries()) {
      const ran = await home.run(line, there);
      const found = JSON.parse(ran.stdout || '[]') as Record<string, unknown>[];
      const inFiles = JSON.parse(before[at]?.stdout || '[]') as Record<string, unknown>[];
      const isAdded = ([key, value]: [string, unknown], entry: number) =>
        ['host', 'run'].includes(key) && inFiles[entry]?.[key] === undefined && value !== null;
      const asInFiles = found.map((one, entry) =>
        Object.fromEntries(Object.entries(one).filter((member) => !isAdded(member, entry))),
      );
      expect(asInFiles, line.join(' ')).toEqual(inFiles);
      // What the files of one home need not say.
      if (line[0] === 'log') expect(found.every(({ host }) => host === hostname())).toBe(true);
    }
    for (const [amount, key] of [
      ['1.00', 'exempt'],
      ['201.00', 'lost'],
    ] as const) {
      await home.pay(amount, key, there);
      expect(paid.bank.made(amount), amount).toBe(1);
    }
    home.close();
  });

  it('takes the credentials of banks inside, and says whose key a password is known by', async () => {
    const home = paid.whole.copy();
    const credentials = createCredentials({
      ...{ configDir: join(home.folder, 'config'), stateDir: join(home.folder, 'state') },
      ...{ clock: createClock(), chosen: () => Promise.resolve(undefined) },
    });
    await credentials.update('sandbox@two', () => ({ consentId: 'con-of-two' }));
    await credentials.machineKey();
    await moved(home, 'state import');
    const there = postgresCredentials({
      ...{ database: shared.open(), vault: testVault(), chosen: () => Promise.resolve(undefined) },
    });
    expect(await there.read('sandbox@two')).toEqual({ consentId: 'con-of-two' });
    const ofCredentials = async () =>
      (await moved(home, 'state import')).find(({ kind }) => kind === 'credentials');
    expect(await ofCredentials()).not.toHaveProperty('note');
    writeFileSync(join(home.folder, 'state', 'machine.key'), `${'7'.repeat(64)}\n`);
    expect(await ofCredentials()).toMatchObject({ note: expect.stringContaining('--new') as unknown });
    home.close();
  });

  it('goes on where it was killed, at whichever transaction', async () => {
    const home = paid.whole.copy();
    const stateDir = join(home.folder, 'state');
    const clock = createClock();
    const credentials = createCredentials({
      ...{ configDir: join(home.folder, 'config'), stateDir, clock },
      chosen: () => Promise.resolve(undefined),
    });
    const files = { stateDir, credentials, profiles: ['acme'] };
    const database = shared.open();
    let isOver = false;
    for (let at = 1; !isOver; at += 29) {
      let left = at;
      // The connection of a process that is killed goes with it, and its transaction is undone.
      const killed: Database = {
        ...database,
        transaction: (action) =>
          database.transaction(async () => {
            const result = await action();
            if ((left -= 1) === 0) throw new Error('killed');
            return result;
          }),
      };
      const within = { database: killed, vault: testVault(), clock };
      isOver = await moveIn(within, files).then(
        () => true,
        (error: unknown) => {
          expect((error as Error).message).toBe('killed');
          return false;
        },
      );
    }
    const counts = await database.rows<{ runs: number; records: number; intents: number }>(
      `SELECT (SELECT count(*)::int FROM run) AS runs, (SELECT count(*)::int FROM record) AS records,
              (SELECT count(*)::int FROM intent) AS intents`,
    );
    const runs = filesIn(join(stateDir, 'journal')).filter((name) => name.endsWith('.ndjson'));
    const lines = runs.flatMap((name) => readFileSync(name, 'utf8').trimEnd().split('\n'));
    expect(counts).toEqual([{ runs: runs.length, records: lines.length, intents: 5 }]);
    for (const { kind, moved: count } of await moved(home, 'state import')) expect(count, kind).toBe(0);
    home.close();
  });

  it('stops before anything where a file is damaged, where a run goes on, and where another state is', async () => {
    const home = paid.whole.copy();
    const intents = join(home.folder, 'state', 'intents');
    const [path = ''] = filesIn(intents).filter((name) => name.endsWith('.json'));
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('acme', 'evil'));
    const refused = async (line: string) =>
      oneError(await home.run([...line.split(' '), '--json'], await inDatabase(home))).code;
    expect(await refused('state import')).toBe('STATE_UNREADABLE');
    writeFileSync(path, text);
    const journal = join(home.folder, 'state', 'journal');
    const at = new Date().toISOString();
    const going = join(journal, `${at.replace(/[-:.]/g, '')}-aaaaaaaaaaaa.ndjson`);
    const { identity, end } = livingProcess();
    const facts = { version: '1', command: 'payment init', profile: 'acme', environment: 'production' };
    writeFileSync(going, seal({ type: 'run', at, ...facts, pid: identity.pid }));
    expect(await refused('state import')).toBe('LOCK_BUSY');
    await end();
    const { kinds } = JSON.parse(
      (await home.run(['state', 'status', '--json'], await inDatabase(home))).stdout,
    ) as { kinds: { count: number }[] };
    expect(kinds.every(({ count }) => count === 0)).toBe(true);
    await moved(home, 'state import');
    await moved(home, 'state export --to out');
    const [run = ''] = filesIn(join(home.folder, 'out', 'state', 'journal')).filter((name) =>
      name.endsWith('.ndjson'),
    );
    writeFileSync(run, 'x');
    expect(await refused('state export --to out')).toBe('INPUT_INVALID');
    const other = shared.open();
    await other.rows('SELECT 1');
    expect(await refused('state export --to elsewhere')).toBe('LOCK_BUSY');
    await shared.end();
    home.close();
  });
});
