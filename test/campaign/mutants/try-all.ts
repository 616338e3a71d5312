import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameOf } from './places.ts';
import type { Mutant } from './places.ts';
import { plantAll, reachedIn } from './planted-copy.ts';

/** What became of one mutant: `gone` has no place any more, `unreached` no test that comes by. */
export interface Tried {
  mutant: Mutant;
  end: 'found' | 'survived' | 'unreached' | 'gone';
  /** The first test that failed, or how many test files passed. */
  word: string;
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    startTime: number;
    endTime: number;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

/** What reads the sources themselves, and no mutant can be found by. */
const left = [
  '--exclude=test/architecture.test.ts',
  '--exclude=test/browser/**',
  '--exclude=test/campaign/**',
];

/** The tests that run in one process come first: most mutants are found there, and the others are few. */
const layers = [['--project=unit', '--project=contract'], ['--project=e2e']];

/** Tries each mutant with the tests that reach its place, the quick ones first, and gives each result as soon as it is known. */
export async function* tryAll(mutants: readonly Mutant[], most = 25): AsyncGenerator<Tried | string> {
  const folder = mkdtempSync(join(tmpdir(), 'obk-mutants-'));
  try {
    const gone = plantAll(folder, mutants);
    for (const mutant of gone) yield { mutant, end: 'gone', word: 'its place is not there any more' };
    await node(folder, ['build.mjs']);
    let open = mutants.filter((mutant) => !gone.includes(mutant)).map(unreached);
    for (const layer of layers) {
      const next: Tried[] = [];
      for await (const one of tryLayer(folder, layer, open, most)) {
        if (typeof one !== 'string' && one.end !== 'found') next.push(one);
        else yield one;
      }
      open = next;
    }
    yield* open;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const unreached = (mutant: Mutant): Tried => ({ mutant, end: 'unreached', word: 'no test comes by' });

async function* tryLayer(
  folder: string,
  layer: readonly string[],
  before: readonly Tried[],
  most: number,
): AsyncGenerator<Tried | string> {
  const reached = mkdtempSync(join(folder, 'reached-'));
  const all = await vitest(folder, layer, { OBK_TEST_MUTANT_REACHED: reached });
  const broken = new Map(all.flatMap(({ file, failed }) => (failed === undefined ? [] : [[file, failed]])));
  const leftOut = [...broken].map(([file, title]) => `${file} (${title})`).join(', ');
  yield `${layer.join(' ')}: ${String(all.length)} test files without a mutant; ${String(broken.size)} fail in the copy and are left out: ${leftOut}`;
  const tests = reachedIn(reached);
  const seconds = new Map(all.map(({ file, time }) => [file, time]));
  for (const earlier of before) {
    const files = (tests.get(nameOf(earlier.mutant)) ?? [])
      .filter((file) => seconds.has(file) && !broken.has(file))
      .sort((a, b) => (seconds.get(a) ?? 0) - (seconds.get(b) ?? 0));
    yield files.length === 0 ? earlier : await tried(folder, earlier.mutant, files.slice(0, most));
  }
}

async function tried(folder: string, mutant: Mutant, files: readonly string[]): Promise<Tried> {
  for (const some of [files.slice(0, 5), files.slice(5)]) {
    if (some.length === 0) continue;
    const ran = await vitest(folder, some, { OBK_TEST_MUTANT: nameOf(mutant) });
    const failed = ran.find((one) => one.failed !== undefined);
    if (failed !== undefined || ran.length === 0)
      return { mutant, end: 'found', word: failed?.failed ?? 'the tests did not run to their end' };
  }
  return { mutant, end: 'survived', word: `${String(files.length)} test files passed` };
}

interface Ran {
  file: string;
  time: number;
  failed?: string;
}

/** Runs test files in the copy; empty where the run did not come to its end, as with a mutant that never ends. */
async function vitest(folder: string, files: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran[]> {
  const json = join(folder, 'vitest.json');
  rmSync(json, { force: true });
  const alive = env['OBK_TEST_MUTANT'] !== undefined;
  const program = join(folder, 'node_modules/vitest/vitest.mjs');
  const options = ['--reporter=json', `--outputFile.json=${json}`, ...left];
  await node(
    folder,
    [program, 'run', ...files, ...options, ...(alive ? ['--bail=1', '--testTimeout=30000'] : [])],
    env,
    alive ? 600_000 : 1_800_000,
  );
  if (!existsSync(json)) return [];
  const { testResults } = JSON.parse(readFileSync(json, 'utf8')) as VitestReport;
  return testResults.map(({ name, status, startTime, endTime, assertionResults }) => {
    const first = assertionResults.find((one) => one.status === 'failed')?.fullName;
    const failed = first ?? (status === 'failed' ? 'the file did not load' : undefined);
    const file = name.slice(folder.length + 1);
    return { file, time: endTime - startTime, ...(failed === undefined ? {} : { failed }) };
  });
}

function node(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  most = 120_000,
): Promise<void> {
  return new Promise((done, failed) => {
    const { OBK_TEST_CAMPAIGN: _, ...usual } = process.env;
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...usual, ...env },
      stdio: 'ignore',
      detached: true,
    });
    // Its workers end with it.
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), most);
    child.once('error', failed);
    child.once('close', () => {
      clearTimeout(timer);
      done();
    });
  });
}
