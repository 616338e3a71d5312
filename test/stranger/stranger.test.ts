import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyProject, project } from '../campaign/copy.ts';
import { trials } from '../helpers/trials.ts';

const nobody = '65534';
// A campaign of its own: within `npm test` it would start itself.
const row = trials('stranger', 0);

interface Report {
  testResults: { assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[];
}

it('the README works for a stranger who is not root', { timeout: row.timeout(0) }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'obk-stranger-'));
  try {
    // Whoever it is done as must come through; what he works in is his own.
    chmodSync(folder, 0o755);
    const repository = committed(folder);
    for (let trial = 0; trial < row.count; trial += 1) {
      const work = join(folder, String(trial));
      mkdirSync(work);
      const as = process.getuid?.() === 0 ? [nobody] : [];
      const { status, stdout } = await stranger([repository, work, ...as]);
      const tests = testsOf(join(work, 'report.json'));
      const named = (wanted: string) => tests.filter((test) => test.status === wanted);
      const failed = named('failed').map(({ fullName, failureMessages }) =>
        [fullName, ...failureMessages].join('\n'),
      );
      expect({ status, failed }, failed[0] ?? stdout.slice(-1000)).toEqual({ status: 0, failed: [] });
      expect(named('passed').length).toBeGreaterThan(5_000);
      row.report(`${named('passed').length} tests passed as ${as[0] ?? 'oneself'}`, 1);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function stranger(args: readonly string[]): Promise<{ status: unknown; stdout: string }> {
  return new Promise((done) => {
    execFile(join(project, '.ci/stranger'), args, { maxBuffer: 2 ** 28 }, (error, stdout) => {
      done({ status: error === null ? 0 : error.code, stdout });
    });
  });
}

/** What stands here, committed or not, as the one commit of a new repository. */
function committed(folder: string): string {
  const repository = join(folder, 'repository');
  copyProject(repository);
  const author = ['-c', 'user.name=Stranger', '-c', 'user.email=stranger@example.com'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...author, 'commit', '-q', '-m', 'What stands here'],
  ])
    expect(spawnSync('git', ['-C', repository, ...args]).status, args.join(' ')).toBe(0);
  return repository;
}

function testsOf(file: string) {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as Report).testResults.flatMap(
      (one) => one.assertionResults,
    );
  } catch {
    return [];
  }
}
