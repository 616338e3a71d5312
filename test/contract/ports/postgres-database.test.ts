import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../src/adapters/postgres/database.ts';
import { migrate, roleStatements } from '../../../src/adapters/shared-state/state-store.ts';
import { schemaVersion } from '../../../src/adapters/postgres/schema.ts';
import { createClock } from '../../../src/adapters/system/system-clock.ts';
import { ObkError } from '../../../src/base/errors.ts';
import { Secret } from '../../../src/base/secret.ts';
import { failedWith } from '../../helpers/failed-with.ts';
import { hasPostgres, testDatabase } from '../../helpers/postgres.ts';

const shared = testDatabase();
const bare = testDatabase({ tables: false });

describe.skipIf(!hasPostgres())('the database in PostgreSQL', () => {
  beforeEach(() => {
    shared.empty();
  });
  afterEach(() => shared.end());

  it('is made once, by however many at a time, and describes itself before and after', async () => {
    const url = await bare.adminUrl();
    const all = Array.from({ length: 4 }, () =>
      createDatabase({ url: () => Promise.resolve(url), clock: createClock(), anySchema: true }),
    );
    const missing = createDatabase({ url: () => Promise.resolve(url), clock: createClock() });
    expect(await failedWith(missing.rows('SELECT 1'))).toMatchObject({ code: 'STATE_UNREADABLE', exit: 3 });
    const made = await Promise.all(all.map((one) => migrate(one)));
    expect(made.map(({ before }) => before).sort()).toEqual([0, ...Array<number>(3).fill(schemaVersion)]);
    expect(await missing.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await all[0]!.rows('INSERT INTO obk.migration (version) VALUES (9999)');
    const later = createDatabase({ url: () => Promise.resolve(url), clock: createClock() });
    expect(await failedWith(later.rows('SELECT 1'))).toMatchObject({ code: 'STATE_NEWER', exit: 3 });
    // Nor does one that makes tables touch them.
    expect(await failedWith(migrate(all[1]!))).toMatchObject({ code: 'STATE_NEWER', exit: 3 });
    for (const one of [...all, missing, later]) await one.close();
  });

  it('has its tables in the schema that is named, separate from any other', async () => {
    const url = await shared.adminUrl();
    const other = createDatabase({
      ...{ url: () => Promise.resolve(url), clock: createClock(), schema: 'team_b' },
    });
    expect(await failedWith(other.rows('SELECT 1'))).toMatchObject({ code: 'STATE_UNREADABLE', exit: 3 });
    const maker = createDatabase({
      ...{ url: () => Promise.resolve(url), clock: createClock(), schema: 'team_b', anySchema: true },
    });
    expect(await migrate(maker)).toEqual({ before: 0, after: schemaVersion });
    await other.rows("INSERT INTO run (run, profile, machine) VALUES ('one', 'acme', 'a')");
    expect(await shared.open().rows('SELECT run FROM run')).toEqual([]);
    for (const one of [other, maker]) await one.close();
    for (const schema of ['pg_obk', 'public', 'a"b', 'A', '1a', '', 'x'.repeat(64)])
      expect(() => createDatabase({ url: shared.url, clock: createClock(), schema })).toThrow('schema');
  });

  it('cannot be a schema that the role of obk may change', async () => {
    const database = shared.open();
    for (const statement of ['DROP TABLE obk.intent', 'CREATE TABLE obk.x ()', 'DELETE FROM obk.migration'])
      expect(await failedWith(database.rows(statement))).toMatchObject({
        code: 'STATE_NOT_WRITTEN',
        exit: 3,
        detail: expect.stringContaining('42501') as unknown,
      });
    for (const role of ['a"b', "a'; DROP SCHEMA obk", '', 'pg_monitor', 'x'.repeat(64)])
      expect(() => roleStatements(role, 'state', 'obk')).toThrow('no name for a role');
  });

  it('keeps one transaction from another, and joins what is asked within one', async () => {
    const database = shared.open();
    await (await shared.administer()).rows('CREATE TABLE IF NOT EXISTS public.word (word text)');
    await (await shared.administer()).rows('GRANT ALL ON public.word TO obk');
    const add = (word: string) => database.rows('INSERT INTO public.word VALUES ($1)', [word]);
    const words = async () =>
      (await database.rows<{ word: string }>('TABLE public.word')).map((row) => row.word);
    const failed = database.transaction(async () => {
      await add('one');
      expect(await database.transaction(words)).toEqual(['one']);
      throw new Error('over');
    });
    const kept = add('two');
    await expect(failed).rejects.toThrow('over');
    await kept;
    expect(await words()).toEqual(['two']);
  });

  it('does not report as durable what a failed statement has undone', async () => {
    const database = shared.open();
    const swallowed = database.transaction(async () => {
      await database.rows('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('the transaction had failed before');
    expect(await database.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('waits for the disk and keeps its limits in each transaction', async () => {
    const rows = await shared
      .open()
      .rows(
        "SELECT name, setting FROM pg_settings WHERE name IN ('synchronous_commit', 'statement_timeout', 'lock_timeout') ORDER BY 1",
      );
    expect(rows).toEqual([
      { name: 'lock_timeout', setting: '10000' },
      { name: 'statement_timeout', setting: '11000' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
  });

  it('is called anew after an administrator has ended the connection', async () => {
    const database = shared.open();
    const [row] = await database.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await (await shared.administer()).rows('SELECT pg_terminate_backend($1, 5000)', [row?.pid]);
    expect(await database.again(() => database.rows('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  });

  it('is asked again while it has no room, and this is reported when it lasts', async () => {
    const administrator = await shared.administer();
    // The role of obk is that of other tests too.
    const guest = `guest_${randomUUID().slice(0, 8)}`;
    await administrator.rows(`CREATE ROLE ${guest} LOGIN CONNECTION LIMIT 1 IN ROLE obk`);
    const url = async () => new Secret((await shared.adminUrl()).reveal().replace(/\/\/\w+@/, `//${guest}@`));
    const open = (patienceMs: number) => createDatabase({ url, clock: createClock(), patienceMs });
    const [first, impatient, patient] = [open(10_000), open(700), open(10_000)];
    await first.rows('SELECT 1');
    expect(await failedWith(impatient.rows('SELECT 1'))).toMatchObject({
      ...{ code: 'STATE_UNREACHABLE', exit: 3 },
      detail: expect.stringContaining('no room') as unknown,
    });
    const later = patient.rows('SELECT 1 AS one');
    await first.close();
    expect(await later).toEqual([{ one: 1 }]);
    await patient.close();
    await administrator.rows(`DROP ROLE ${guest}`);
  });

  it.each(['the run is interrupted', 'connect_timeout is over'])('is silent until %s', async (end) => {
    const interrupt = new AbortController();
    const isInterrupted = end === 'the run is interrupted';
    const silent = createServer(() => {
      if (isInterrupted) interrupt.abort(new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' }));
    });
    const folder = mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 's-'));
    await new Promise<void>((resolve) => silent.listen(join(folder, '.s.PGSQL.5432'), resolve));
    const limit = isInterrupted ? '' : '&connect_timeout=1';
    const url = new Secret(`postgres://me@/state?host=${folder}${limit}`);
    const { signal } = interrupt;
    const database = createDatabase({ url: () => Promise.resolve(url), clock: createClock(), signal });
    expect(await failedWith(database.rows('SELECT 1'))).toMatchObject(
      isInterrupted
        ? { code: 'INTERRUPTED' }
        : { code: 'STATE_UNREACHABLE', detail: expect.stringContaining('did not answer in time') as unknown },
    );
    silent.close();
  });

  it('keeps nobody waiting for a row once the run is interrupted', async () => {
    const holder = shared.open();
    const interrupt = new AbortController();
    const { signal } = interrupt;
    const waiter = createDatabase({ url: shared.url, clock: createClock(), signal });
    const lock = 'SELECT pg_advisory_xact_lock(1)';
    let asked: Promise<unknown> = Promise.resolve();
    await holder.transaction(async () => {
      await holder.rows(lock);
      asked = failedWith(waiter.rows(lock));
      const isWaiting = async () =>
        (await holder.rows("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).length;
      await expect.poll(isWaiting).toBe(1);
      interrupt.abort(new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' }));
      expect(await asked).toMatchObject({ code: 'INTERRUPTED' });
    });
    await waiter.close();
  });

  it('may be missing', async () => {
    const url = new Secret('postgres://me:sesame@/state?host=/nowhere');
    const database = createDatabase({ url: () => Promise.resolve(url), clock: createClock() });
    const error = await failedWith(database.rows('SELECT 1'));
    expect(error).toMatchObject({
      code: 'STATE_UNREACHABLE',
      exit: 3,
      detail: '/nowhere/state: there is no socket.',
    });
  });
});
