import type { Ended, Journey, Oddity } from '../../../helpers/bank-settings.ts';
import { pathOf, queryOf, refused, timeHere } from '../../../helpers/bank-settings.ts';
import type { Asked, TypedBank } from '../../../helpers/typed-bank.ts';

const accounts = { accounts: [{ resourceId: 'a', iban: 'DE89370400440532013000', currency: 'EUR' }] };
const list = ['api', 'getAccountList', '-H', 'Consent-ID: c'];
const consent = ['consent', 'create', '--all-psd2', '--psu-id', 'anna-1234567890'];
const made = {
  consentStatus: 'received',
  consentId: 'c-1',
  _links: { scaRedirect: { href: 'https://login.bank.example/c' } },
};
const takes =
  (right: (asked: Asked) => boolean, body: unknown, status = 200): TypedBank =>
  (asked) =>
    right(asked) ? [status, body] : refused(400, 'FORMAT_ERROR', `${asked.method} ${asked.path}`);

const starting = (href: string) => ({ ...made, _links: { startAuthorisation: { href } } });

/** A bank that refuses a call so soon after another one. */
function rarely(ms: number): TypedBank {
  let last = -Infinity;
  return () => {
    const now = timeHere();
    const isSoon = now - last < ms;
    last = now;
    return isSoon ? refused(429, 'ACCESS_EXCEEDED') : [200, accounts];
  };
}

/** Runs the lines as long as each is well. */
const each =
  (...lines: readonly (readonly string[])[]): Journey =>
  async (obk) => {
    let last: Ended = { code: 0, stdout: '', stderr: '' };
    for (const line of lines) if (last.code === 0) last = await obk(line);
    return last;
  };

