// Stryker is no dependency of the project: it comes from the registry when its row runs, into a copy of the project.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyProject } from '../copy.ts';
import type { Subject } from './subjects.ts';

const packages = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/vitest-runner@9.6.1'];

/** A change that no test noticed. */
export interface Survivor {
  line: number;
  mutator: string;
  replacement: string;
}

/** What became of the changes of one file. */
export interface Mutated {
  file: string;
  changes: number;
  noticed: number;
  survivors: Survivor[];
}

interface Mutant {
  status: string;
  static?: boolean;
  testsCompleted?: number;
  mutatorName: string;
  replacement?: string;
  location: { start: { line: number } };
}

/** A copy of the project with Stryker in it. */
export interface Laboratory {
  mutate(subject: Subject): Promise<Mutated>;
  close(): void;
}

/** Makes it; throws with the words of npm where the registry does not give Stryker. */
export async function openLaboratory(): Promise<Laboratory> {
  const folder = mkdtempSync(join(tmpdir(), 'obk-mutants-'));
  copyProject(folder);
  const quiet = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...quiet, ...packages], folder);
  return {
    async mutate({ file, tests }) {
      write(folder, 'vitest.mutants.config.mjs', vitestConfig(tests));
      write(folder, 'stryker.config.json', JSON.stringify(strykerConfig(file)));
      const program = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
      await run(process.execPath, [program, 'run'], folder);
      const report = JSON.parse(readFileSync(join(folder, 'mutation.json'), 'utf8')) as {
        files: Record<string, { mutants: Mutant[] }>;
      };
      return tally(file, report.files[file]?.mutants ?? []);
    },
    close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where a file did not even load, no test of it ran: the runner calls that survived, and everybody would notice it. */
function tally(file: string, mutants: readonly Mutant[]): Mutated {
  const counted = mutants.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError');
  const survivors = counted
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .filter((one) => !(one.static === true && one.testsCompleted === 0))
    .map(({ mutatorName, replacement = '', location }) => ({
      ...{ line: location.start.line, mutator: mutatorName },
      replacement: replacement.replaceAll(/\s+/g, ' ').slice(0, 80),
    }));
  return { file, changes: counted.length, noticed: counted.length - survivors.length, survivors };
}

function strykerConfig(file: string): object {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutants.config.mjs', related: false },
    mutate: [file],
    reporters: ['json'],
    jsonReporter: { fileName: 'mutation.json' },
    ...{ inPlace: true, concurrency: 1, coverageAnalysis: 'perTest', allowEmpty: true },
  };
}

function vitestConfig(tests: readonly string[]): string {
  const test = { include: tests, setupFiles: ['test/helpers/setup.ts'] };
  return `export default { test: ${JSON.stringify(test)} };\n`;
}

function write(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((done, failed) => {
    // The tests of a mutant are those of `npm test`, in their small size.
    const { OBK_TEST_CAMPAIGN: _, ...env } = process.env;
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', failed);
    child.once('close', (code) => {
      if (code === 0) done();
      else failed(new Error(`${program} ${args.join(' ')} ended with ${String(code)}:\n${output}`));
    });
  });
}
