import { pathOf, queryOf, refused } from '../../../helpers/bank-settings.ts';
import type { Ended, Journey, Oddity } from '../../../helpers/bank-settings.ts';
import type { Asked, TypedBank } from '../../../helpers/typed-bank.ts';

const authorizeUrl = 'http://127.0.0.1:{port}/login';
const tokenUrl = 'http://127.0.0.1:{port}/oauth/token';
const login = ['auth', 'login', '--psu-id', 'anna'];
const list = ['api', 'getAccountList', '-H', 'Consent-ID: c', '--psu-id', 'anna'];
const refresh = ['auth', 'refresh', '--psu-id', 'anna'];
const flags = ['--oauth-client-id', 'portal-7', '--redirect-uri', 'https://tpp.example/back'];
const always = { auth: { authorizeUrl, tokenUrl } };
const form = ({ body }: Asked) => new URLSearchParams(body);
const minute = 60_000;

type Timed = readonly [line: readonly string[], minutes: number];

/** The PSU opens the page of the bank, agrees, and comes back; then the lines follow, each so many minutes later. */
const loggedIn =
  (...lines: readonly Timed[]): Journey =>
  async (obk) => {
    const begun = await obk([...login, '--json']);
    if (begun.code !== 0) return begun;
    const page = await fetch((JSON.parse(begun.stdout) as { url: string }).url, { redirect: 'manual' });
    if (page.status !== 303) return { code: 1, stdout: '', stderr: await page.text() };
    const env = { RETURN_URL: page.headers.get('location') ?? '' };
    let last: Ended = await obk([...login, '--return-url-from', 'env:RETURN_URL', '--json'], env);
    for (const [line, minutes] of lines) if (last.code === 0) last = await obk(line, {}, minutes * minute);
    return last;
  };

interface LoginBank {
  /** Whether the page takes what obk asks of it. */
  page?: (query: URLSearchParams) => boolean;
  /** The answer to the code, beside the access token `t-1`. */
  grants?: object;
  /** Whether the request for the first token is taken. */
  takes?: (asked: Asked) => boolean;
  /** The answer to each refresh; undefined where it is refused. */
  refreshes?: (times: number) => object | undefined;
  /** Whether an access token is good, and for what. */
  isGood?: (token: string | undefined, asked: Asked) => boolean;
  paths?: Readonly<Record<string, (port: number) => object>>;
}

/** A bank with a page for the PSU, tokens, and accounts for whoever has one. */
function bankWithLogin({
  page = () => true,
  grants = { expires_in: 3600 },
  takes = () => true,
  refreshes = () => undefined,
  isGood = (token) => token === 'Bearer t-1',
  paths = {},
}: LoginBank): TypedBank {
  let times = 0;
  return (asked) => {
    const path = pathOf(asked);
    const special = paths[path];
    if (special !== undefined) return [asked.method === 'POST' ? 201 : 200, special(asked.port)];
    if (path === '/login') {
      const query = queryOf(asked);
      if (!page(query)) return [400, 'not so'];
      const state = query.get('state') ?? '';
      return [303, '', { Location: `https://tpp.example/back?code=c0de&state=${encodeURIComponent(state)}` }];
    }
    if (path === '/oauth/token') {
      const isRefresh = form(asked).get('grant_type') === 'refresh_token';
      if (!isRefresh && !takes(asked)) return [400, { error: 'invalid_request' }];
      const more = isRefresh ? refreshes(++times) : grants;
      return more === undefined
        ? [400, { error: 'invalid_grant' }]
        : [200, { access_token: isRefresh ? 't-2' : 't-1', token_type: 'bearer', ...more }];
    }
    return isGood(asked.headers['authorization'], asked)
      ? path === '/v1/consents'
        ? [
            201,
            {
              consentStatus: 'received',
              consentId: 'c-1',
              _links: { scaRedirect: { href: 'https://login.bank.example/c' } },
            },
          ]
        : [200, { accounts: [] }]
      : refused(401, 'TOKEN_EXPIRED');
  };
}

const fresh = (bank: LoginBank) => ({ fresh: () => bankWithLogin(bank) });

/** How many refresh tokens have left. */
const refreshesOf =
  (...lines: readonly Timed[]): Journey =>
  async (obk, bank) => {
    await loggedIn(...lines)(obk, bank);
    const sent = bank.asked.filter((asked) => form(asked).get('grant_type') === 'refresh_token').length;
    return { code: 0, stdout: `${String(sent)} refreshes`, stderr: '' };
  };

