import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runInside } from '../../../../helpers/inside.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-lint-'));
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
const lint = (what: string, input = '') =>
  runInside(['bank', 'lint', what, '--json'], { env, cwd: home, input });

it('judges a file with what it extends, from a file and from stdin', async () => {
  const signing = { headers: ['digest', 'x-request-id', 'date'] };
  writeFileSync(join(home, 'parent.json'), JSON.stringify({ signing }));
  const headers = { rules: [{ name: 'Date', action: 'forbid' }] };
  writeFileSync(join(home, 'alone.json'), JSON.stringify({ headers }));
  writeFileSync(join(home, 'child.json'), JSON.stringify({ meta: { extends: 'parent.json' }, headers }));
  expect((await lint('alone.json')).code).toBe(0);
  expect((await lint('parent.json')).code).toBe(0);
  const child = await lint('child.json');
  expect(child.code, child.stdout).toBe(10);
  expect(child.stdout).toContain('headers.rules[0]');
  const fromTemplate = await lint('-', JSON.stringify({ meta: { extends: 'db-group' } }));
  expect(fromTemplate.code, fromTemplate.stderr).toBe(0);
  const alone = await lint('-', JSON.stringify({ meta: { extends: 'missing-bank' } }));
  expect(alone.code).not.toBe(0);
});
