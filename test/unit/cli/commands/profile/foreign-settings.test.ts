import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakePerson } from '../../../../helpers/fakes/index.ts';
import { runInside } from '../../../../helpers/inside.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-foreign-'));
const env = {
  ...process.env,
  OBK_CONFIG_DIR: join(home, 'config'),
  OBK_STATE_DIR: join(home, 'state'),
  VICTIM: 'c4n4ry',
};
const obk = (line: readonly string[], ports = {}) => runInside(line, { env, cwd: home, ports });
const file = (name: string, content: unknown) => {
  writeFileSync(join(home, name), JSON.stringify(content));
  return name;
};

const seen: string[] = [];
const server = createServer((request, response) => {
  seen.push(JSON.stringify(request.headers));
  response.end('{}');
});
let baseUrl = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.close();
});

const planted = (name: string) => join(home, name);
const rule = (valueFrom: string) => [{ name: 'X-Key', action: 'default', valueFrom }];
const references = [
  ['a program', () => `cmd:touch ${planted('ran')}`],
  ['a file', () => `file:${planted('secret')}`],
  ['a variable', () => 'env:VICTIM'],
  ['the keyring', () => 'keyring:bank'],
] as const;

describe('the file of a bank', () => {
  it.each(references)('is refused where it refers to %s', async (_, reference) => {
    const bank = file('bank.json', { baseUrl, headers: { rules: rule(reference()) } });
    for (const line of [
      ['profile', 'create', 'evil', '--bank', bank, '--signing', 'none'],
      ['profile', 'edit', 'evil', '--bank', bank],
    ]) {
      const { code, stdout, stderr } = await obk([...line, '--json']);
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      const { error } = JSON.parse(stderr) as { error: { code: string; title: string; hint: string[] } };
      expect(error).toMatchObject({ code: 'SECRET_REFERENCE' });
      expect(error.title).toContain('headers.rules[0].valueFrom');
      expect(error.hint[0]).toContain('--header-rule');
      expect(error.hint[0]).toContain('default X-Key from REFERENCE');
    }
    expect((await obk(['profile', 'show', 'evil'])).code).toBe(3);
    expect(existsSync(planted('ran'))).toBe(false);
  });

  it.each([
    ['signer', { signer: 'cmd:/bin/true' }],
    ['keyPassphraseFrom', { keyPassphraseFrom: 'cmd:true' }],
    ['tlsKeyPassphraseFrom', { tlsKeyPassphraseFrom: 'env:VICTIM' }],
    ['psu.passwordFrom', { psu: { passwordFrom: 'file:/etc/hostname' } }],
    ['oauth.clientSecretFrom', { oauth: { clientSecretFrom: 'cmd:true' } }],
  ])('is refused where it has %s', async (setting, settings) => {
    const bank = file('bank.json', { baseUrl, ...settings });
    const { code, stderr } = await obk(['profile', 'create', 'evil', '--bank', bank, '--signing', 'none']);
    expect(code).toBe(3);
    expect(stderr).toContain(setting);
    const lint = await obk(['bank', 'lint', bank, '--json']);
    expect(lint.code).toBe(10);
    expect(lint.stdout).toContain(`{"setting":"${setting}","severity":"error"`);
  });

  it('is judged by bank lint, which repeats no reference', async () => {
    const bank = file('bank.json', { headers: { rules: rule('cmd:c4n4ry') } });
    const { code, stdout } = await obk(['bank', 'lint', bank, '--json']);
    expect(code).toBe(10);
    expect(stdout).toContain('headers.rules[0].valueFrom');
    expect(stdout).not.toContain('c4n4ry');
  });

  it('goes together with a rule of the operator, which comes first', async () => {
    const bank = file('bank.json', { baseUrl, headers: { rules: [{ name: 'X-Key', action: 'require' }] } });
    const own = ['--header-rule', 'default X-Key from env:VICTIM'];
    const { code, stderr } = await obk([
      'profile',
      'create',
      'good',
      '--bank',
      bank,
      '--signing',
      'none',
      ...own,
    ]);
    expect(code, stderr).toBe(0);
    await obk(['api', 'getAccountList', '-H', 'Consent-ID: c', '--profile', 'good']);
    expect(seen.join()).toContain('"x-key":"c4n4ry"');
  });
});

describe('an imported profile', () => {
  const exported = (settings: object) =>
    file('away.json', { obkProfile: 1, name: 'away', settings: { baseUrl, ...settings } });

  it.each([
    ['headers.rules', { headers: { rules: rule('cmd:id') } }, 'header X-Key from cmd:id'],
    ['signer', { signer: 'cmd:/bin/true' }, 'signer from cmd:/bin/true'],
    ['a passphrase', { keyPassphraseFrom: 'cmd:id' }, 'keyPassphraseFrom from cmd:id'],
    ['a password', { psu: { passwordFrom: 'env:VICTIM' } }, 'psu.passwordFrom from env:VICTIM'],
  ])('is not taken with %s unless that is trusted', async (_, settings, shown) => {
    const refused = await obk(['profile', 'import', exported(settings)]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(shown);
    expect(refused.stderr).toContain('--trust-references');
    expect((await obk(['profile', 'show', 'away'])).code).toBe(3);
    const trusted = await obk(['profile', 'import', exported(settings), '--trust-references', '--force']);
    expect(trusted.code, trusted.stderr).toBe(0);
    await obk(['profile', 'delete', 'away']);
  });

  it('is asked about what it takes over from a profile of here', async () => {
    await obk(['profile', 'create', 'own', '--base-url', baseUrl, '--signing', 'none']);
    await obk(['profile', 'edit', 'own', '--key-passphrase-from', 'cmd:id']);
    const { code, stderr } = await obk(['profile', 'import', exported({ extends: 'own' })]);
    expect(code).toBe(2);
    expect(stderr).toContain('keyPassphraseFrom from cmd:id');
  });

  it('is taken or left as a person says, who sees every reference', async () => {
    const settings = { headers: { rules: rule('cmd:id\n✓ fake') }, signer: 'cmd:/bin/true' };
    const asked: string[] = [];
    const person = (agrees: boolean) => ({
      ...fakePerson({ present: true }),
      confirm: (question: { text: string }) => {
        asked.push(question.text);
        return Promise.resolve(agrees);
      },
    });
    expect((await obk(['profile', 'import', exported(settings)], { person: person(false) })).code).toBe(2);
    expect((await obk(['profile', 'show', 'away'])).code).toBe(3);
    expect((await obk(['profile', 'import', exported(settings)], { person: person(true) })).code).toBe(0);
    expect(asked[0]).toContain('header X-Key from cmd:id⏎✓ fake');
    expect(asked[0]).toContain('signer from cmd:/bin/true');
  });
});

describe('a secret on the command line of obk api', () => {
  it.each([
    ['-f', 'psuData.password=c4n4ry'],
    ['-F', 'scaAuthenticationData=c4n4ry'],
    ['-f', 'client_secret=c4n4ry'],
    ['-H', 'X-IBM-Client-Secret: c4n4ry'],
    ['-H', 'Ocp-Apim-Subscription-Key: c4n4ry'],
  ])('%s %s is refused, and not repeated', async (flag, text) => {
    const { code, stderr } = await obk(['api', 'createConsent', flag, text, '--profile', 'good']);
    expect(code).toBe(2);
    expect(stderr).toContain('never the value of a flag');
    expect(stderr).not.toContain('c4n4ry');
  });
});
