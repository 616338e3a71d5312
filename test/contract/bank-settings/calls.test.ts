import { oddities, pathOf, queryOf, refused } from '../../helpers/bank-settings.ts';
import type { TypedBank } from '../../helpers/typed-bank.ts';

const accounts = { accounts: [{ resourceId: 'a', iban: 'DE89370400440532013000', currency: 'EUR' }] };
const list = ['api', 'getAccountList', '-H', 'Consent-ID: c'];
const consent = ['consent', 'create', '--all-psd2', '--psu-id', 'anna-1234567890'];
const made = {
  consentStatus: 'received',
  consentId: 'c-1',
  _links: { scaRedirect: { href: 'https://login.bank.example/c' } },
};
const takes =
  (
    right: Parameters<typeof Array.prototype.every>[0] extends never
      ? never
      : (asked: Parameters<TypedBank>[0]) => boolean,
    body: unknown,
    status = 200,
  ): TypedBank =>
  (asked) =>
    right(asked) ? [status, body] : refused(400, 'FORMAT_ERROR', `${asked.method} ${asked.path}`);

oddities('a bank that wants calls otherwise', [
  {
    setting: 'spec.operations.getAccountList.path',
    bank: takes(({ path }) => path === '/v3/accounts', accounts),
    settings: { spec: { operations: { getAccountList: { path: '/v3/accounts' } } } },
    run: [list],
  },
  {
    setting: 'spec.operations.deleteConsent.method',
    bank: takes(({ method, path }) => method === 'POST' && path === '/v1/consents/c-1/revoke', '', 204),
    settings: {
      spec: { operations: { deleteConsent: { method: 'POST', path: '/v1/consents/{consentId}/revoke' } } },
    },
    run: [['api', 'deleteConsent', '-f', 'consentId=c-1', '--yes']],
  },
  {
    setting: 'spec.operations.getCardAccount.supported',
    bank: () => refused(404, 'RESOURCE_UNKNOWN'),
    settings: { spec: { operations: { getCardAccount: { supported: false } } } },
    run: [['api', 'getCardAccount', '-H', 'Consent-ID: c']],
    without: 5,
    code: 2,
    tells: /does not have getCardAccount/,
  },
  {
    setting: 'urls.vars',
    bank: takes((asked) => pathOf(asked) === '/banks/12030000/v1/accounts', accounts),
    always: { baseUrl: 'http://127.0.0.1:{port}/banks/{bankCode}' },
    settings: { urls: { vars: { bankCode: ['12030000'] } } },
    run: [['config', 'set', 'bankVars.bankCode', '99'], list],
    without: 5,
    code: 3,
    tells: /There are: 12030000[^]*config set bankVars\.bankCode 12030000/,
  },
  {
    setting: 'links.prefix',
    bank: (asked) => {
      if (asked.path === '/v1/consents')
        return [
          201,
          {
            consentStatus: 'received',
            consentId: 'c-1',
            _links: { startAuthorisation: { href: '/inner/consents/c-1/authorisations' } },
          },
        ];
      return asked.path === '/v1/consents/c-1/authorisations'
        ? [201, { scaStatus: 'received', authorisationId: 'x', _links: made._links }]
        : refused(404, 'RESOURCE_UNKNOWN');
    },
    settings: { links: { prefix: { remove: '/inner', add: '/v1' } } },
    run: [consent],
    without: /is not followed/,
  },
  {
    setting: 'headers.psuIdType.default',
    bank: takes(({ headers }) => headers['psu-id-type'] === 'RETAIL', made, 201),
    settings: { headers: { psuIdType: { values: ['RETAIL', 'CORPORATE'], default: 'RETAIL' } } },
    run: [consent],
  },
  {
    setting: 'headers.psuId.first',
    bank: takes(({ headers }) => headers['psu-id'] === 'anna-12345', made, 201),
    settings: { headers: { psuId: { first: 10 } } },
    run: [consent],
  },
  {
    setting: 'headers.contentType',
    bank: takes(({ headers }) => headers['content-type'] === 'application/vnd.bank+json', made, 201),
    settings: { headers: { contentType: { createConsent: 'application/vnd.bank+json' } } },
    run: [consent],
  },
  {
    setting: 'headers.rules keepEmpty',
    bank: takes(({ headers }) => headers['psu-id'] === '', accounts),
    settings: {
      headers: { rules: [{ name: 'PSU-ID', action: 'keepEmpty', operations: ['getAccountList'] }] },
    },
    run: [list],
  },
  {
    setting: 'headers.rules when',
    bank: takes(
      ({ headers }) => !('authorization' in headers) || headers['psu-user-agent'] === undefined,
      accounts,
    ),
    settings: { headers: { rules: [{ name: 'PSU-User-Agent', action: 'forbid', when: 'withToken' }] } },
    flags: ['--psu-context', 'User-Agent=x/1'],
    env: { OBK_TOKEN: 't0ken-of-a-test' },
    run: [list],
  },
  {
    setting: 'auth.tokenHeader',
    bank: takes(({ headers }) => headers['psd2-authorization'] === 'Bearer t0ken-of-a-test', accounts),
    settings: { auth: { tokenHeader: 'PSD2-AUTHORIZATION' } },
    env: { OBK_TOKEN: 't0ken-of-a-test' },
    run: [list],
    never: /t0ken-of-a-test/,
  },
  {
    setting: 'limits.header number',
    bank: () => [200, accounts, { 'X-Calls-Left': '0' }],
    settings: { limits: { header: { name: 'X-Calls-Left' } } },
    run: [list],
    without: /^(?![^]*no calls are left)[^]*$/,
    tells: /no calls are left \(X-Calls-Left: 0\)/,
  },
  {
    setting: 'limits.header json',
    bank: () => [200, accounts, { 'X-Rate-Limit': '{"limit":4,"remaining":0}' }],
    settings: { limits: { header: { name: 'X-Rate-Limit', format: 'json' } } },
    run: [list],
    without: /^(?![^]*no calls are left)[^]*$/,
    tells: /no calls are left/,
  },
  {
    setting: 'ais.params.add',
    bank: takes((asked) => queryOf(asked).get('currency') === 'EUR', accounts),
    settings: { ais: { params: { getAccountList: { add: { currency: 'EUR' } } } } },
    run: [list],
  },
  {
    setting: 'ais.params.forbid',
    bank: takes((asked) => !queryOf(asked).has('withBalance'), accounts),
    settings: { ais: { params: { getAccountList: { forbid: ['withBalance'] } } } },
    run: [[...list, '-f', 'withBalance=true']],
    tells: /withBalance is left out/,
  },
  {
    setting: 'ais.params.allow',
    bank: takes((asked) => !queryOf(asked).has('withBalance'), accounts),
    settings: { ais: { params: { getAccountList: { allow: [] } } } },
    run: [[...list, '-f', 'withBalance=true']],
  },
  {
    setting: 'ais.withBalance',
    bank: takes((asked) => !queryOf(asked).has('withBalance'), accounts),
    settings: { ais: { withBalance: false } },
    run: [[...list, '-f', 'withBalance=true']],
  },
]);
