import { afterAll, describe, expect, it } from 'vitest';
import { insideOf } from '../../../../helpers/inside.ts';
import { createObk, shop } from '../../../../helpers/obk.ts';

const obk = createObk({});
const inside = insideOf(obk);
afterAll(() => {
  obk.close();
});

const pay = ['payment', 'init', ...shop, '--amount', '1.00', '--json'];
const elsewhere = 'https://u:canary@acme.example/psd2';

describe('an address at the built-in bank', () => {
  it.each<[string, string[], Record<string, string>, readonly string[]]>([
    ['by the flag, no profile', ['--base-url', elsewhere], {}, ['--base-url']],
    ['by the flag', ['--base-url', elsewhere, '--profile', 'sandbox'], {}, ['--base-url']],
    ['by the flag, OBK_PROFILE', ['--base-url', elsewhere], { OBK_PROFILE: 'sandbox' }, ['--base-url']],
    [
      'by the flag, a named bank',
      ['--base-url', elsewhere, '--profile', 'sandbox@default'],
      {},
      ['--base-url'],
    ],
    ['by the variable', ['--profile', 'sandbox'], { OBK_BASE_URL: elsewhere }, ['OBK_BASE_URL']],
    [
      'by the variable, OBK_PROFILE',
      [],
      { OBK_BASE_URL: elsewhere, OBK_PROFILE: 'sandbox' },
      ['OBK_BASE_URL'],
    ],
    [
      'by both',
      ['--base-url', elsewhere, '--profile', 'sandbox'],
      { OBK_BASE_URL: elsewhere },
      ['--base-url', 'OBK_BASE_URL'],
    ],
  ])('is exit 2 before anything is sent: %s', async (_, flags, env, names) => {
    for (const work of [pay, ['accounts', 'list'], ['whoami']]) {
      if (work[0] === 'whoami' && flags.includes('--base-url')) continue;
      const { code, stdout, stderr } = await inside.run([...work, ...flags, '--no-input'], { env });
      expect([code, stdout], stderr).toEqual([2, '']);
      for (const name of [...names, '--profile']) expect(stderr).toContain(name);
      expect(stderr).not.toContain('canary');
    }
    expect(await inside.json(['payment', 'list', '--profile', 'sandbox'])).toEqual([]);
  });

  it('is exit 3 in the variable where no profile is named', async () => {
    const { code, stderr } = await inside.run(pay, { env: { OBK_BASE_URL: elsewhere } });
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('OBK_BASE_URL');
  });
});

it.each([
  [{ OBK_CERT: 'c.pem' }, 'The built-in bank does not use OBK_CERT.'],
  [
    { OBK_CERT: 'c.pem', OBK_KEY: 'k.pem', OBK_CACERT: 'a.pem', OBK_TOKEN: 'canary-token' },
    'The built-in bank does not use OBK_CERT, OBK_KEY, OBK_CACERT, OBK_TOKEN.',
  ],
  [
    { OBK_TLS_CERT: 'c.pem', OBK_TLS_KEY_PASSPHRASE_FROM: 'env:P' },
    'OBK_TLS_CERT, OBK_TLS_KEY_PASSPHRASE_FROM.',
  ],
  [{ OBK_VERSION: 'v136' }, 'OBK_VERSION: the built-in bank is called in v136.'],
  [{ OBK_VERSION: 'v136', OBK_KEY: 'k.pem' }, 'does not use OBK_KEY. OBK_VERSION:'],
])('variables of a connection are one notice at the built-in bank: %j', async (env, notice) => {
  const { code, stderr } = await inside.run([...pay, '--profile', 'sandbox', '--dry-run'], { env });
  expect(code, stderr).toBe(0);
  expect(stderr.split('\n').filter((text) => text.includes('built-in bank'))).toEqual([
    expect.stringContaining(notice),
  ]);
  expect(stderr).not.toContain('canary');
  const quiet = await inside.run([...pay, '--profile', 'sandbox', '--dry-run'], { env: {} });
  expect(quiet.stderr).not.toContain('built-in bank');
});