/** Banks that want a login otherwise. */
export const loginPages: readonly Oddity[] = [
  {
    bank: fresh({}),
    settings: { auth: { authorizeUrl, tokenUrl } },
    flags,
    run: loggedIn([list, 0]),
  },
  {
    bank: fresh({
      page: (query) =>
        query.get('responseType') === 'code' &&
        query.get('clientId') === 'portal-7' &&
        !query.has('response_type') &&
        query.get('bic') === 'BANKDEFF',
    }),
    always,
    settings: {
      auth: {
        authorize: {
          rename: { response_type: 'responseType', client_id: 'clientId' },
          add: { bic: 'BANKDEFF' },
        },
      },
    },
    flags,
    run: loggedIn([list, 0]),
  },
  {
    bank: fresh({
      page: (query) => query.get('response_type') === 'CODE' && (query.get('state') ?? '').length <= 24,
      takes: (asked) => form(asked).get('code_verifier')?.length === 44,
    }),
    always,
    settings: { auth: { responseType: 'CODE', state: { maxLength: 24 }, pkce: { verifierOctets: 33 } } },
    flags,
    run: loggedIn([list, 0]),
  },
  {
    about: 'a letter that one of twelve random states has',
    bank: fresh({ page: (query) => !/a/i.test(query.get('state') ?? '') }),
    always,
    settings: { auth: { state: { forbid: ['a'] } } },
    flags,
    run: async (obk, bank) => {
      let last: Ended = { code: 0, stdout: '', stderr: '' };
      for (let round = 0; round < 12 && last.code === 0; round += 1) last = await loggedIn()(obk, bank);
      return last;
    },
  },
  {
    about: 'in a login',
    bank: fresh({ page: (query) => query.get('scope') === 'PISP AISP CBPII' }),
    always,
    settings: { auth: { scope: { pis: 'PISP', ais: 'AISP', piis: 'CBPII' } } },
    flags,
    run: loggedIn([list, 0]),
  },
  {
    bank: fresh({ page: (query) => query.get('scope') === 'everything' }),
    always,
    settings: { oauth: { preStepScope: 'everything' } },
    flags,
    run: loggedIn([list, 0]),
  },
  {
    bank: fresh({ page: (query) => query.get('client_id') === 'portal-9' }),
    always,
    settings: { oauth: { clientId: 'portal-9' } },
    flags: ['--redirect-uri', 'https://tpp.example/back'],
    run: loggedIn([list, 0]),
  },
  {
    bank: fresh({ paths: { '/meta/oauth': metadata } }),
    settings: { oauth: { metadata: 'http://127.0.0.1:{port}/meta/oauth' } },
    flags,
    run: loggedIn([list, 0]),
  },
  {
    bank: fresh({ paths: { '/.well-known/oauth-authorization-server': metadata } }),
    settings: { oauth: { issuer: 'http://127.0.0.1:{port}' } },
    flags,
    run: loggedIn([list, 0]),
  },
  {
    about: 'a token without its end',
    bank: fresh({ grants: {} }),
    always,
    settings: { auth: { lifetimes: { accessS: 300 } } },
    flags,
    run: loggedIn(),
    without: /^(?![^]*"expiresAt":"2)[^]*$/,
    gives: /"expiresAt":"2/,
  },
  {
    about: 'an old refresh token',
    bank: fresh({ grants: { expires_in: 60, refresh_token: 'r-1' } }),
    always,
    settings: { auth: { lifetimes: { refreshS: 3600 } } },
    flags,
    run: refreshesOf([refresh, 90]),
    without: /1 refreshes/,
    gives: /0 refreshes/,
  },
  {
    about: 'a chain that is over',
    bank: fresh({ grants: { expires_in: 60, refresh_token: 'r-1' } }),
    always,
    settings: { auth: { refresh: { chainDays: 2 } } },
    flags,
    run: refreshesOf([refresh, 3 * 24 * 60]),
    without: /1 refreshes/,
    gives: /0 refreshes/,
  },
  {
    about: 'a refresh token that works once, and no new one',
    bank: fresh({
      grants: { expires_in: 60, refresh_token: 'r-1' },
      refreshes: (times) => (times === 1 ? { expires_in: 60 } : undefined),
    }),
    always,
    settings: { auth: { refresh: { rotates: true } } },
    flags,
    run: refreshesOf([refresh, 0], [refresh, 5]),
    without: /2 refreshes/,
    gives: /1 refreshes/,
  },
  {
    bank: fresh({}),
    always,
    settings: { auth: { store: 'never' } },
    flags,
    run: loggedIn([list, 0]),
    without: 0,
    code: 2,
    tells: /No token[^]*kept on this machine[^]*OBK_TOKEN/,
  },
  {
    about: 'a token that names the consent',
    bank: ({ headers }) =>
      headers['consent-id'] === undefined ? [200, { accounts: [] }] : refused(400, 'FORMAT_ERROR'),
    settings: { auth: { consent: 'token' } },
    env: { OBK_TOKEN: 't0ken-of-a-test' },
    run: [list],
  },
  {
    about: 'of a consent',
    bank: fresh({
      paths: {
        '/v1/consents': (port) => ({
          ...{ consentStatus: 'received', consentId: 'c-1' },
          _links: {
            scaOAuth: { href: `http://127.0.0.1:${String(port)}/.well-known/oauth-authorization-server` },
          },
        }),
        '/.well-known/oauth-authorization-server': metadata,
      },
    }),
    settings: { oauth: { scope: 'READ {consentId}' } },
    flags,
    run: [['consent', 'create', '--all-psd2', '--psu-id', 'anna', '--json']],
    without: /scope=AIS%3Ac-1/,
    gives: /scope=READ%20c-1/,
  },
  ...[{ mode: 'integrated' }, { mode: 'none' }, { operations: { createConsent: 'none' } }].map(
    (auth): Oddity => ({
      about: 'a creation that no token of a login goes with',
      bank: fresh({
        isGood: (token) => token === undefined,
      }),
      always,
      settings: { auth },
      flags,
      run: loggedIn([['consent', 'create', '--all-psd2', '--psu-id', 'anna'], 0]),
    }),
  ),
];

function metadata(port: number): object {
  const issuer = `http://127.0.0.1:${String(port)}`;
  return {
    issuer,
    authorization_endpoint: `${issuer}/login`,
    token_endpoint: `${issuer}/oauth/token`,
    response_types_supported: ['code'],
  };
}
