import type { Oddity } from '../../../helpers/bank-settings.ts';
import { pathOf, queryOf, refused } from '../../../helpers/bank-settings.ts';
import type { Asked, TypedBank } from '../../../helpers/typed-bank.ts';

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

export const login: readonly Oddity[] = [
  // a bank that wants tokens otherwise
  {
    about: 'clientCredentials',
    bank: guarded((asked) => form(asked).get('grant_type') === 'client_credentials'),
    always: { auth: { tokenUrl } },
    settings: { auth: { mode: 'clientCredentials' } },
    flags,
    run: [consent],
    without: 4,
    never: /app-t0ken/,
  },
  {
    bank: guarded((asked) => form(asked).get('grant_type') === 'client_credentials'),
    always: { auth: { tokenUrl } },
    settings: { auth: { operations: { createConsent: 'clientCredentials' } } },
    flags,
    run: [consent],
    without: 4,
  },
  {
    bank: guarded((asked) => form(asked).get('scope') === 'xs2a'),
    always: { auth: { tokenUrl, mode: 'clientCredentials' } },
    settings: { auth: { scope: { app: 'xs2a' } } },
    flags,
    run: [list],
    without: 4,
  },
  {
    bank: guarded((asked) => form(asked).get('role') === 'AISP'),
    always: { auth: { tokenUrl, mode: 'clientCredentials' } },
    settings: { auth: { token: { add: { role: 'AISP' } } } },
    flags,
    run: [list],
    without: 4,
  },
  {
    bank: guarded((asked) => form(asked).get('grantType') === 'client_credentials'),
    always: { auth: { tokenUrl, mode: 'clientCredentials' } },
    settings: { auth: { token: { rename: { grant_type: 'grantType' } } } },
    flags,
    run: [list],
    without: 4,
  },
  {
    bank: guarded((asked) => queryOf(asked).get('grant_type') === 'client_credentials' && asked.body === ''),
    always: { auth: { tokenUrl, mode: 'clientCredentials' } },
    settings: { auth: { token: { placement: 'query' } } },
    flags,
    run: [list],
    without: 4,
  },
  {
    bank: ({ headers }) =>
      headers['psu-id'] === 'anna' ? [201, made] : refused(400, 'FORMAT_ERROR', 'PSU-ID'),
    settings: { auth: { psuIdFrom: 'sub' } },
    env: { OBK_TOKEN: jwt({ sub: 'anna' }) },
    run: [consent],
  },
];
