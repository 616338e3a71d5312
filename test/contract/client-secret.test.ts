// A server of OAuth2 that knows the TPP by a client_secret, as those with registration at a portal do (RFC 6749 section 2.3.1).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runInside } from '../helpers/inside.ts';
import { typedBank } from '../helpers/typed-bank.ts';
import type { RunningBank } from '../helpers/typed-bank.ts';

const secret = 'k9-portal+secret/42';
const home = mkdtempSync(join(tmpdir(), 'obk-client-secret-'));
const banks: RunningBank[] = [];
afterAll(async () => {
  await Promise.all(banks.map((bank) => bank.close()));
  rmSync(home, { recursive: true, force: true });
});
const env = {
  ...process.env,
  OBK_CONFIG_DIR: join(home, 'config'),
  OBK_STATE_DIR: join(home, 'state'),
  PORTAL: secret,
};
const obk = (...line: string[]) => runInside([...line, '--no-input'], { env, cwd: home, input: '' });

/** Starts such a bank, with a profile of its file. */
async function profileAt(name: string, token: object = {}): Promise<RunningBank> {
  const bank = await typedBank(({ path, body, headers }) => {
    if (path.startsWith('/token'))
      return new URLSearchParams(body).get('client_secret') === secret
        ? [200, { access_token: 'app', token_type: 'bearer' }]
        : [401, { error: 'invalid_client', error_description: `I was sent ${body}` }];
    return headers['authorization'] === 'Bearer app' ? [200, { accounts: [] }] : [401, {}];
  });
  banks.push(bank);
  const origin = `http://127.0.0.1:${String(bank.port)}`;
  const auth = { mode: 'clientCredentials', clientId: 'config', tokenUrl: `${origin}/token`, token };
  writeFileSync(join(home, `${name}.json`), JSON.stringify({ auth, signing: { mode: 'none' } }));
  const made = await obk(
    ...['profile', 'create', name, '--bank', `${name}.json`, '--base-url', origin, '--environment', 'test'],
    ...[
      '--oauth-client-id',
      'portal-7',
      '--psu-ip',
      '192.0.2.7',
      '--redirect-uri',
      'https://tpp.example/back',
    ],
  );
  expect(made.code, made.stderr).toBe(0);
  return bank;
}

const list = (name: string, ...flags: string[]) =>
  obk('api', 'getAccountList', '-H', 'Consent-ID: c', '--profile', name, ...flags);
const set = (name: string, reference: string) =>
  obk('config', 'set', 'oauth.clientSecretFrom', reference, '--profile', name);

describe('the setting oauth.clientSecretFrom', () => {
  it.each([
    ['form', {}],
    ['query', { placement: 'query' }],
  ])(
    'puts the secret in the form, with the other parameters in the %s, and no record has it',
    async (place, token) => {
      const name = `in-${place}`;
      const bank = await profileAt(name, token);
      const refused = await list(name);
      expect(refused.code).toBe(4);
      expect(refused.stderr).toContain(
        `obk config set oauth.clientSecretFrom env:CLIENT_SECRET --profile ${name} `,
      );
      expect((await set(name, 'env:PORTAL')).code).toBe(0);
      const trace = join(home, `${name}.har`);
      const { code, stdout, stderr } = await list(name, '-vvv', '--trace', trace);
      expect(code, stderr).toBe(0);
      expect(bank.asked.map(({ path }) => path).join()).not.toMatch(/secret/);
      const log = await obk('log', 'list', '--json');
      for (const told of [stdout, stderr, readFileSync(trace, 'utf8'), log.stdout]) {
        expect(told).not.toContain(secret);
        expect(told).not.toContain(encodeURIComponent(secret));
      }
    },
  );

  it('keeps the secret from a server that repeats what it was sent', async () => {
    await profileAt('wrong');
    const other = { ...env, PORTAL: 'another-0ne' };
    await set('wrong', 'env:PORTAL');
    const { code, stdout, stderr } = await runInside(
      ['api', 'getAccountList', '-H', 'Consent-ID: c', '--profile', 'wrong', '--no-input', '-vvv'],
      { env: other, cwd: home, input: '' },
    );
    expect(code).toBe(4);
    expect(stdout + stderr).toContain('I was sent');
    expect(stdout + stderr).not.toContain('another-0ne');
  });

  it('is a setting for an operator only, who cannot be asked for it, and no other profile inherits it', async () => {
    await profileAt('own');
    expect((await set('own', 'prompt')).code).toBe(2);
    expect((await set('own', 'k9-portal')).stderr).not.toContain('k9-portal');
    expect((await set('own', 'env:PORTAL')).code).toBe(0);
    writeFileSync(join(home, 'file.json'), JSON.stringify({ oauth: { clientSecretFrom: 'env:PORTAL' } }));
    expect((await obk('profile', 'create', 'taken', '--bank', 'file.json')).stderr).toContain(
      'refers to something',
    );
    expect((await obk('profile', 'create', 'child', '--extends', 'own')).code).toBe(0);
    expect((await obk('profile', 'show', 'child', '--json')).stdout).not.toContain('PORTAL');
    expect((await obk('profile', 'show', 'own', '--json')).stdout).toContain('env:PORTAL');
  });
});
