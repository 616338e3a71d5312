import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runInside } from '../../../../helpers/inside.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-debtor-'));
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
const obk = (...line: readonly string[]) => runInside([...line, '--json'], { env, cwd: home, input: '' });

it.each([
  'DE89 3704 0044 0532 0130 00',
  'DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000',
  'de89370400440532013000',
])('takes the debtor %j as pages of banks write it, and saves it without blanks', async (debtor) => {
  await obk(
    'profile',
    'create',
    'acme',
    '--base-url',
    'https://acme.example',
    '--environment',
    'test',
    '--signing',
    'none',
  );
  const set = await obk('config', 'set', 'debtor', debtor, '--profile', 'acme');
  expect(set.code, set.stderr).toBe(0);
  const shown = await obk('config', 'get', 'debtor', '--profile', 'acme');
  expect(shown.stdout).toContain('DE89370400440532013000');
});
