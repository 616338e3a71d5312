// What flags do that is more than to set the value of their row.
import { mkdtempSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInside } from '../../../../helpers/inside.ts';
import { oneError } from '../../../../helpers/one-error.ts';

let env: NodeJS.ProcessEnv;
let home: string;
const obk = (...args: string[]) => runInside([...args, '--json', '--no-input'], { env, cwd: home });
const saved = async () =>
  JSON.parse((await obk('profile', 'show', 'acme')).stdout) as Record<string, unknown>;

beforeEach(async () => {
  home = mkdtempSync(join(homedir(), 'obk-flags-'));
  env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
  const start = ['--base-url', 'https://bank.example', '--environment', 'test', '--signing', 'none'];
  const made = await obk('profile', 'create', 'acme', ...start, '--psu-ip', '192.0.2.1');
  expect(made.code, made.stderr).toBe(0);
});

describe('a flag of a profile', () => {
  it('--allow-http no takes the permission away', async () => {
    await obk('profile', 'edit', 'acme', '--allow-http', 'yes');
    expect(await saved()).toMatchObject({ allowHttp: true });
    await obk('profile', 'edit', 'acme', '--allow-http', 'no');
    expect(await saved()).not.toHaveProperty('allowHttp');
  });

  it('--psu-password-algorithm is refused without the key of the bank', async () => {
    const refused = await obk('profile', 'edit', 'acme', '--psu-password-algorithm', 'RSA-OAEP');
    expect([refused.code, oneError(refused).title]).toEqual([2, '--psu-password-algorithm needs a key.']);
  });

  const consent = ['consent', 'create', '--profile', 'acme', '--available-accounts', '--dry-run'];

  it('that is empty in a run takes the preference of the profile away', async () => {
    await obk('profile', 'edit', 'acme', '--redirect', 'yes');
    expect((await obk(...consent)).stdout).toContain('TPP-Redirect-Preferred');
    const without = await obk(...consent, '--redirect', '');
    expect([without.code, without.stdout.includes('TPP-Redirect-Preferred')]).toEqual([0, false]);
  });

  it('is named with a word that it takes where a bank requires its header', async () => {
    await obk('profile', 'edit', 'acme', '--header-rule', 'require TPP-Redirect-Preferred on createConsent');
    const refused = await obk(...consent);
    expect([refused.code, oneError(refused).hint]).toEqual([
      3,
      expect.arrayContaining(['obk profile edit acme --redirect yes']),
    ]);
  });
});
