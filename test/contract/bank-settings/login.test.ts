import { afterAll, describe, expect, it } from 'vitest';
import { atBank, oddities, pathOf, queryOf, refused } from '../../helpers/bank-settings.ts';
import { typedBank } from '../../helpers/typed-bank.ts';
import type { Asked, RunningBank, TypedBank } from '../../helpers/typed-bank.ts';

const bearer = (access_token: string, more: object = {}) => ({ access_token, token_type: 'bearer', ...more });
const form = ({ body }: Asked) => new URLSearchParams(body);
const flags = ['--oauth-client-id', 'PSDDE-BAFIN-1', '--redirect-uri', 'https://tpp.example/back'];
const jwt = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
const list = ['api', 'getAccountList', '-H', 'Consent-ID: c'];
const consent = ['consent', 'create', '--all-psd2'];
const made = {
  consentStatus: 'received',
  consentId: 'c-1',
  _links: { scaRedirect: { href: 'https://login.bank.example/c' } },
};

/** A bank with a token endpoint and one operation that wants what it gives. */
const guarded =
  (grants: (asked: Asked) => boolean, token = 'app-t0ken'): TypedBank =>
  (asked) => {
    if (pathOf(asked) === '/oauth/token')
      return grants(asked) ? [200, bearer(token)] : [400, { error: 'invalid_request' }];
    if (asked.headers['authorization'] !== `Bearer ${token}`) return refused(401, 'TOKEN_UNKNOWN');
    return asked.method === 'POST' ? [201, made] : [200, { accounts: [] }];
  };
const tokenUrl = 'http://127.0.0.1:{port}/oauth/token';

oddities('a bank that wants tokens otherwise', [
  {
    setting: 'auth.mode clientCredentials',
    bank: guarded((asked) => form(asked).get('grant_type') === 'client_credentials'),
    always: { auth: { tokenUrl } },
    settings: { auth: { mode: 'clientCredentials' } },
    flags,
    run: [consent],
    without: 4,
    never: /app-t0ken/,
  },
  {
    setting: 'auth.operations',
    bank: guarded((asked) => form(asked).get('grant_type') === 'client_credentials'),
    always: { auth: { tokenUrl } },
    settings: { auth: { operations: { createConsent: 'clientCredentials' } } },
    flags,
    run: [consent],
    without: 4,
  },
  {
    setting: 'auth.scope.app',
    bank: guarded((asked) => form(asked).get('scope') === 'xs2a'),
    always: { auth: { tokenUrl, mode: 'clientCredentials' } },
    settings: { auth: { scope: { app: 'xs2a' } } },
    flags,
    run: [list],
    without: 4,
  },
  {
    setting: 'auth.token.add',
    bank: guarded((asked) => form(asked).get('role') === 'AISP'),
    always: { auth: { tokenUrl, mode: 'clientCredentials' } },
    settings: { auth: { token: { add: { role: 'AISP' } } } },
    flags,
    run: [list],
    without: 4,
  },
  {
    setting: 'auth.token.rename',
    bank: guarded((asked) => form(asked).get('grantType') === 'client_credentials'),
    always: { auth: { tokenUrl, mode: 'clientCredentials' } },
    settings: { auth: { token: { rename: { grant_type: 'grantType' } } } },
    flags,
    run: [list],
    without: 4,
  },
  {
    setting: 'auth.token.drop',
    bank: guarded((asked) => !form(asked).has('client_id')),
    always: { auth: { tokenUrl, mode: 'clientCredentials' } },
    settings: { auth: { token: { drop: ['client_id'] } } },
    flags,
    run: [list],
    without: 4,
  },
  {
    setting: 'auth.token.placement',
    bank: guarded((asked) => queryOf(asked).get('grant_type') === 'client_credentials' && asked.body === ''),
    always: { auth: { tokenUrl, mode: 'clientCredentials' } },
    settings: { auth: { token: { placement: 'query' } } },
    flags,
    run: [list],
    without: 4,
  },
  {
    setting: 'auth.psuIdFrom',
    bank: ({ headers }) =>
      headers['psu-id'] === 'anna' ? [201, made] : refused(400, 'FORMAT_ERROR', 'PSU-ID'),
    settings: { auth: { psuIdFrom: 'sub' } },
    env: { OBK_TOKEN: jwt({ sub: 'anna' }) },
    run: [consent],
  },
]);

describe('the login at a bank that wants it otherwise', () => {
  const banks: RunningBank[] = [];
  afterAll(() => Promise.all(banks.map((bank) => bank.close())));

  it('goes to the addresses of the description with its words, and lasts as long as it says', async () => {
    const bank = await typedBank((asked) => {
      if (pathOf(asked) !== '/oauth/token') return refused(404, 'RESOURCE_UNKNOWN');
      return form(asked).get('code_verifier')?.length === 44
        ? [200, bearer('login-t0ken')]
        : [400, { error: 'x' }];
    });
    banks.push(bank);
    const settings = {
      auth: {
        authorizeUrl: 'http://127.0.0.1:{port}/login',
        tokenUrl,
        authorize: {
          rename: { response_type: 'responseType', client_id: 'clientId' },
          add: { bic: 'BANKDEFF' },
        },
        responseType: 'CODE',
        state: { maxLength: 24, forbid: ['localhost'] },
        pkce: { verifierOctets: 33 },
        lifetimes: { accessS: 300 },
      },
    };
    const login = ['auth', 'login', '--psu-id', 'anna'];
    const plain = await atBank(bank, {}, [[...login, '--json']], { flags });
    expect(plain.code).toBe(3);
    const begun = await atBank(bank, settings, [[...login, '--json']], { flags });
    expect(begun.code, begun.stderr).toBe(0);
    const { url } = JSON.parse(begun.stdout) as { url: string };
    const asked = new URL(url);
    expect(asked.origin + asked.pathname).toBe(`http://127.0.0.1:${String(bank.port)}/login`);
    const query = Object.fromEntries(asked.searchParams);
    expect(query).toMatchObject({ responseType: 'CODE', clientId: 'PSDDE-BAFIN-1', bic: 'BANKDEFF' });
    expect(query).not.toHaveProperty('response_type');
    const state = query['state'] ?? '';
    expect(state.length).toBeLessThanOrEqual(24);
    const back = `https://tpp.example/back?code=c0de&state=${state}`;
    const finish = [...login, '--return-url-from', 'env:RETURN_URL', '--json'];
    const done = await atBank(bank, {}, [finish], { name: begun.name, more: { RETURN_URL: back } });
    expect(done.code, done.stderr).toBe(0);
    const { expiresAt } = JSON.parse(done.stdout) as { expiresAt: string };
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThan(301_000);
  });
});