export const calls: readonly Oddity[] = [
  // a bank that wants calls otherwise
  {
    bank: takes(({ path }) => path === '/v3/accounts', accounts),
    settings: { spec: { operations: { getAccountList: { path: '/v3/accounts' } } } },
    run: [list],
  },
  {
    bank: takes(({ method, path }) => method === 'POST' && path === '/v1/consents/c-1/revoke', '', 204),
    settings: {
      spec: { operations: { deleteConsent: { method: 'POST', path: '/v1/consents/{consentId}/revoke' } } },
    },
    run: [['api', 'deleteConsent', '-f', 'consentId=c-1', '--yes']],
  },
  {
    bank: () => refused(404, 'RESOURCE_UNKNOWN'),
    settings: { spec: { operations: { getCardAccount: { supported: false } } } },
    run: [['api', 'getCardAccount', '-H', 'Consent-ID: c']],
    without: 5,
    code: 2,
    tells: /does not have getCardAccount/,
  },
  {
    bank: takes((asked) => pathOf(asked) === '/banks/12030000/v1/accounts', accounts),
    always: { baseUrl: 'http://127.0.0.1:{port}/banks/{bankCode}' },
    settings: { urls: { vars: { bankCode: ['12030000'] } } },
    run: [['config', 'set', 'bankVars.bankCode', '99'], list],
    without: 5,
    code: 3,
    tells: /There are: 12030000[^]*config set bankVars\.bankCode 12030000/,
  },
  {
    bank: takes(({ headers }) => headers['psu-id-type'] === 'RETAIL', made, 201),
    settings: { headers: { psuIdType: { default: 'RETAIL' } } },
    run: [consent],
  },
  {
    bank: takes(({ headers }) => headers['psu-id'] === 'anna-12345', made, 201),
    settings: { headers: { psuId: { first: 10 } } },
    run: [consent],
  },
  {
    bank: takes(({ headers }) => headers['content-type'] === 'application/vnd.bank+json', made, 201),
    settings: { headers: { contentType: { createConsent: 'application/vnd.bank+json' } } },
    run: [consent],
  },
  {
    about: 'keepEmpty',
    bank: takes(({ headers, path }) => headers['psu-id'] === (path === '/v1/accounts' ? '' : undefined), {
      ...accounts,
      balances: [],
    }),
    settings: {
      headers: { rules: [{ name: 'PSU-ID', action: 'keepEmpty', operations: ['getAccountList'] }] },
    },
    run: each(['api', 'getBalances', '-f', 'account-id=a', '-H', 'Consent-ID: c'], list),
  },
  {
    about: 'when',
    bank: takes(({ headers }) => 'authorization' in headers !== 'psu-user-agent' in headers, accounts),
    settings: { headers: { rules: [{ name: 'PSU-User-Agent', action: 'forbid', when: 'withToken' }] } },
    flags: ['--psu-context', 'User-Agent=x/1'],
    run: async (obk) => {
      const anonymous = await obk(list);
      return anonymous.code === 0 ? obk(list, { OBK_TOKEN: 't0ken-of-a-test' }) : anonymous;
    },
  },
  {
    bank: takes(({ headers }) => headers['psd2-authorization'] === 'Bearer t0ken-of-a-test', accounts),
    settings: { auth: { tokenHeader: 'PSD2-AUTHORIZATION' } },
    env: { OBK_TOKEN: 't0ken-of-a-test' },
    run: [list],
    never: /t0ken-of-a-test/,
  },
  {
    bank: () => [200, accounts, { 'X-Calls-Left': '0' }],
    settings: { limits: { header: { name: 'X-Calls-Left' } } },
    run: [list],
    without: /^(?![^]*no calls are left)[^]*$/,
    tells: /no calls are left \(X-Calls-Left: 0\)/,
  },
  {
    bank: () => [200, accounts, { 'X-Rate-Limit': '{"limit":4,"remaining":0}' }],
    settings: { limits: { header: { name: 'X-Rate-Limit', format: 'json' } } },
    run: [list],
    without: /^(?![^]*no calls are left)[^]*$/,
    tells: /no calls are left/,
  },
  {
    bank: takes((asked) => queryOf(asked).get('currency') === 'EUR', accounts),
    settings: { ais: { params: { getAccountList: { add: { currency: 'EUR' } } } } },
    run: [list],
  },
  {
    about: 'of all operations',
    bank: (asked) =>
      queryOf(asked).get('bic') !== 'ABCDEFGH'
        ? refused(400, 'FORMAT_ERROR', 'bic')
        : pathOf(asked) === '/v1/consents'
          ? [201, made]
          : [200, accounts],
    settings: { ais: { params: { '*': { add: { bic: 'ABCDEFGH' } } } } },
    run: each(consent, [...list, '-f', 'withBalance=true']),
  },
  {
    about: 'of all operations beside those of one',
    bank: takes((asked) => queryOf(asked).toString() === 'lang=de&bic=ABCDEFGH', accounts),
    always: { ais: { params: { '*': { add: { lang: 'en', bic: 'ABCDEFGH' }, forbid: ['withBalance'] } } } },
    settings: { ais: { params: { getAccountList: { add: { lang: 'de' } } } } },
    run: [[...list, '-f', 'withBalance=true']],
  },
  {
    bank: takes((asked) => !queryOf(asked).has('withBalance'), accounts),
    settings: { ais: { params: { getAccountList: { forbid: ['withBalance'] } } } },
    run: [[...list, '-f', 'withBalance=true']],
    tells: /withBalance is left out/,
  },
  {
    bank: takes((asked) => !queryOf(asked).has('withBalance'), accounts),
    settings: { ais: { params: { getAccountList: { allow: [] } } } },
    run: [[...list, '-f', 'withBalance=true']],
  },
  {
    bank: takes((asked) => !queryOf(asked).has('withBalance'), accounts),
    settings: { ais: { withBalance: false } },
    run: [[...list, '-f', 'withBalance=true']],
  },
  {
    bank: takes(({ headers }) => headers['psu-id-type'] === 'RETAIL', made, 201),
    settings: { headers: { psuIdType: { values: ['RETAIL', 'CORPORATE'] } } },
    run: [[...consent, '--psu-id-type', 'PRIVATE']],
    without: 5,
    code: 2,
    tells: /RETAIL, CORPORATE; the request was not sent/,
  },
  {
    about: 'default',
    bank: takes(({ headers }) => headers['x-gateway'] === 'blue', accounts),
    settings: { headers: { rules: [{ name: 'X-Gateway', action: 'default', value: 'blue' }] } },
    run: [list],
    // A default without its value is no rule.
    without: { by: { 'headers.rules': 5, 'headers.rules[].value': 3 } },
  },
  {
    bank: takes(({ headers }) => headers['accept'] === 'application/vnd.bank+json', accounts),
    settings: { headers: { accept: { getAccountList: 'application/vnd.bank+json' } } },
    run: [list],
  },
  {
    bank: ({ path }) =>
      path === '/v1/consents'
        ? [201, starting('https://inner.bank.internal:8443/v1/consents/c-1/authorisations')]
        : [201, { scaStatus: 'received', authorisationId: 'x', _links: made._links }],
    settings: { links: { host: 'ignore' } },
    run: [consent],
    without: /is not followed/,
  },
  {
    bank: ({ path }) =>
      path === '/v1/consents'
        ? [201, { ...made, _links: { weiter: { href: '/v1/consents/c-1/authorisations' } } }]
        : [201, { scaStatus: 'received', authorisationId: 'x', _links: made._links }],
    settings: { links: { aliases: { weiter: 'startAuthorisation' } } },
    run: [consent],
    without: /^(?![^]*login\.bank\.example)[^]*$/,
    gives: /login\.bank\.example/,
  },
  {
    bank: { fresh: () => rarely(9_900) },
    settings: { limits: { rate: '1/10s' } },
    run: each(list, list),
    without: 11,
  },
  {
    bank: { fresh: () => rarely(9_900) },
    settings: { limits: { perOperation: { getAccountList: '1/10s' } } },
    run: each(list, list),
    without: 11,
  },
  {
    about: 'a bank that answers late',
    bank: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return [200, accounts];
    },
    settings: { timeoutMs: 300 },
    run: [list],
    without: 0,
    code: 6,
  },
];
