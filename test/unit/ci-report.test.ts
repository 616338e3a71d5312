import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'obk-ci-report-'));
const report = join(folder, 'report.json');
const vitest = `import { afterAll, beforeAll, describe, expect, it } from 'vitest';\n`;

const planted = {
  'fails.test.ts': `${vitest}
    it('passes', () => {});
    describe('the sum', () => it('is wrong', () => expect({ sum: 2 }).toEqual({ sum: 3 })));
    it('never ends', { timeout: 50 }, () => new Promise(() => {}));
    it.skip('is not wanted', () => {});`,
  'hook.test.ts': `${vitest}
    describe('a scene', () => { beforeAll(() => { throw new Error('no scene'); }); it('plays', () => {}); });`,
  'hook-after.test.ts': `${vitest}
    afterAll(() => { throw new Error('not put back'); }); it('ran well', () => {});`,
  'unread.test.ts': `import './nowhere.ts';`,
  'loose.test.ts': `${vitest}
    it('drops a promise', () => { void Promise.reject(new Error('nobody waited')); });`,
};

beforeAll(() => {
  mkdirSync(join(folder, 'test'));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(planted)) writeFileSync(join(folder, 'test', name), text);
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `import { fileReport } from ${JSON.stringify(join(project, 'test/helpers/report.ts'))};
     export default { test: { reporters: [fileReport(${JSON.stringify(report)})] } };`,
  );
  node(join(project, 'node_modules/vitest/vitest.mjs'), 'run');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function node(...args: readonly string[]) {
  const { status, stdout } = spawnSync(process.execPath, args, {
    ...{ cwd: folder, encoding: 'utf8', timeout: 20_000 },
  });
  return { status, stdout };
}
const read = (...args: readonly string[]) => node(join(project, '.ci/report.mjs'), ...args);

it('the last lines of a run of CI show what failed, where and why', () => {
  const { status, stdout } = read('sum', report, 'none', 'lint');
  expect(status).toBe(1);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.at(-1)).toBe('3 passed, 8 failed');
  const after = (line: string) => {
    const at = lines.indexOf(line);
    expect(at, `${line}\nin\n${stdout}`).toBeGreaterThanOrEqual(0);
    const end = lines.findIndex((other, index) => index > at && !other.startsWith('    '));
    return lines.slice(at + 1, end).join('\n');
  };
  const wrong = after('FAILED in the first run: test/fails.test.ts > the sum > is wrong');
  expect(wrong).toContain('to deeply equal');
  expect(wrong).toContain('test/fails.test.ts:4:');
  expect(wrong).toContain('-   "sum": 3');
  expect(after('FAILED in the first run: test/fails.test.ts > never ends')).toContain('timed out in 50ms');
  const broken = 'the file or a hook in it';
  expect(after(`FAILED in the first run: test/hook.test.ts > ${broken}`)).toContain('no scene');
  expect(after(`FAILED in the first run: test/hook-after.test.ts > ${broken}`)).toContain('not put back');
  expect(after(`FAILED in the first run: test/unread.test.ts > ${broken}`)).toContain('./nowhere.ts');
  expect(after('outside of any test in the first run:')).toContain('nobody waited');
  expect(lines).toContain('FAILED: lint, without a failed test: what it printed stands above');
  expect(lines).toContain('FAILED, because it was skipped: is not wanted');
});

it('a test that fails in the second run is reported as well, and passed tests are not counted twice', () => {
  const lines = read('sum', report, report).stdout.trimEnd().split('\n');
  expect(lines).toContain('FAILED in the second run: test/fails.test.ts > never ends');
  expect(lines.at(-1)).toBe('3 passed, 12 failed');
});

it('the files in which something was left out are named for the second run', () => {
  expect(read('skipped', report).stdout.trimEnd().split('\n').sort()).toEqual([
    'test/fails.test.ts',
    'test/hook.test.ts',
  ]);
});
