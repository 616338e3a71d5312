import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '../../../../../src/adapters/system/system-clock.ts';
import { guardOrigin } from '../../../../../src/client/call/own-origins.ts';
import type { Target } from '../../../../../src/client/exchange/target.ts';
import { Secret } from '../../../../../src/base/secret.ts';
import { fileStore } from '../../../../helpers/file-store.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { oneError } from '../../../../helpers/one-error.ts';

let env: NodeJS.ProcessEnv;
let home: string;
const obk = (line: string, more = {}) => runInside(line.split(' '), { env: { ...env, ...more }, cwd: home });

const servers: Server[] = [];
const seen: string[] = [];
async function listen(): Promise<string> {
  const server = createServer((request, response) => {
    seen.push(`${String(request.headers.host)} ${JSON.stringify(request.headers)}`);
    response.setHeader('content-type', 'application/json').end('{"accounts":[],"consentStatus":"valid"}');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
let bank = '';
let other = '';
beforeAll(async () => {
  bank = await listen();
  other = await listen();
});
afterAll(() => {
  for (const server of servers) server.close();
});

const store = () =>
  fileStore({
    configDir: String(env['OBK_CONFIG_DIR']),
    stateDir: String(env['OBK_STATE_DIR']),
    clock: createClock(),
    env,
    warn: () => undefined,
  });

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'obk-elsewhere-'));
  env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
  seen.length = 0;
  const made = await obk(`profile create acme --base-url ${bank} --signing none --psu-ip 192.0.2.1 --use`);
  expect(made.code, made.stderr).toBe(0);
});

const read = 'api getAccountList -H Consent-ID:c-typed';
const keepToken = () =>
  store().credentials.update('acme', (before) => ({ ...before, token: new Secret('t0k3n-c4n4ry') }));

describe('a token', () => {
  beforeEach(keepToken);

  it.each([
    ['--base-url', () => [`--base-url ${other}`, {}] as const],
    ['OBK_BASE_URL', () => ['', { OBK_BASE_URL: other }] as const],
  ])('does not follow %s', async (_, how) => {
    const [flag, variables] = how();
    const ran = await obk(`${read} ${flag} --json`.replace(/ +/g, ' '), variables);
    expect(ran.code).toBe(3);
    expect(oneError(ran)).toMatchObject({ code: 'CREDENTIALS_ELSEWHERE' });
    expect(oneError(ran).title).toContain(bank);
    expect(oneError(ran).title).toContain(other);
    expect(seen).toEqual([]);
  });

  it('goes where the profile says, to an origin of it, and for one run where a person says', async () => {
    expect((await obk(read)).code).toBe(0);
    expect((await obk(`${read} --base-url ${other} --send-credentials-to ${other}/x`)).code).toBe(0);
    expect((await obk(`${read} --base-url ${other}`)).code).toBe(3);
    await obk(`profile edit acme --origin ${other}`);
    expect((await obk(`${read} --base-url ${other}`)).code).toBe(0);
    expect(seen.filter((one) => one.includes('t0k3n-c4n4ry'))).toHaveLength(3);
  });

  it('of OBK_TOKEN is given for the run, and goes where that goes', async () => {
    const ran = await obk(`${read} --base-url ${other}`, { OBK_TOKEN: 'of-this-run' });
    expect(ran.code, ran.stderr).toBe(0);
    expect(seen.join()).not.toContain('t0k3n-c4n4ry');
  });

  it('that was got elsewhere does not go to the bank either', async () => {
    await store().credentials.update('acme', () => ({
      tokens: [{ token: new Secret('t0k3n-c4n4ry'), origin: other }],
    }));
    expect((await obk(read)).code).toBe(3);
    expect((await obk(`${read} --base-url ${other}`)).code).toBe(0);
    expect(seen.join()).toContain('t0k3n-c4n4ry');
  });

  it('is kept or dropped by an explicit answer where the bank gets another address', async () => {
    for (const change of [`profile edit acme --base-url ${other}`, `config set baseUrl ${other}`]) {
      const asked = await obk(change);
      expect(asked.code).toBe(2);
      expect(asked.stderr).toContain('--credentials drop');
    }
    expect((await obk(`profile edit acme --base-url ${other} --credentials drop`)).code).toBe(0);
    expect((await store().credentials.read('acme')).token).toBeUndefined();
    await keepToken();
    expect((await obk(`profile edit acme --base-url ${bank} --credentials keep`)).code).toBe(0);
    expect((await store().credentials.read('acme')).token?.reveal()).toBe('t0k3n-c4n4ry');
    expect((await obk(read)).code).toBe(0);
  });
});

