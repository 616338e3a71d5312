// Moving a home ends before anything is written, or goes on where it ended.
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../../src/adapters/postgres/database.ts';
import { createCredentials } from '../../../../../src/adapters/secrets/conf-credentials.ts';
import { moveIn, moveOut } from '../../../../../src/adapters/shared-state/move-state.ts';
import { createClock } from '../../../../../src/adapters/system/system-clock.ts';
import type { JournalRecord } from '../../../../../src/settings/records/journal.ts';
import { livingProcess } from '../../../../helpers/adapter-homes.ts';
import { prepared, runRecord, sending, write } from '../../../../helpers/journal-records.ts';
import { atHome, everythingAt, inDatabase, moved } from '../../../../helpers/moved-home.ts';
import { oneError } from '../../../../helpers/one-error.ts';
import { paidHome } from '../../../../helpers/paid-home.ts';
import type { PaidHome } from '../../../../helpers/paid-home.ts';
import type { PayingHome } from '../../../../helpers/paying-home.ts';
import { hasPostgres, testDatabase, testVault } from '../../../../helpers/postgres.ts';
import { plantInto, rowsIn } from '../../../../helpers/state-file.ts';

const shared = testDatabase();

describe.skipIf(!hasPostgres())('moving a home that is stopped', () => {
  let paid: PaidHome;
  beforeAll(async () => {
    paid = await paidHome();
  });
  beforeEach(() => {
    shared.empty();
  });
  afterAll(async () => {
    await shared.end();
    await paid.close();
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
    const [rows] = rowsIn(
      ...([
        stateDir,
        'log',
        'SELECT (SELECT count(*) FROM run) AS runs, count(*) AS records FROM record',
      ] as const),
    );
    expect(counts).toEqual([
      { runs: Number(rows?.['runs']), records: Number(rows?.['records']), intents: 5 },
    ]);
    for (const { kind, moved: count } of await moved(home, shared, 'state import'))
      expect(count, kind).toBe(0);
    home.close();
  });

  it('goes on with an export where it was killed, at whichever statement', async () => {
    const home = paid.whole.copy();
    const before = await everythingAt(join(home.folder, 'state'));
    await moved(home, shared, 'state import');
    const [configDir, stateDir] = [join(home.folder, 'out', 'config'), join(home.folder, 'out', 'state')];
    const clock = createClock();
    const credentials = createCredentials({
      ...{ configDir, stateDir, clock },
      chosen: () => Promise.resolve(undefined),
    });
    let isOver = false;
    for (let at = 2; !isOver; at += 5) {
      let left = at;
      await shared.end();
      const database = shared.open();
      const killed: Database = {
        ...database,
        rows: async (...asked) => {
          if ((left -= 1) === 0) throw new Error('killed');
          return database.rows(...asked);
        },
      };
      const within = { database: killed, vault: testVault(), clock };
      isOver = await moveOut(within, { stateDir, credentials, profiles: [] }).then(
        () => true,
        (error: unknown) => {
          expect((error as Error).message).toBe('killed');
          return false;
        },
      );
    }
    expect(await everythingAt(stateDir)).toEqual(before);
    home.close();
  });

  const refused = async (home: PayingHome, line: string) =>
    oneError(await home.run([...line.split(' '), '--json'], await inDatabase(home, shared)));

  it('stops before anything where a row is damaged and where a run goes on', async () => {
    const home = paid.whole.copy();
    const stateDir = join(home.folder, 'state');
    await atHome(stateDir, ({ journal }) => write(journal, runRecord(), prepared('e1'), sending('e1')));
    for (const [file, table, column] of [
      ...([
        ['state', 'intent', 'profile'],
        ['state', 'intent', 'ending'],
      ] as const),
      ...([
        ['state', 'open_write', 'mark'],
        ['state', 'resource', 'record'],
      ] as const),
      ...([
        ['state', 'conversation', 'record'],
        ['log', 'record', 'record'],
        ['log', 'usage', 'record'],
      ] as const),
    ]) {
      const row = `FROM ${table} ORDER BY rowid DESC LIMIT 1`;
      const [before] = rowsIn(stateDir, file, `SELECT rowid AS number, ${column} AS its ${row}`);
      const damage = column === 'profile' ? 'evil' : Buffer.from('{"uses":[{}]}');
      const plant = `UPDATE ${table} SET ${column} = ?1 WHERE rowid = ?2`;
      plantInto(stateDir, file, plant, [damage, before?.['number'] ?? null]);
      const { code, detail } = await refused(home, 'state import');
      expect(code, table).toBe('STATE_UNREADABLE');
      expect(detail, table).toContain(`${file}.db: ${table} `);
      plantInto(stateDir, file, plant, [before?.['its'] ?? null, before?.['number'] ?? null]);
    }
    const { identity, end } = livingProcess();
    const at = new Date().toISOString();
    const run = (which: string) => `${at.replace(/[-:.]/g, '')}-${which.repeat(12)}`;
    await atHome(
      stateDir,
      ({ journal }) => journal.append({ ...runRecord(), at, pid: identity.pid } as JournalRecord),
      { run: run('a') },
    );
    expect(await refused(home, 'state import')).toMatchObject({
      code: 'LOCK_BUSY',
      detail: expect.stringContaining(run('a')) as string,
    });
    await atHome(stateDir, ({ journal }) => journal.append({ type: 'ended', at, exit: 0 }), {
      run: run('a'),
    });
    const own = { run: run('b'), processInfo: identity };
    await atHome(
      stateDir,
      ({ journal }) => write(journal, { ...runRecord(), pid: identity.pid } as JournalRecord, prepared('e1')),
      own,
    );
    expect(await refused(home, 'state import')).toMatchObject({
      code: 'LOCK_BUSY',
      detail: expect.stringContaining(run('b')) as string,
    });
    await end();
    const { kinds } = JSON.parse(
      (await home.run(['state', 'status', '--json'], await inDatabase(home, shared))).stdout,
    ) as { kinds: { count: number }[] };
    expect(kinds.every(({ count }) => count === 0)).toBe(true);
    await moved(home, shared, 'state import');
    home.close();
  });

  it('leaves a folder with another state as it is, and waits for whoever is connected', async () => {
    const home = paid.whole.copy();
    await moved(home, shared, 'state import');
    for (const [at, [file, table]] of (
      [
        ...([
          ['state', 'intent'],
          ['state', 'resource'],
          ['state', 'conversation'],
        ] as const),
        ...([
          ['log', 'record'],
          ['log', 'run'],
        ] as const),
      ] as const
    ).entries()) {
      const to = `out${String(at)}`;
      await moved(home, shared, `state export --to ${to}`);
      const stateDir = join(home.folder, to, 'state');
      const change =
        table === 'run'
          ? `profile = 'evil'`
          : `record = CAST(json_set(CAST(record AS TEXT), '$.more', 1) AS BLOB)`;
      plantInto(stateDir, file, `UPDATE ${table} SET ${change} WHERE rowid = 1`);
      const { code, detail } = await refused(home, `state export --to ${to}`);
      expect(code, table).toBe('INPUT_INVALID');
      expect(detail, table).toContain(`${file}.db: ${table} `);
    }
    const other = shared.open();
    await other.rows('SELECT 1');
    expect((await refused(home, 'state export --to elsewhere')).code).toBe('LOCK_BUSY');
    await shared.end();
    home.close();
  });
});
