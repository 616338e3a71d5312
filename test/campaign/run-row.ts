import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CampaignTask, TrialReport } from '../helpers/trials.ts';
import type { Row } from './rows.ts';

/** What a row gave: how many trials, what was counted, and each way in which the promise did not hold. */
export interface RowResult {
  trials: number;
  figures: readonly string[];
  violations: readonly string[];
  seconds: number;
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

const project = resolve(import.meta.dirname, '../..');

/**
 * Runs the tests of a row with as many trials in the project of a folder (this one, unless told otherwise). A row whose tests
 * told nothing, or told it of fewer trials, is a violation: it proves nothing.
 */
export async function runRow(row: Row, trials: number, seed: number, root = project): Promise<RowResult> {
  const folder = mkdtempSync(join(tmpdir(), 'obk-campaign-'));
  const task: CampaignTask = { row: row.id, trials, seed, report: join(folder, 'told.ndjson') };
  const json = join(folder, 'vitest.json');
  const started = performance.now();
  try {
    const output = await vitest(root, row.tests, json, task);
    const told = reports(task.report);
    const done = told.reduce((sum, report) => sum + report.trials, 0);
    const violations = failures(json, output);
    if (violations.length === 0 && done < trials)
      violations.push(`only ${String(done)} of ${String(trials)} ${row.unit} were tried`);
    return {
      trials: done,
      figures: told.map(({ figure }) => figure),
      violations,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function vitest(root: string, tests: readonly string[], json: string, task: CampaignTask): Promise<string> {
  return new Promise((done) => {
    const program = join(root, 'node_modules/vitest/vitest.mjs');
    const reporters = ['--reporter=json', `--outputFile.json=${json}`, '--reporter=dot'];
    const child = spawn(process.execPath, [program, 'run', ...tests, ...reporters, '--testTimeout=0'], {
      cwd: root,
      env: { ...process.env, OBK_TEST_CAMPAIGN: JSON.stringify(task) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('close', () => {
      done(output);
    });
  });
}

function reports(file: string): TrialReport[] {
  return read(file)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TrialReport);
}

/** Each failed test in its first lines; what broke without one, as the runner printed it. */
function failures(json: string, output: string): string[] {
  const text = read(json);
  if (text === '') return [`the tests did not run: ${output}`];
  return (JSON.parse(text) as VitestReport).testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0) return file.status === 'failed' ? [`${file.name}: ${file.message}`] : [];
    return failed.map(
      ({ fullName, failureMessages }) =>
        `${fullName}: ${failureMessages.join('\n').split('\n').slice(0, 12).join('\n')}`,
    );
  });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