describe('what else belongs to a bank', () => {
  it('a consent', async () => {
    const now = new Date().toISOString();
    await store().resources.save({
      schemaVersion: 1,
      profile: 'acme',
      environment: 'test',
      noun: 'consent',
      id: 'c-of-the-bank',
      createdAt: now,
      updatedAt: now,
      framework: '1.3.2',
      prefix: '/v1',
      baseUrl: bank,
      links: {},
    });
    const call = 'api getAccountList -H Consent-ID:c-of-the-bank';
    expect((await obk(`${call} --base-url ${other}`)).code).toBe(3);
    expect((await obk(`consent status c-of-the-bank --base-url ${other}`)).code).toBe(3);
    expect(seen).toEqual([]);
    expect((await obk(call)).code).toBe(0);
  });

  it('a consent of an address that the profile does not have any more', async () => {
    const carried = { token: undefined, consentId: 'c-1', secretBody: false, secretHeaders: [] };
    const to = (origins: readonly string[], baseUrl?: string) =>
      guardOrigin(
        {
          ...{ name: 'acme', profile: {}, psu: {}, run: { dryRun: false }, ownOrigins: origins },
          ports: {
            resources: { find: () => Promise.resolve(baseUrl === undefined ? undefined : { baseUrl }) },
          },
        } as unknown as Target,
        `${bank}/v1/accounts`,
        carried,
      );
    const refused = { code: 'CREDENTIALS_ELSEWHERE', title: expect.stringContaining(other) as string };
    await expect(to([bank], `${other}/v1`)).rejects.toMatchObject(refused);
    await expect(to([other], `${other}/v1`)).rejects.toMatchObject(refused);
    for (const [origins, from] of [
      [[bank, other], `${other}/v1`],
      [[bank], `${bank}/psd2`],
      [[bank], undefined],
    ] as const)
      await expect(to(origins, from)).resolves.toBeUndefined();
  });

  it('a password', async () => {
    const target = {
      name: 'acme',
      ownOrigins: [bank],
      run: { dryRun: false },
      ports: store(),
    } as unknown as Target;
    const carried = { token: undefined, consentId: undefined, secretBody: true, secretHeaders: [] };
    await expect(guardOrigin(target, `${bank}/v1/x`, carried)).resolves.toBeUndefined();
    await expect(guardOrigin(target, `${other}/v1/x`, carried)).rejects.toMatchObject({
      code: 'CREDENTIALS_ELSEWHERE',
    });
    const again = { ...target, run: { dryRun: false, sendCredentialsTo: [other] } } as unknown as Target;
    await expect(guardOrigin(again, `${other}/v1/x`, carried)).resolves.toBeUndefined();
  });

  it('a header with a secret value, whose program is not even run', async () => {
    const marker = join(home, 'ran');
    const rule = ['--header-rule', `default X-Key from cmd:touch ${marker}`];
    const edited = await runInside(['profile', 'edit', 'acme', ...rule], { env, cwd: home });
    expect(edited.code, edited.stderr).toBe(0);
    const ran = await obk(`${read} --base-url ${other} --json`);
    expect(ran.code).toBe(3);
    expect(oneError(ran).title).toContain('X-Key');
    expect(existsSync(marker)).toBe(false);
  });
});

