// What a process has been told is kept, whatever ends it and whoever writes beside it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { freshHome, intent } from '../../../helpers/adapter-homes.ts';
import { fakeClock, fakeIds } from '../../../helpers/fakes/index.ts';
import { fileJournal, fileStore } from '../../../helpers/file-store.ts';
import { spawnTask } from '../../../helpers/spawn-adapter.ts';
import { rowsIn } from '../../../helpers/state-file.ts';

type Home = ReturnType<typeof freshHome>;

function logOf({ configDir }: Home, name: string): string {
  const log = join(dirname(dirname(configDir)), name);
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, '');
  return log;
}

const linesOf = (log: string): string[] => readFileSync(log, 'utf8').split('\n').slice(0, -1);

/** What a task had acknowledged when it was killed. */
async function killed(task: string, home: Home, name: string, least: number): Promise<string[]> {
  const file = logOf(home, `log-${name}`);
  const { child, ended } = spawnTask(task, { ...home, file, name, count: 100_000 });
  await vi.waitUntil(() => linesOf(file).length > least, { timeout: 30_000, interval: 1 });
  child.kill('SIGKILL');
  expect(await ended).toMatchObject({ stdout: '', stderr: '' });
  return linesOf(file);
}

/** What of the acknowledged lines of a task is there. */
const kept: Readonly<Record<string, (home: Home, lines: readonly string[]) => Promise<readonly string[]>>> = {
  resources: async (home) =>
    (await fileStore({ ...home, clock: fakeClock() }).resources.list('acme', 'payment')).map(({ id }) => id),
  usage: async (home) =>
    (await fileStore({ ...home, clock: fakeClock() }).usage.read('acme')).map(({ what }) => what),
  journal: async ({ stateDir }, [first = '']) => {
    const run = first.replace('run ', '');
    const records = await fileJournal({ stateDir, clock: fakeClock(), ids: fakeIds() }).read(run);
    return [first, ...records.map((_, at) => String(at))];
  },
  writes: async ({ stateDir }, lines) => {
    const journal = fileJournal({ stateDir, clock: fakeClock(), ids: fakeIds() });
    const intents = lines.filter((line) => line.startsWith('intent ')).map((line) => line.slice(7));
    const found = await Promise.all(intents.map((hash) => journal.intents.find(hash)));
    const run = lines[0]?.replace('run ', '') ?? '';
    const sent = (await journal.read(run)).filter(({ type }) => type === 'sending');
    const open = (await journal.openWrites()).filter((write) => write.run === run);
    const exact = await Promise.all(open.map(({ exchange }) => journal.exact(run, exchange)));
    expect(exact.every((one) => one?.body.includes('"amount"'))).toBe(true);
    // What must never be lost is written first.
    expect(open.length - sent.length).toBeOneOf([0, 1]);
    return [
      `run ${run}`,
      ...found.flatMap((one) => (one === undefined ? [] : [`intent ${one.hash}`])),
      ...open.map(({ exchange }) => `write ${exchange}`),
    ];
  },
};

/** Both files pass the examination of SQLite itself. */
function expectWhole({ stateDir }: Home): void {
  for (const file of ['state', 'log'] as const)
    expect(rowsIn(stateDir, file, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
}

describe.each(Object.keys(kept))('%s that were acknowledged', (task) => {
  it('exist after kill -9, and more can be added', { timeout: 120_000 }, async () => {
    const home = freshHome();
    for (let round = 0; round < 3; round += 1) {
      const lines = await killed(task, home, `r${String(round)}`, 10 + round);
      expect(lines.length).toBeGreaterThan(10);
      const there = new Set(await kept[task]?.(home, lines));
      expect(lines.filter((line) => !there.has(line))).toEqual([]);
    }
    expectWhole(home);
  });

  it('exist after the disk was full', { timeout: 120_000 }, async () => {
    const home = freshHome();
    const file = logOf(home, 'log');
    // Blocks of 1,024 bytes: the tables are in, and some of the rows.
    const { ended } = spawnTask(task, { ...home, file, name: 'p', count: 5_000 }, '-f 300');
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    const path = join(home.stateDir, task === 'writes' || task === 'resources' ? 'state.db' : 'log.db');
    expect(JSON.parse(stdout)).toMatchObject({
      code: 'STATE_NOT_WRITTEN',
      exit: 3,
      detail: expect.stringContaining(path) as string,
    });
    const lines = linesOf(file);
    expect(lines.length).toBeGreaterThan(3);
    const there = new Set(await kept[task]?.(home, lines));
    expect(lines.filter((line) => !there.has(line))).toEqual([]);
    expectWhole(home);
    // With room again all goes on.
    const more = logOf(home, 'more');
    expect(await spawnTask(task, { ...home, file: more, name: 'q', count: 1 }).ended).toMatchObject({
      code: 0,
    });
    const then = new Set(await kept[task]?.(home, linesOf(more)));
    expect(linesOf(more).filter((line) => !then.has(line))).toEqual([]);
  });
});

describe('an intent wanted by several processes', () => {
  it.each([2, 4])(
    'is given to one of %s, and the others see that it lives',
    { timeout: 60_000 },
    async (count) => {
      const home = freshHome();
      const tasks = Array.from({ length: count }, () => spawnTask('claim', { ...home, file: '' }));
      const outputs = await Promise.all(
        tasks.map(
          ({ child }) =>
            new Promise<string>((resolve) =>
              child.stdout?.once('data', (data) => {
                resolve(String(data));
              }),
            ),
        ),
      );
      for (const { child } of tasks) child.stdin?.end();
      expect(outputs.sort()).toEqual(['claimed', ...Array.from({ length: count - 1 }, () => 'taken')]);
      for (const { ended } of tasks) expect(await ended).toMatchObject({ code: 0, stderr: '' });
      const late = spawnTask('claim', { ...home, file: '' });
      expect((await late.ended).stdout).toBe('orphaned');
      const journal = fileJournal({ stateDir: home.stateDir, clock: fakeClock(), ids: fakeIds() });
      expect(await journal.intents.named('')).toHaveLength(1);
      expect((await journal.intents.find(intent().hash))?.sent).toBe(false);
    },
  );
});
