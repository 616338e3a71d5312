import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { atBank, oddities, pathOf, refused } from '../../helpers/bank-settings.ts';
import { runInside } from '../../helpers/inside.ts';
import { typedBank } from '../../helpers/typed-bank.ts';
import type { Asked, RunningBank, TypedBank } from '../../helpers/typed-bank.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-tokens-'));
const created = await runInside(
  [
    'cert',
    'create',
    '--type',
    'qsealc',
    '--roles',
    'PSP_AI',
    '--org-id',
    'PSDDE-BAFIN-1',
    '--name',
    'T',
    '--dir',
    folder,
  ],
  { env: { ...process.env, OBK_CONFIG_DIR: folder, OBK_STATE_DIR: folder }, cwd: folder, input: '' },
);
if (created.code !== 0) throw new Error(created.stderr);
const sealed = ['--certificate', join(folder, 'qsealc.pem'), '--key', join(folder, 'qsealc-key.pem')];

const form = ({ body }: Asked) => new URLSearchParams(body);
const tokenUrl = 'http://127.0.0.1:{port}/oauth/token';
const authorizeUrl = 'http://127.0.0.1:{port}/login';
const list = ['api', 'getAccountList', '-H', 'Consent-ID: c'];
const consent = ['consent', 'create', '--all-psd2', '--psu-id', 'anna'];
const flags = ['--oauth-client-id', 'portal-7', '--redirect-uri', 'https://tpp.example/back'];
const made = {
  consentStatus: 'received',
  consentId: 'c-1',
  _links: { scaRedirect: { href: 'https://login.bank.example/c' } },
};
const bearer = (token: string, more: object = {}) => ({
  access_token: token,
  token_type: 'bearer',
  expires_in: 600,
  ...more,
});

/** A bank that gives a token to the right request alone, and accounts to that token alone. */
const granting =
  (right: (asked: Asked) => boolean, more: object = {}): TypedBank =>
  (asked) => {
    if (pathOf(asked) === '/oauth/token')
      return right(asked) ? [200, bearer('app-t0ken', more)] : [400, { error: 'invalid_client' }];
    if (asked.headers['authorization'] !== 'Bearer app-t0ken') return refused(401, 'TOKEN_UNKNOWN');
    return pathOf(asked) === '/v1/funds-confirmations'
      ? [200, { fundsAvailable: true }]
      : [200, { accounts: [] }];
  };

oddities('a bank that names its clients and scopes otherwise', [
  {
    setting: 'auth.mode preStep',
    bank: () => refused(401, 'TOKEN_UNKNOWN'),
    settings: { auth: { mode: 'preStep' } },
    flags,
    run: [list],
    code: 4,
    without: /^(?![^]*nothing was sent)[^]*$/,
    tells: /with the token of a login alone[^]*obk auth login/,
  },
  {
    setting: 'auth.operations preStep',
    bank: () => refused(401, 'TOKEN_UNKNOWN'),
    settings: { auth: { operations: { getAccountList: 'preStep' } } },
    flags,
    run: [list],
    code: 4,
    without: /^(?![^]*nothing was sent)[^]*$/,
  },
  {
    setting: 'auth.clientId orgId',
    bank: granting((asked) => form(asked).get('client_id') === 'PSDDE-BAFIN-1'),
    always: { auth: { tokenUrl, mode: 'clientCredentials' }, signing: { mode: 'cavage' } },
    settings: { auth: { clientId: 'orgId' } },
    flags: [...flags, ...sealed],
    run: [list],
    without: 4,
  },
  {
    setting: 'auth.clientId config',
    bank: granting(() => false),
    always: { auth: { tokenUrl, mode: 'clientCredentials' }, signing: { mode: 'cavage' } },
    settings: { auth: { clientId: 'config' } },
    flags: sealed,
    run: [list],
    without: 4,
    code: 3,
    tells: /takes one that it has given[^]*--oauth-client-id/,
  },
  {
    setting: 'auth.clientId tokenReply',
    bank: (asked) =>
      pathOf(asked) === '/oauth/token' ||
      asked.headers['signature']?.includes('keyId="client-of-the-bank"') === true
        ? granting(() => true, { client_id: 'client-of-the-bank' })(asked)
        : refused(401, 'SIGNATURE_INVALID'),
    always: { auth: { tokenUrl, mode: 'clientCredentials' }, signing: { mode: 'cavage' } },
    settings: { auth: { clientId: 'tokenReply' } },
    flags: [...flags, ...sealed],
    run: [list],
    without: 3,
  },
  {
    setting: 'auth.scope.piis',
    bank: granting((asked) => form(asked).get('scope') === 'DEDICATED_CBPII'),
    always: { auth: { tokenUrl, mode: 'clientCredentials' } },
    settings: { auth: { scope: { piis: 'DEDICATED_CBPII', ais: 'DEDICATED_AISP' } } },
    flags,
    run: [['funds', 'check', '--account', 'DE89370400440532013000', '--amount', '1.00']],
    without: 4,
  },
  {
    setting: 'auth.scope.ais',
    bank: granting((asked) => form(asked).get('scope') === 'DEDICATED_AISP'),
    always: { auth: { tokenUrl, mode: 'clientCredentials' } },
    settings: { auth: { scope: { piis: 'DEDICATED_CBPII', ais: 'DEDICATED_AISP' } } },
    flags,
    run: [list],
    without: 4,
  },
]);

