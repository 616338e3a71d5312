// A log that is damaged: it may be lost, so a command moves it aside, says so, and goes on.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { homeEngines } from '../../../../src/adapters/sqlite/home-state.ts';
import { claimsSeen, records, select } from '../../../../src/client/state/tables.ts';
import { freshHome, intent } from '../../../helpers/adapter-homes.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { stateAtHome } from '../../../helpers/file-store.ts';
import { prepared, resolved, runRecord, write } from '../../../helpers/journal-records.ts';
import { spawnTask } from '../../../helpers/spawn-adapter.ts';
import { copyOf, rowsIn } from '../../../helpers/state-file.ts';
import { damages, filled, run } from './filled.ts';

const warnings: string[] = [];
const warn = (line: string) => void warnings.push(line);
const open = (stateDir: string, its = run) => stateAtHome({ stateDir, clock: fakeClock(), run: its, warn });
const moved = (stateDir: string) =>
  readdirSync(stateDir).filter((name) => /^log\.db\.damaged-\d{8}T\d{9}Z$/.test(name));
afterEach(() => void warnings.splice(0));

type Home = ReturnType<typeof open>;

/** What may meet the damage first. */
const wishes: [string, (home: Home) => Promise<unknown>][] = [
  ['a look at a run', (home) => home.journal.read(run)],
  [
    'a list of runs',
    async (home) => {
      for await (const one of await home.journal.runs()) expect(one).toBeUndefined();
    },
  ],
  ['a record', (home) => write(home.journal, runRecord())],
  ['a count', (home) => home.usage.update('acme', () => [{ at: 2, what: 'y' }])],
  [
    'a claim',
    (home) => home.intents.claim(intent({ run, hash: 'b'.repeat(64), fingerprint: 'f'.repeat(64) })),
  ],
  ['the number of missing payments', (home) => home.intents.missing()],
];

describe.each(damages)('a log that is %s', (_case, damage) => {
  it.each(wishes)('is moved aside, reported once, and begun anew by %s', async (_wish, wish) => {
    const stateDir = await filled();
    const path = join(stateDir, 'log.db');
    damage(path);
    const before = readFileSync(path);
    const state = readFileSync(join(stateDir, 'state.db'));
    const home = open(stateDir);
    await wish(home);
    const [aside = '', ...others] = moved(stateDir);
    expect(others).toEqual([]);
    expect(readFileSync(join(stateDir, aside))).toEqual(before);
    expect(statSync(join(stateDir, aside)).mode & 0o777).toBe(0o600);
    expect(warnings).toEqual([expect.stringContaining(join(stateDir, aside))]);
    // The state is what it was, and the log works.
    await write(home.journal, runRecord(), prepared('e2', { write: false }));
    expect((await home.journal.read(run)).map(({ type }) => type)).toContain('prepared');
    expect(await home.intents.find(intent().hash)).toBeDefined();
    expect(await home.journal.openWrites()).toHaveLength(1);
    await home.close();
    if (_wish !== 'a claim') expect(readFileSync(join(stateDir, 'state.db'))).toEqual(state);
    expect(existsSync(`${path}.lock`)).toBe(false);
    await open(stateDir).journal.read(run);
    expect(moved(stateDir)).toEqual([aside]);
    expect(warnings).toHaveLength(1);
  });
});

it('a damaged log takes its write-ahead log along: nothing of it gets into the new one', async () => {
  const { stateDir, configDir } = freshHome();
  mkdirSync(join(stateDir, '..'), { recursive: true });
  const { child, ended } = spawnTask('held', { stateDir, configDir, file: '' });
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  // Whoever has it open trusts the pages of that log.
  const path = join(stateDir, 'log.db');
  const wal = readFileSync(`${path}-wal`);
  writeFileSync(`${path}-wal`, wal.fill(0x5a, 64), { flag: 'r+' });
  const home = open(stateDir);
  expect(await home.journal.read(run)).toEqual([]);
  await home.usage.update('acme', () => [{ at: 2, what: 'new' }]);
  const [aside = ''] = moved(stateDir);
  expect(readFileSync(join(stateDir, `${aside}-wal`))).toEqual(wal);
  await home.close();
  child.kill('SIGKILL');
  await ended;
  expect((await open(stateDir).usage.read('acme')).map(({ what }) => what)).toEqual(['new']);
});

