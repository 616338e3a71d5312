import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultExclude, defineConfig } from 'vitest/config';
import { bound } from './test/helpers/bound.ts';
import { fileReport } from './test/helpers/report.ts';

/** Each write of obk waits for the disk; homes of tests are in memory where there is room for them and programs may run. */
function temporary(): string {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    const options = / \/dev\/shm tmpfs (\S+)/.exec(readFileSync('/proc/mounts', 'utf8'))?.[1] ?? 'noexec';
    if (bavail * bsize >= 2 ** 30 && options.startsWith('rw') && !options.includes('noexec')) return memory;
  } catch {
    // Not a Linux.
  }
  return tmpdir();
}

interface Run {
  id: string;
  /** For what fresh homes would make again and again: compiled code, read sources, and the keys of banks. */
  folder: string;
}

/** Vitest reads this file once for all and once for each room: all of them have one folder, and one server of PostgreSQL. */
const runs = globalThis as { obkTestRun?: Run };
const run = (runs.obkTestRun ??= begin());

function begin(): Run {
  const folder = mkdtempSync(join(temporary(), 'obk-run-'));
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // A bank that outlives its test by seconds still writes there.
    }
  });
  return { id: `${String(process.pid)}-${String(Date.now())}`, folder };
}

function folderOfRun(name: string): string {
  const folder = join(run.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** What has no smaller size that proves anything: `npm run campaign` alone runs it. */
const fullOnly = process.env['OBK_TEST_CAMPAIGN'] === undefined ? ['**/*.full.test.ts'] : [];

const room = (name: string, ...include: string[]) => ({
  extends: true as const,
  test: { name, include, exclude: [...defaultExclude, ...fullOnly] },
});

const report = process.env['OBK_TEST_REPORT'];

export default defineConfig({
  test: {
    // Beside what is printed, a report as JSON in this file: .ci/run reads in it what was skipped and what failed.
    reporters: report === undefined ? ['default'] : ['default', fileReport(report)],
    env: {
      TMPDIR: temporary(),
      NODE_COMPILE_CACHE: folderOfRun('compiled'),
      OBK_TEST_KEYS: folderOfRun('keys'),
      OBK_TEST_RUN: run.id,
    },
    setupFiles: ['test/helpers/setup.ts'],
    // A run of obk that hangs is told by `test/helpers/bound.ts`, which knows how busy the machine is; this is for all else.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is asked for again until it holds may take as long on a busy machine as any other step.
    expect: { poll: { timeout: bound() } },
    // Processes, not threads: a test owns its environment and time zone. Three on two cores, because half of the time
    // goes into waiting for banks, shells and browsers. The files of a room follow each other in the same processes:
    // loading the sources anew for each would be a third of the time.
    pool: 'forks',
    // The rooms share what they load of the sources.
    experimental: { fsModuleCache: true, fsModuleCachePath: folderOfRun('modules') },
    isolate: false,
    maxWorkers: 3,
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
    projects: [
      room('unit', 'test/unit/**/*.test.ts', 'test/cases/*.test.ts', 'test/architecture.test.ts'),
      room('contract', 'test/contract/**/*.test.ts'),
      room('e2e', 'test/e2e/**/*.test.ts'),
      room('campaign', 'test/campaign/**/*.test.ts'),
      room('browser', 'test/browser/**/*.test.ts'),
      // It runs `npm test` itself, in the environment that npm was given: a row of the campaign alone starts it.
      ...(process.env['OBK_TEST_CAMPAIGN'] === undefined
        ? []
        : [{ test: { name: 'stranger', include: ['test/stranger/*.test.ts'] } }]),
    ],
  },
});