describe('a login at a bank whose tokens live otherwise', () => {
  const banks: RunningBank[] = [];
  afterAll(() => Promise.all(banks.map((bank) => bank.close())));
  const login = ['auth', 'login', '--psu-id', 'anna'];

  /** A profile with a login done, and what the bank was asked. */
  async function loggedIn(
    bank: TypedBank,
    settings: object,
    more: object = {},
  ): Promise<
    Awaited<ReturnType<typeof atBank>> & {
      running: RunningBank;
      run?: (...lines: string[][]) => ReturnType<typeof atBank>;
      scope?: string | null;
      asked?: URLSearchParams;
    }
  > {
    const running = await typedBank(bank);
    banks.push(running);
    const whole = { auth: { authorizeUrl, tokenUrl, ...settings }, ...more };
    const begun = await atBank(running, whole, [[...login, '--json']], { flags });
    if (begun.code !== 0) return { running, ...begun };
    const { url } = JSON.parse(begun.stdout) as { url: string };
    const asked = new URL(url).searchParams;
    const back = `https://tpp.example/back?code=c0de&state=${asked.get('state') ?? ''}`;
    const finish = [...login, '--return-url-from', 'env:RETURN_URL', '--json'];
    const done = await atBank(running, whole, [finish], { name: begun.name, more: { RETURN_URL: back } });
    expect(done.code, done.stderr).toBe(0);
    const run = (...lines: string[][]) => atBank(running, whole, lines, { name: begun.name });
    return { running, ...done, run, asked, scope: asked.get('scope') };
  }

  const noTokenAtCreation: TypedBank = (asked) => {
    if (pathOf(asked) === '/oauth/token') return [200, bearer('login-t0ken')];
    return asked.headers['authorization'] === undefined ? [201, made] : refused(403, 'TOKEN_INVALID');
  };

  it.each([
    ['integrated', { mode: 'integrated' }],
    ['none', { mode: 'none' }],
    ['none for one operation', { operations: { createConsent: 'none' } }],
  ])('is not shown to it where auth.mode is %s', async (_, settings) => {
    const plain = await loggedIn(noTokenAtCreation, {});
    expect((await plain.run?.(consent))?.code).not.toBe(0);
    const told = await loggedIn(noTokenAtCreation, settings);
    expect(await told.run?.(consent)).toMatchObject({ code: 0 });
  });

  it('asks for the scopes of the bank (auth.scope)', async () => {
    const own = { ais: 'AISP', piis: 'CBPII', pis: 'P:{paymentId}', sbs: 'BASKETS' };
    expect((await loggedIn(noTokenAtCreation, { scope: own })).scope).toBe('AISP CBPII BASKETS');
    expect((await loggedIn(noTokenAtCreation, {})).scope).toBe('PIS AIS');
    const preStepScope = { oauth: { preStepScope: 'all' } };
    expect((await loggedIn(noTokenAtCreation, { scope: own }, preStepScope)).scope).toBe('all');
  });

  it('leaves out of its address what the bank refuses (auth.authorize.drop)', async () => {
    const { asked } = await loggedIn(noTokenAtCreation, { authorize: { drop: ['client_id'] } });
    expect(asked?.has('client_id')).toBe(false);
    expect((await loggedIn(noTokenAtCreation, {})).asked?.has('client_id')).toBe(true);
  });

  it('is refused where no token may be kept (auth.store)', async () => {
    const bank = await loggedIn(noTokenAtCreation, { store: 'never' });
    expect(bank.code).toBe(2);
    expect(bank.stderr).toMatch(/No token[^]*kept on this machine[^]*OBK_TOKEN/);
    expect(bank.running.asked).toEqual([]);
  });

  /** A bank that refreshes as often as it is asked, with or without a new refresh token; tokens are over at once. */
  const refreshing = (answer: (times: number) => object | undefined): TypedBank => {
    let times = 0;
    return (asked) => {
      if (pathOf(asked) !== '/oauth/token') return [200, { accounts: [] }];
      if (form(asked).get('grant_type') === 'authorization_code')
        return [200, { ...bearer('first', { refresh_token: 'r-1' }), expires_in: 1 }];
      times += 1;
      const body = answer(times);
      return body === undefined ? [500, 'x'] : [200, { expires_in: 1, ...body }];
    };
  };
  const refreshes = (bank: RunningBank) =>
    bank.asked.filter((one) => form(one).get('grant_type') === 'refresh_token').length;
  const refresh = ['auth', 'refresh', '--psu-id', 'anna'];

  it('sends a refresh token that works once no second time (auth.refresh.rotates)', async () => {
    const bank = refreshing((times) =>
      times === 1 ? { access_token: 'second', token_type: 'bearer' } : undefined,
    );
    const plain = await loggedIn(bank, {});
    await plain.run?.(refresh, refresh);
    expect(refreshes(plain.running)).toBe(2);
    const told = await loggedIn(
      refreshing((times) => (times === 1 ? { access_token: 'second', token_type: 'bearer' } : undefined)),
      { refresh: { rotates: true } },
    );
    const { code, stderr } = (await told.run?.(refresh, refresh)) ?? {};
    expect(code).toBe(4);
    expect(stderr).toContain('obk auth login');
    expect(refreshes(told.running)).toBe(1);
  });
});