it('a damaged log reveals an older copy of the state, whose counts the new log has seen', async () => {
  const stateDir = await filled();
  truncateSync(join(stateDir, 'log.db'), 100);
  const home = open(stateDir);
  await home.journal.read(run);
  await home.close();
  expect(rowsIn(stateDir, 'log', select(claimsSeen, '').sql)).toEqual([{ id: 1n, number: 1n }]);
  const copy = copyOf(stateDir, freshHome().stateDir);
  rmSync(join(copy, 'state.db'));
  expect(await open(copy).intents.missing()).toBe(1);
});

it('a damaged log is replaced in the middle of a run, whose later records are in the new one', async () => {
  const stateDir = await filled();
  const home = open(stateDir, 'later');
  await write(home.journal, runRecord());
  await home.close();
  // What is left of a closed connection would mend the file.
  rowsIn(stateDir, 'log', 'PRAGMA wal_checkpoint(TRUNCATE)');
  writeFileSync(join(stateDir, 'log.db'), 'text');
  await write(home.journal, prepared('e2', { write: false }));
  await home.journal.resolve(run, resolved('e1'));
  expect((await home.journal.read('later')).map(({ type }) => type)).toEqual(['prepared']);
  await home.close();
});

it(
  'a damaged log is moved once by processes that notice it at once, and no record in the new one is lost',
  { timeout: 60_000 },
  async () => {
    const { stateDir, configDir } = freshHome();
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    for (let turn = 0; turn < 3; turn += 1) {
      writeFileSync(join(stateDir, 'log.db'), 'this is text\n'.repeat(5_000), { mode: 0o600 });
      const names = Array.from({ length: 5 }, (_, at) => `p${String(turn)}${String(at)}`);
      const file = join(stateDir, 'acknowledged');
      const ended = await Promise.all(
        names.map((name) => spawnTask('usage', { stateDir, configDir, file, name, count: 5 }).ended),
      );
      expect(ended.map(({ code, stdout, stderr }) => [code, stdout + stderr])).toEqual(
        names.map(() => [0, '']),
      );
      expect(moved(stateDir)).toHaveLength(turn + 1);
      const uses = (await open(stateDir).usage.read('acme')).map(({ what }) => what).sort();
      expect(uses).toEqual(
        names.flatMap((name) => [0, 1, 2, 3, 4].map((at) => `${name}-${String(at)}`)).sort(),
      );
    }
  },
);

it('a damaged log is not moved by a process that had the old one open: the new one is another file', async () => {
  const stateDir = await filled();
  const [one, other] = [open(stateDir), open(stateDir)];
  await other.journal.read(run);
  writeFileSync(join(stateDir, 'log.db'), 'text');
  await one.usage.update('acme', () => [{ at: 2, what: 'new' }]);
  await one.close();
  await other.usage.read('acme').catch(() => undefined);
  await other.close();
  expect(moved(stateDir)).toHaveLength(1);
  expect((await open(stateDir).usage.read('acme')).map(({ what }) => what)).toEqual(['new']);
});

it('a damaged log is refused, and stays, where it is moved to another engine', async () => {
  const stateDir = await filled();
  writeFileSync(join(stateDir, 'log.db'), 'text');
  const engines = homeEngines(stateDir);
  await expect(engines.log.rows(select(records, ''))).rejects.toMatchObject({
    code: 'STATE_UNREADABLE',
    exit: 3,
  });
  expect(moved(stateDir)).toEqual([]);
});

it('a damaged log is moved despite a lock that a dead process left while it moved the log', async () => {
  const stateDir = await filled();
  writeFileSync(join(stateDir, 'log.db.lock'), '');
  expect(await open(stateDir).journal.read(run)).toHaveLength(3);
  expect(existsSync(join(stateDir, 'log.db.lock'))).toBe(false);
  expect(moved(stateDir)).toEqual([]);
});
