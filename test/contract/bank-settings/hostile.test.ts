import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInside } from '../../helpers/inside.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-hostile-'));
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
const obk = (...line: string[]) => runInside(line, { env, cwd: home, input: '' });
const file = (name: string, settings: unknown) => {
  writeFileSync(join(home, name), typeof settings === 'string' ? settings : JSON.stringify(settings));
  return `./${name}`;
};
let made = 0;

/** A profile of the operator's own bank with a file of a stranger. */
async function taken(settings: unknown, ...flags: string[]) {
  made += 1;
  const bank = file(`stranger-${String(made)}.json`, settings);
  const own = ['--base-url', 'https://api.bank.example', '--environment', 'test', '--signing', 'none'];
  return obk('profile', 'create', `h${String(made)}`, ...own, '--bank', bank, '--no-input', ...flags);
}

describe('a bank file from a stranger', () => {
  it.each<[string, object]>([
    ['the address of a service', { urls: { perService: { pis: 'https://evil.example' } } }],
    ['a base URL', { baseUrl: 'https://evil.example' }],
    ['an origin of links', { origins: ['https://evil.example'] }],
    ['the metadata of OAuth', { oauth: { metadata: 'https://evil.example/m' } }],
    ['an issuer', { oauth: { issuer: 'https://evil.example' } }],
    ['the address of tokens', { auth: { tokenUrl: 'https://evil.example/token' } }],
    ['the address of a login', { auth: { authorizeUrl: 'https://evil.example/login' } }],
    ['a host by a variable', { urls: { perService: { ais: 'https://{x}.evil.example' } } }],
    [
      'where the PSU returns to',
      {
        headers: {
          rules: [{ name: 'TPP-Redirect-URI', action: 'default', value: 'https://evil.example/back' }],
        },
      },
    ],
    ['weak keys', { tls: { ciphers: 'DEFAULT@SECLEVEL=1' } }],
  ])('sends nothing elsewhere by %s unless the operator agrees', async (_, settings) => {
    const asked = await taken(settings);
    expect(asked.code, asked.stdout).toBe(2);
    expect(asked.stderr).toContain('--trust-bank');
    expect(asked.stderr).toMatch(/evil\.example|1024 bits/);
    expect((await taken(settings, '--trust-bank')).code).toBe(0);
  });

  it.each<[string, object]>([
    ['ends a header', { headers: { rules: [{ name: 'X-A', action: 'default', value: 'a\r\nX-B: c' }] } }],
    ['names a header over lines', { headers: { rules: [{ name: 'X-A\r\nX-B', action: 'forbid' }] } }],
    [
      'makes the headers that obk makes',
      { headers: { rules: [{ name: 'Authorization', action: 'default', value: 'x' }] } },
    ],
    ['shows the token in a header of the standard', { auth: { tokenHeader: 'PSU-ID' } }],
    ['ends the header Accept', { headers: { accept: { getAccountList: 'a/b\r\nX: y' } } }],
    ['leaves the path', { spec: { operations: { getAccountList: { path: '/../admin' } } } }],
    ['adds a query to a path', { spec: { operations: { getAccountList: { path: '/a?x=1' } } } }],
    [
      'names another host in a path',
      { spec: { operations: { getAccountList: { path: '//evil.example' } } } },
    ],
    ['makes a read of a payment', { spec: { operations: { initiatePayment: { method: 'GET' } } } }],
    ['makes a write of a read', { spec: { operations: { getAccountList: { method: 'DELETE' } } } }],
    [
      'calls a payment that was taken refused',
      { errors: { statusMeaning: { initiatePayment: { 201: 'refused' } } } },
    ],
    ['says what a 500 means', { errors: { statusMeaning: { initiatePayment: { 500: 'refused' } } } }],
    ['pays somebody else', { payments: { enums: { '/creditorAccount/iban': { DE1: 'DE2' } } } }],
    [
      'fills in who is paid',
      { payments: { requiredFields: [{ field: '/creditorAccount/iban', default: 'DE2' }] } },
    ],
    [
      'renames something to the amount',
      { payments: { rename: { '/ultimateCreditor': 'instructedAmount' } } },
    ],
    ['steers the terminal', { meta: { name: 'x\u001b[2J' } }],
    ['makes the state of a login', { auth: { authorize: { add: { state: 'x' } } } }],
    ['sends the code elsewhere', { auth: { authorize: { add: { redirect_uri: 'https://evil.example' } } } }],
    [
      'sends the code elsewhere in the words of the bank',
      { auth: { authorize: { add: { redirectUri: 'https://evil.example' } } } },
    ],
    [
      'puts its scope in the place of the redirect URI',
      {
        auth: {
          scope: { ais: 'https://evil.example' },
          authorize: { rename: { scope: 'redirect_uri', redirect_uri: 'x' } },
        },
      },
    ],
    [
      'puts the state in the place of another',
      { auth: { authorize: { rename: { state: 'codeChallenge' } } } },
    ],
    ['gives two parameters one name', { auth: { token: { rename: { scope: 'x', client_id: 'x' } } } }],
    ['adds what it renames', { auth: { token: { rename: { scope: 'x' }, add: { x: 'y' } } } }],
    [
      'makes a write of a read by a header',
      { headers: { rules: [{ name: 'X-HTTP-Method-Override', action: 'default', value: 'DELETE' }] } },
    ],
    [
      'leads a call elsewhere by a header',
      { headers: { rules: [{ name: 'X-Original-URL', action: 'default', value: '/admin' }] } },
    ],
    ['weakens ciphers', { tls: { ciphers: 'NULL' } }],
    ['asks for TLS 1.0', { tls: { minVersion: 'TLSv1' } }],
    ['reads a file', { certificate: '/etc/passwd' }],
    ['extends a file elsewhere', { meta: { extends: '../other.json' } }],
    ['has a setting that there is not', { decode: { everything: true } }],
    ['brings a program', { sca: { strategy: 'x' } }],
  ])('is refused where it %s', async (_, settings) => {
    const { code, stderr } = await taken(settings, '--trust-bank');
    expect(code, stderr).toBe(3);
    const lint = await obk('bank', 'lint', `./stranger-${String(made)}.json`, '--json');
    expect(lint.code, lint.stdout).toBe(10);
  });

  it.each<[string, string, RegExp]>([
    ['a prototype', '{"__proto__": {"requestIdSemantics": "replay"}}', /__proto__/],
    ['a prototype within', '{"consent": {"__proto__": {"none": true}}}', /__proto__/],
    ['a constructor', '{"constructor": {"prototype": {"none": true}}}', /constructor/],
    ['no end of lists', `{"why": ${'['.repeat(5000)}${']'.repeat(5000)}}`, /./],
    ['no end of maps', `{"consent": ${'{"why":'.repeat(5000)}1${'}'.repeat(5000)}}`, /./],
    ['no end of lists in YAML', `why: ${'['.repeat(5000)}${']'.repeat(5000)}`, /./],
    [
      'a bomb of aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map(
          (name, at) =>
            `${name}: &${name} [${Array(9)
              .fill(`*${'abcdefghi'[at] ?? ''}`)
              .join(',')}]`,
        )
        .join('\n')}`,
      /./,
    ],
    ['a megabyte and more', JSON.stringify({ why: 'x'.repeat(1_100_000) }), /larger/],
    [
      'two thousand names',
      JSON.stringify(Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`s${String(at)}`, 1]))),
      /and 1980 more|There is no such setting/,
    ],
    ['bytes that are no text', '\u0000\u0001', /./],
  ])('is refused with %s, and nothing hangs or breaks', async (_, text, says) => {
    for (const name of ['odd.json', 'odd.yaml']) {
      file(name, text);
      for (const line of [
        ['bank', 'lint', `./${name}`],
        ['bank', 'show', `./${name}`],
        ['bank', 'diff', `./${name}`, 'fiducia'],
      ]) {
        const begun = performance.now();
        const { code, stderr, stdout } = await obk(...line);
        expect([3, 10], line.join(' ') + stderr).toContain(code);
        expect(stderr + stdout).toMatch(says);
        expect(stderr).not.toContain('INTERNAL');
        expect(performance.now() - begun).toBeLessThan(5_000);
      }
    }
    expect(({} as Record<string, unknown>)['requestIdSemantics']).toBeUndefined();
  });

  it('does not read files of this machine', async () => {
    for (const valueFrom of ['env:HOME', 'file:/etc/passwd', 'cmd:/bin/id', 'keyring:x']) {
      const rules = [{ name: 'X-Key', action: 'default', valueFrom }];
      expect((await taken({ headers: { rules } })).stderr).toContain('refers to something of this machine');
    }
  });

  it('extends another one beside it, in no circle and not without end', async () => {
    file('base.json', { headers: { psuId: { first: 10 } }, why: 'a group of banks' });
    file('one.json', {
      meta: { extends: 'base.json' },
      consent: { recurringOnly: true, why: 'says the portal' },
    });
    const shown = await obk('bank', 'show', './one.json', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      headers: { psuId: { first: 10 } },
      consent: { recurringOnly: true, why: 'says the portal' },
    });
    file('x.json', { meta: { extends: 'y.json' } });
    file('y.json', { meta: { extends: 'x.json' } });
    const circle = await obk('bank', 'show', './x.json');
    expect(circle).toMatchObject({ code: 3 });
    expect(circle.stderr).toContain('extends itself');
    for (let at = 0; at < 12; at += 1)
      file(`deep${String(at)}.json`, { meta: { extends: `deep${String(at + 1)}.json` } });
    expect((await obk('bank', 'show', './deep0.json')).stderr).toContain('more than 8');
  });

  it('shows its difference from another bank', async () => {
    file('a.json', { consent: { recurringOnly: true } });
    file('b.json', { consent: { recurringOnly: false }, ais: { withBalance: false } });
    const { stdout } = await obk('bank', 'diff', './a.json', './b.json', '--json');
    expect(JSON.parse(stdout)).toEqual([
      { key: 'ais.withBalance', a: null, b: false },
      { key: 'consent.recurringOnly', a: true, b: false },
    ]);
  });
});
