// Logging in, calling, refreshing and logging out with the tokens in a keyring, against the bank.
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createClock } from '../../../../../src/adapters/system/system-clock.ts';
import { startBank } from '../../../../helpers/bank.ts';
import type { TestBank } from '../../../../helpers/bank.ts';
import { fakeKeyring } from '../../../../helpers/fake-keyring.ts';
import type { FakeKeyring } from '../../../../helpers/fake-keyring.ts';
import { fileStore } from '../../../../helpers/file-store.ts';
import { runInside } from '../../../../helpers/inside.ts';

let bank: TestBank;
let keyring: FakeKeyring;
let folder: string;
let warnings: string[];

beforeAll(async () => {
  bank = await startBank();
  const client = { clientId: 'PSDDE-BAFIN-999999', redirectUris: ['https://tpp.example/cb'] };
  await bank.bank.addClient(client);
});
afterAll(() => bank.close());
beforeEach(async () => {
  folder = mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 'tokens-'));
  keyring = fakeKeyring();
  warnings = [];
  await json(
    'profile',
    'create',
    'acme',
    '--base-url',
    bank.baseUrl,
    '--environment',
    'sandbox',
    '--certificate',
    bank.certificatePath,
    '--key',
    bank.keyPath,
    '--psu-id',
    'oauth',
    '--redirect-uri',
    'https://tpp.example/cb',
    '--oauth-issuer',
    bank.baseUrl,
  );
});

function obk(args: readonly string[], more: Record<string, string> = {}) {
  const env = { ...process.env, OBK_CONFIG_DIR: folder, OBK_STATE_DIR: join(folder, 'state'), ...more };
  const store = fileStore({
    configDir: folder,
    stateDir: join(folder, 'state'),
    clock: createClock(),
    env,
    keyringModule: keyring.module,
    warn: (line) => warnings.push(line),
  });
  return runInside(args, { env, cwd: folder, ports: store });
}

async function json(...args: string[]) {
  const { code, stdout, stderr } = await obk([...args, '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const files = () =>
  ['credentials.json', 'credentials.json.bak']
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
const secrets = () => Object.values(keyring.entries());

async function logIn(): Promise<Record<string, unknown>> {
  const { url } = await json('auth', 'login');
  const { redirectedTo = '' } = bank.decide('approve', url as string, 'oauth');
  const back = await obk(['auth', 'login', '--return-url-from', 'env:BACK', '--json'], {
    BACK: redirectedTo,
  });
  expect(back.code, back.stderr).toBe(0);
  return JSON.parse(back.stdout) as Record<string, unknown>;
}

it('a login leaves its tokens in the keyring, calls carry them, a refresh renews and a logout removes them', async () => {
  expect(await json('config', 'set', 'tokenStore', 'keyring')).toMatchObject({ value: 'keyring' });
  expect(await logIn()).toMatchObject({ stored: 'keyring', refreshable: true });
  const before = secrets();
  expect(before).toHaveLength(2);
  for (const secret of before) expect(files()).not.toContain(secret);
  expect(await json('auth', 'status')).toMatchObject([{ psuId: 'oauth', stored: 'keyring' }]);
  expect(await json('whoami')).toMatchObject({ token: true, tokenStore: 'keyring' });
  expect((await obk(['whoami'])).stdout).toContain('keyring of the system');

  // The bank has taken the token, and looks for the consent.
  const called = await obk(['api', 'GET', 'v1/accounts', '-H', 'Consent-ID: none', '-vvv']);
  expect(called.stderr).toContain('Authorization: [secret]');
  expect(called.stderr).toContain('CONSENT_UNKNOWN');

  expect(await json('auth', 'refresh')).toMatchObject({ stored: 'keyring' });
  expect(secrets()).toHaveLength(2);
  for (const secret of before) expect(secrets()).not.toContain(secret);

  expect(await json('auth', 'logout')).toMatchObject({ erased: 1, revoked: 1 });
  expect(keyring.entries()).toEqual({});
});

it('tokens move with the setting, and nothing changes where the keyring fails', async () => {
  expect(await logIn()).toMatchObject({ stored: join(folder, 'credentials.json') });
  keyring.fail('no bus');
  const refused = await obk(['config', 'set', 'tokenStore', 'keyring']);
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(refused.stderr).toContain('no bus');
  expect(refused.stderr).toContain('obk config set tokenStore file --profile acme');
  expect(await json('config', 'get', 'tokenStore')).toMatchObject({ value: 'file', origin: 'default' });
  keyring.fail(false);
  await json('config', 'set', 'tokenStore', 'keyring');
  expect(secrets()).toHaveLength(2);
  for (const secret of secrets()) expect(files()).not.toContain(secret);
  const [one = ''] = secrets();
  await json('config', 'unset', 'tokenStore');
  expect(files()).toContain(one);
  expect(keyring.entries()).toEqual({});
});

it('a keyring that went away keeps nobody from seeing where things are, or from leaving', async () => {
  await json('config', 'set', 'tokenStore', 'keyring');
  await logIn();
  keyring.fail('locked');
  for (const args of [
    ['auth', 'status'],
    ['accounts', 'list'],
    ['auth', 'logout'],
  ]) {
    const ran = await obk(args);
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toContain('locked');
  }
  const whoami = await obk(['whoami', '--json']);
  expect(whoami.code).toBe(0);
  expect(JSON.parse(whoami.stdout)).toMatchObject({ token: null, tokenStore: 'keyring' });
  expect(whoami.stderr).toContain('locked');
  const left = await obk(['auth', 'logout', '--all', '--json']);
  expect(left.code, left.stderr).toBe(0);
  expect(JSON.parse(left.stdout)).toMatchObject({ erased: null, revoked: 0 });
  for (const id of Object.keys(keyring.entries())) expect(warnings.join()).toContain(id);
  expect(await json('auth', 'status')).toEqual([]);
});

it('OBK_TOKEN_STORE goes before the setting, and a deleted profile leaves no token', async () => {
  const { url } = await json('auth', 'login');
  const { redirectedTo = '' } = bank.decide('approve', url as string, 'oauth');
  const more = { BACK: redirectedTo, OBK_TOKEN_STORE: 'keyring' };
  const back = await obk(['auth', 'login', '--return-url-from', 'env:BACK', '--json'], more);
  expect(JSON.parse(back.stdout)).toMatchObject({ stored: 'keyring' });
  expect(secrets()).toHaveLength(2);
  await json('profile', 'delete', 'acme', '--yes');
  expect(keyring.entries()).toEqual({});
  expect(files()).not.toContain('keyring');
  const wrong = await obk(['whoami'], { OBK_TOKEN_STORE: 'helper' });
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
});

/** What stands in every file below the folder, whatever its name. */
function everything(): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

it.each([
  ['auth', 'logout'],
  ['auth', 'logout', '--all'],
  ['profile', 'delete', 'acme', '--yes'],
  ['log', 'erase', '--psu-id', 'oauth'],
])('a token in the file is in no file of the home any more, no copy either, after %s %s', async (...args) => {
  await logIn();
  await logIn();
  const { profiles } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8')) as {
    profiles: Record<string, { tokens: { token: string; refreshToken: string }[] }>;
  };
  const [{ token, refreshToken } = { token: '', refreshToken: '' }] = profiles['acme']?.tokens ?? [];
  expect(everything()).toContain(token);
  expect(everything()).toContain(refreshToken);
  await json(...args);
  expect(token.length).toBeGreaterThan(10);
  expect(everything()).not.toContain(token);
  expect(everything()).not.toContain(refreshToken);
});