describe('a token of another OAuth server', () => {
  const issuer = 'https://login.bank.example';
  const others = 'https://login.other.example';
  const of = (from: string | undefined, refreshable = true) => ({
    token: new Secret('t0k3n-c4n4ry'),
    ...(refreshable && { refreshToken: new Secret('r3fr3sh-c4n4ry') }),
    ...(from !== undefined && {
      server: {
        issuer: from,
        tokenEndpoint: `${bank}/token`,
        revocationEndpoint: `${bank}/x`,
        clientId: 'c',
      },
    }),
  });
  const keep = (...tokens: ReturnType<typeof of>[]) =>
    store().credentials.update('acme', () => ({
      tokens: tokens.map((one, n) => ({ ...one, psuId: `p${String(n)}` })),
    }));
  const issuers = async () =>
    ((await store().credentials.read('acme')).tokens ?? []).map(({ server }) => server?.issuer);
  /** As somebody who edits the file, or an obk that did not ask yet. */
  const name = (url: string) =>
    store().settings.update((before) => ({
      ...before,
      profiles: { ...before.profiles, acme: { ...before.profiles['acme']!, oauth: { issuer: url } } },
    }));
  const ways = {
    used: `${read} --psu-id p0`,
    refreshed: 'auth refresh --psu-id p0',
    'taken back': 'auth logout --psu-id p0',
    'taken back with all': 'auth logout --all',
  };

  it.each(Object.entries(ways))('is not %s', async (_, how) => {
    await keep(of(issuer));
    await name(others);
    const ran = await obk(`${how} --json`);
    expect([ran.code, ran.stderr]).toEqual([3, expect.any(String)]);
    const error = oneError(ran);
    expect(error).toMatchObject({ code: 'CREDENTIALS_ELSEWHERE' });
    expect(error.title).toContain(issuer);
    expect(error.title).toContain(others);
    expect([seen, await issuers()]).toEqual([[], [issuer]]);
  });

  it.each(Object.entries(ways))(
    'is %s where it is of the one that is named, or nothing is said',
    async (_, how) => {
      await keep(of(issuer));
      await name(`${issuer}/`);
      expect((await obk(how)).code).not.toBe(3);
      expect(seen.length).toBeGreaterThan(0);
    },
  );

  it('is told from one without an issuer, which goes on being used', async () => {
    await keep(of(undefined, false));
    await name(others);
    const ran = await obk(ways.used);
    expect(ran.code, ran.stderr).toBe(0);
    expect(seen.join()).toContain('t0k3n-c4n4ry');
  });

  it('is kept or dropped by an explicit answer where the profile gets another issuer', async () => {
    await keep(of(issuer), of(others), of(undefined));
    for (const change of [
      `profile edit acme --oauth-issuer ${others}`,
      `config set oauth.issuer ${others}`,
    ]) {
      const asked = await obk(change);
      expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('--credentials drop')]);
    }
    expect(await issuers()).toEqual([issuer, others, undefined]);
    // What is of it needs no answer.
    expect((await obk(`profile edit acme --oauth-issuer ${others} --credentials keep`)).code).toBe(0);
    expect(await issuers()).toEqual([others, others, undefined]);
    expect((await obk(`profile edit acme --oauth-issuer ${issuer} --credentials drop`)).code).toBe(0);
    expect(await issuers()).toEqual([undefined]);
    const file = readFileSync(join(String(env['OBK_CONFIG_DIR']), 'credentials.json.bak'), 'utf8');
    expect(file).not.toContain(others);
  });

  it('is forgotten by the command that the refusal names', async () => {
    await keep(of(issuer));
    await name(others);
    const [drop = ''] = oneError(await obk(`${ways.used} --json`)).hint;
    expect(drop).toContain('--credentials drop');
    expect((await obk(drop.replace(/^obk | *#.*$/g, ''))).code).toBe(0);
    expect(await issuers()).toEqual([]);
    expect((await obk(ways.used)).code).toBe(0);
    expect(seen.join()).not.toContain('t0k3n-c4n4ry');
  });
});
