import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInside } from '../../../../helpers/inside.ts';

let folder: string;

const obk = (line: readonly string[], more: Record<string, string> = {}, input?: string) =>
  runInside(line, {
    env: {
      ...process.env,
      OBK_CONFIG_DIR: join(folder, 'config'),
      OBK_STATE_DIR: join(folder, 'state'),
      ...more,
    },
    cwd: folder,
    ...(input === undefined ? {} : { input }),
  });

async function json(line: readonly string[], more: Record<string, string> = {}): Promise<unknown> {
  const { code, stdout, stderr } = await obk([...line, '--json'], more);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'obk-config-'));
  await json([
    'profile',
    'create',
    'acme',
    '--base-url',
    'https://acme.example',
    '--environment',
    'test',
    '--signing',
    'none',
  ]);
});

const setting = async (key: string, more: Record<string, string> = {}) =>
  ((await json(['config', 'list'], more)) as { key: string }[]).find((row) => row.key === key);

describe('config', () => {
  it.each([
    ['debtor', 'DE89370400440532013000', 'DE89370400440532013000'],
    ['prefer.redirect', 'true', true],
    ['timeoutMs', '5000', 5000],
    ['timeoutMs', '5s', 5000],
    ['origins', 'https://a.example,https://b.example', ['https://a.example', 'https://b.example']],
    ['signing.keyId.issuer', 'rfc2253', 'rfc2253'],
    ['psu.context.PSU-User-Agent', 'x/1', 'x/1'],
    ['psu.otpFrom', 'env:OTP', 'env:OTP'],
    ['links.host', 'ignore', 'ignore'],
    ['currency', 'SEK', 'SEK'],
  ])('sets, gets and takes away %s', async (key, text, value) => {
    expect(await json(['config', 'set', key, text])).toEqual({ key, value, profile: 'acme' });
    expect(await json(['config', 'get', key])).toMatchObject({ value, origin: 'profile' });
    await json(['config', 'unset', key]);
    expect(await setting(key)).not.toMatchObject({ origin: 'profile' });
  });

  it.each([
    [['set', 'psu.idd', 'x'], /"psu.idd"[^]*psu\.id/],
    [['get', 'bseUrl'], /baseUrl/],
    [['unset', 'psu'], /psu\.id/],
    [['set', 'environment', 'prod'], /environment[^]*production/],
    [['set', 'debtor', 'DE00'], /debtor/],
    [['set', 'links.host', 'maybe'], /strict/],
    [['set', 'prefix', ''], /prefix/],
    [['unset', 'prefix'], /cannot be without/],
    [['set', 'psu.id', 'x', '--profile', 'sandbox'], /built in/],
  ])('refuses %j', async (line, why) => {
    const { code, stdout, stderr } = await obk(['config', ...line]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(why);
    expect(await json(['profile', 'show', 'acme'])).toMatchObject({ prefix: '/v1', environment: 'test' });
  });

  it('says what gives each setting', async () => {
    await json(['config', 'set', 'psu.id', 'anna']);
    const of = (key: string, more = {}) => setting(key, more);
    expect(await of('psu.id')).toMatchObject({ value: 'anna', origin: 'profile' });
    expect(await of('psu.id', { OBK_PSU_ID: 'bob' })).toEqual({
      key: 'psu.id',
      value: 'bob',
      origin: 'environment',
      from: 'OBK_PSU_ID',
    });
    expect(await of('framework', { OBK_VERSION: 'v136' })).toMatchObject({
      value: '1.3.6',
      from: 'OBK_VERSION',
    });
    expect(await of('baseUrl', { OBK_BASE_URL: 'https://b.example' })).toMatchObject({
      value: 'https://b.example',
    });
    expect(await of('timeoutMs')).toMatchObject({ value: 60_000, origin: 'default' });
    expect(await of('activeProfile')).toMatchObject({ value: 'acme', origin: 'user' });
    expect(await of('activeProfile', { OBK_PROFILE: 'sandbox' })).toMatchObject({ from: 'OBK_PROFILE' });
    expect(await of('currency', { OBK_PROFILE: 'sandbox' })).toMatchObject({ origin: 'built-in' });
  });

  it('repeats no secret that stands where a reference belongs', async () => {
    const variables = { OBK_OTP_FROM: 'c4n4ry' };
    const { stdout } = await obk(['config', 'list', '--json'], variables);
    expect(stdout).not.toContain('c4n4ry');
    const { stderr } = await obk(['config', 'set', 'psu.otpFrom', 'c4n4ry']);
    expect(stderr).not.toContain('c4n4ry');
  });

  it('chooses the active profile', async () => {
    await json(['config', 'set', 'activeProfile', 'sandbox']);
    expect(await json(['config', 'get', 'activeProfile'])).toMatchObject({
      value: 'sandbox',
      origin: 'user',
    });
    expect((await obk(['config', 'set', 'activeProfile', 'acm'])).code).toBe(3);
    await json(['config', 'unset', 'activeProfile']);
    expect((await obk(['config', 'list'])).code).toBe(3);
  });
});

describe('profile export and import', () => {
  const settings = [
    ['psu.otpFrom', 'env:OTP'],
    ['passwordEncryption.key', '/keys/bank.pem'],
    ['passwordEncryption.algorithm', 'RSA-OAEP'],
    ['signing.headers', 'digest,x-request-id'],
    ['allowHttp', 'true'],
    ['prefer.explicit', 'no'],
    ['timeoutMs', '1500'],
    ['psu.context.PSU-User-Agent', 'x/1'],
    ['origins', 'https://a.example,https://b.example'],
  ] as const;

  it('carries every setting over, and names what the other machine must provide', async () => {
    for (const [key, value] of settings) await json(['config', 'set', key, value]);
    const out = await obk(['profile', 'export', 'acme', '--output', 'acme.json']);
    expect(out.stderr).toMatch(/psu\.otpFrom: env:OTP/);
    expect(out.stderr).toMatch(/passwordEncryption\.key: \/keys\/bank\.pem/);
    const { name: _, ...copy } = (await json([
      'profile',
      'import',
      'acme.json',
      '--name',
      'copy',
      '--trust-references',
    ])) as object & {
      name: string;
    };
    const { name: __, ...own } = (await json(['profile', 'show', 'acme'])) as object & { name: string };
    expect(copy).toEqual(own);
  });

  it('leaves a profile of the same name alone without --force', async () => {
    const text = JSON.stringify({ obkProfile: 1, name: 'acme', settings: { baseUrl: 'https://b.example' } });
    const refused = await obk(['profile', 'import', '-', '--environment', 'test'], {}, text);
    expect(refused.code).toBe(2);
    expect(await json(['profile', 'show', 'acme'])).toMatchObject({ baseUrl: 'https://acme.example' });
    expect((await obk(['profile', 'import', '-', '--environment', 'test', '--force'], {}, text)).code).toBe(
      0,
    );
    expect(await json(['profile', 'show', 'acme'])).toMatchObject({ baseUrl: 'https://b.example' });
  });

  it.each([
    ['{', /JSON|read/, 3],
    ['[]', /no object/, 3],
    ['{"obkProfile":1,"name":"x","settings":{"bseUrl":"https://b.example"}}', /baseUrl/],
    ['{"obkProfile":1,"name":"x","settings":{"psu":{"id":["a",{}]}}}', /psu\.id/],
    ['{"obkProfile":1,"name":"x","settings":{"baseUrl":"ftp://b.example"}}', /baseUrl/],
    ['{"obkProfile":1,"name":"x","settings":{"psu":{"otpFrom":"c4n4ry"}}}', /psu\.otpFrom/],
    ['{"obkProfile":1,"name":"../x","settings":{}}', /name/],
    ['{"obkProfile":1,"name":"sandbox","settings":{}}', /built in/],
  ])('refuses %s', async (text, why, exit: number = 2) => {
    writeFileSync(join(folder, 'x.json'), text);
    const { code, stderr } = await obk(['profile', 'import', 'x.json']);
    expect(code, stderr).toBe(exit);
    expect(stderr).toMatch(why);
    expect(stderr).not.toContain('c4n4ry');
    expect((await json(['profile', 'list'])) as unknown[]).toHaveLength(2);
  });
});
