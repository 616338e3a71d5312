// The state of a home as those see it who keep it: made, counted, examined, and saved from a damaged file.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checksOfHome } from '../../../../src/adapters/sqlite/home-checks.ts';
import { homeStore } from '../../../../src/adapters/sqlite/home-store.ts';
import { plainCodec } from '../../../../src/adapters/sqlite/plain-codec.ts';
import { contentTags } from '../../../../src/client/state/tables.ts';
import { freshHome, intent } from '../../../helpers/adapter-homes.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { stateAtHome } from '../../../helpers/file-store.ts';
import { prepared, runRecord, sending, write } from '../../../helpers/journal-records.ts';
import { opened, plantInto, rowsIn } from '../../../helpers/state-file.ts';
import { filled, run } from './filled.ts';

const storeOf = (stateDir: string) => homeStore({ stateDir, env: {}, clock: fakeClock() });
const hashOf = (number: number) => String(number).padStart(2, '0').repeat(32);
const sqlite3 = (...words: string[]) =>
  spawnSync('sqlite3', words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const hasSqlite3 = sqlite3('--version').status === 0;

/** A home with several payments that have left, each with its record in the log. */
async function paid(count: number): Promise<string> {
  const { stateDir } = freshHome();
  const home = stateAtHome({ stateDir, clock: fakeClock(), run });
  await write(home.journal, runRecord());
  for (let number = 0; number < count; number += 1) {
    const hash = hashOf(number);
    await home.intents.claim(intent({ run, hash, fingerprint: hash }));
    await write(
      home.journal,
      prepared(`e${String(number)}`, { intent: hash }),
      sending(`e${String(number)}`),
    );
  }
  await home.close();
  return stateDir;
}

describe('the state of a home', () => {
  it('is made once, and describes itself', async () => {
    const { stateDir } = freshHome();
    const store = storeOf(stateDir);
    expect(await store.contents()).toMatchObject({ schemaVersion: 0, bytes: 0 });
    await expect(store.migrate()).rejects.toMatchObject({ code: 'STATE_UNREADABLE' });
    expect(existsSync(stateDir)).toBe(false);
    expect(await store.make('')).toMatchObject({ store: 'files', place: stateDir, before: 0, after: 1 });
    expect(await store.make('')).toMatchObject({ before: 1, after: 1, statements: [] });
    expect(await store.migrate()).toMatchObject({ before: 1, after: 1 });
    expect(readdirSync(stateDir).filter((name) => name.endsWith('.db'))).toEqual(['log.db', 'state.db']);
    for (const name of ['state.db', 'log.db'])
      expect(statSync(join(stateDir, name)).mode & 0o777).toBe(0o600);
  });

  it('shows how much of each kind it has, of whom, and what is unknown', async () => {
    const stateDir = await filled();
    const before = readFileSync(join(stateDir, 'state.db'));
    const { kinds, ...rest } = await storeOf(stateDir).contents();
    expect(rest).toMatchObject({
      ...{ store: 'files', place: stateDir, schema: null, schemaVersion: 1, supportedVersion: 1 },
      ...{ profiles: ['acme'], keys: [], sessions: [], unknown: { count: 1, oldest: { run } } },
    });
    expect(rest.engine).toMatch(/^SQLite 3\.\d+\.\d+$/);
    expect(rest.bytes).toBeGreaterThan(before.length);
    expect(Object.fromEntries(kinds.map(({ kind, count }) => [kind, count]))).toEqual({
      ...{ intents: 1, 'open writes': 1, resources: 1, authorisations: 0 },
      ...{ runs: 1, 'records of the journal': 3, 'counts of calls': 1 },
    });
    expect(readFileSync(join(stateDir, 'state.db'))).toEqual(before);
  });
});

describe('the checks of a home', () => {
  const checks = async (stateDir: string, typeOf?: () => number) =>
    (await checksOfHome({ stateDir, env: {}, ...(typeOf && { typeOf }) }))
      .filter(({ state }) => state !== 'ok')
      .map(({ check, state }) => [check, state]);

  it('pass for an unused home, and make nothing', async () => {
    const { stateDir } = freshHome();
    expect(await checks(stateDir)).toEqual([]);
    expect(existsSync(stateDir)).toBe(false);
  });

  it('name a file that others may change, a damaged one, and a disk that is not fit', async () => {
    const stateDir = await filled();
    expect(await checks(stateDir)).toEqual([]);
    expect(await checks(stateDir, () => 0x6969)).toEqual([['disk', 'fail']]);
    expect(await checks(stateDir, () => 0x1234)).toEqual([['disk', 'warn']]);
    chmodSync(join(stateDir, 'state.db'), 0o622);
    expect(await checks(stateDir)).toEqual([['state.db', 'fail']]);
    chmodSync(join(stateDir, 'state.db'), 0o600);
    writeFileSync(join(stateDir, 'log.db'), 'no database, but a text of some length\n'.repeat(300));
    expect(await checks(stateDir)).toEqual([['log.db', 'fail']]);
  });

  it('name payments that are missing', async () => {
    const stateDir = await paid(2);
    renameSync(join(stateDir, 'state.db'), join(stateDir, 'gone'));
    expect(await checks(stateDir)).toEqual([['payments', 'fail']]);
  });

  it('name a payment that somebody has removed, also where the log was begun anew', async () => {
    const stateDir = await paid(3);
    plantInto(stateDir, 'state', 'DELETE FROM intent WHERE hash = ?1', [hashOf(1)]);
    expect(await checks(stateDir)).toEqual([['payments', 'fail']]);
    // A log that is begun anew takes over how many there were.
    for (const end of ['', '-wal', '-shm']) rmSync(join(stateDir, `log.db${end}`), { force: true });
    writeFileSync(join(stateDir, 'log.db'), 'no database, but a text of some length\n'.repeat(300));
    const home = stateAtHome({ stateDir, clock: fakeClock(), run: `${run}2` });
    await home.journal.read(run);
    expect(await home.intents.missing()).toBe(1);
    await home.close();
  });
});

describe.skipIf(!hasSqlite3)('a damaged state', () => {
  const made: ReturnType<typeof stateAtHome>[] = [];
  afterEach(async () => {
    for (const one of made.splice(0)) await one.close();
  });
  const open = (stateDir: string) => {
    const home = stateAtHome({ stateDir, clock: fakeClock(), run: `${run}2` });
    made.push(home);
    return home;
  };

  /** As the documentation shows it; there are programs `sqlite3` that cannot recover. */
  function recovered(stateDir: string): string {
    const file = join(dirname(stateDir), 'recovered.db');
    const saved = sqlite3(join(stateDir, 'state.db'), '.recover');
    const sql =
      saved.status === 0
        ? saved.stdout
        : sqlite3(join(stateDir, 'state.db'), '.dump').stdout.replace(/^ROLLBACK;.*/m, 'COMMIT;');
    execFileSync('sqlite3', [file], { input: sql });
    for (const end of ['', '-wal', '-shm'])
      if (existsSync(join(stateDir, `state.db${end}`)))
        renameSync(join(stateDir, `state.db${end}`), join(stateDir, `state.db.damaged${end}`));
    return file;
  }

  it('is repaired completely where nothing was lost', async () => {
    const stateDir = await paid(5);
    const file = recovered(stateDir);
    expect(await storeOf(stateDir).takeRecovered(file)).toMatchObject([
      { kind: 'intents', moved: 5 },
      { kind: 'open writes', moved: 5 },
      { kind: 'resources', moved: 0 },
      { kind: 'authorisations', moved: 0 },
    ]);
    const home = open(stateDir);
    expect(await home.intents.missing()).toBe(0);
    expect(await home.intents.find(hashOf(3))).toMatchObject({ run });
    expect(await home.journal.openWrites()).toHaveLength(5);
    expect((await storeOf(stateDir).verify()).ok).toBe(true);
    expect(readdirSync(stateDir).filter((name) => name.startsWith('.recovered'))).toEqual([]);
    expect(statSync(join(stateDir, 'state.db')).mode & 0o777).toBe(0o600);
  });

  it('asks about what was not repaired, and keeps a damaged payment in the way of its key', async () => {
    const stateDir = await paid(40);
    plantInto(stateDir, 'state', "UPDATE intent SET state = 'claimed' WHERE hash = ?1", [hashOf(7)]);
    const at = opened(stateDir, 'state');
    at.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    at.close();
    // One leaf of the table of payments is overwritten.
    const bytes = readFileSync(join(stateDir, 'state.db'));
    // 13 is the first byte of a leaf of a table (https://sqlite.org/fileformat2.html#b_tree_pages).
    const pages = Array.from({ length: bytes.length / 4096 }, (_, at) => at * 4096);
    const [tag] = contentTags(plainCodec, 'acme', hashOf(20));
    const page = pages.find(
      (at) => bytes[at] === 13 && bytes.subarray(at, at + 4096).includes(Buffer.from(tag)),
    );
    if (page === undefined) throw new Error('no leaf has it');
    bytes.fill(0xff, page, page + 4096);
    writeFileSync(join(stateDir, 'state.db'), bytes);
    const file = recovered(stateDir);
    const [intents] = await storeOf(stateDir).takeRecovered(file);
    expect(intents?.moved).toBeLessThan(40);
    expect(intents?.note).toContain('1 are damaged');
    const home = open(stateDir);
    expect(await home.intents.missing()).toBe(40 - (intents?.moved ?? 0));
    await expect(home.intents.find(hashOf(7))).rejects.toMatchObject({ code: 'STATE_UNREADABLE' });
    // The journal still names each that is missing.
    const asked = (await home.intents.broken('')).filter(({ hash }) => hash !== hashOf(7));
    expect(asked).toHaveLength(40 - (intents?.moved ?? 0));
  });

  it('counts what was begun by itself where the log is gone, too', async () => {
    const stateDir = await paid(6);
    const at = opened(stateDir, 'state');
    at.exec('DELETE FROM intent WHERE rowid = 2; PRAGMA wal_checkpoint(TRUNCATE)');
    at.close();
    const file = recovered(stateDir);
    for (const end of ['', '-wal', '-shm'])
      if (existsSync(join(stateDir, `log.db${end}`)))
        renameSync(join(stateDir, `log.db${end}`), `${file}.log${end}`);
    await storeOf(stateDir).takeRecovered(file);
    expect(await open(stateDir).intents.missing()).toBe(1);
    expect(rowsIn(stateDir, 'log', 'SELECT number FROM claims_seen')).toEqual([{ number: 6n }]);
  });

  it('is restored neither over another one nor from a file without one', async () => {
    const stateDir = await filled();
    const other = join(dirname(stateDir), 'other.db');
    execFileSync('sqlite3', [other, 'CREATE TABLE x (y); INSERT INTO x VALUES (1)']);
    const text = join(dirname(stateDir), 'text');
    writeFileSync(text, 'no database, but a text of some length\n'.repeat(300));
    const { stateDir: fresh } = freshHome();
    for (const [folder, file] of [
      [stateDir, join(stateDir, 'state.db')],
      [fresh, other],
      [fresh, text],
      [fresh, join(fresh, 'none')],
    ] as const)
      await expect(storeOf(folder).takeRecovered(file)).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        exit: 2,
      });
    expect(existsSync(join(fresh, 'state.db'))).toBe(false);
  });
});
