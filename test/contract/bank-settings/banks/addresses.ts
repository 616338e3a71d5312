import { pathOf, queryOf, refused } from '../../../helpers/bank-settings.ts';
import type { Oddity } from '../../../helpers/bank-settings.ts';
import { writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TypedBank } from '../../../helpers/typed-bank.ts';

const accounts = { accounts: [] };
const list = ['api', 'getAccountList', '-H', 'Consent-ID: c'];
const at =
  (path: string, body: unknown, status = 200): TypedBank =>
  (asked) =>
    pathOf(asked) === path ? [status, body] : refused(404, 'RESOURCE_UNKNOWN');
const redirect = { scaRedirect: { href: 'https://login.bank.example/c' } };
const consent = ['consent', 'create', '--psu-id', 'anna'];

const validConsent = {
  ...{ access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil: '2999-12-31' },
  ...{ frequencyPerDay: 4, lastActionDate: '2026-11-01', consentStatus: 'valid' },
};

const journey = join(mkdtempSync(join(tmpdir(), 'obk-load-')), 'read.yaml');
writeFileSync(journey, 'journey: Read\nsteps:\n  - http: { method: GET, path: v1/consents/none }\n');

/** Banks that are at other addresses, speak another framework, or take load. */
export const addresses: readonly Oddity[] = [
  {
    bank: at('/psd2/berlingroup/v1/accounts', accounts),
    settings: { baseUrl: 'http://127.0.0.1:{port}/psd2/berlingroup' },
    run: [list],
  },
  {
    bank: at('/psd2/1.3.6/accounts', accounts),
    settings: { prefix: '/psd2/1.3.6' },
    run: [list],
  },
  {
    about: 'consents as they are written there',
    bank: ({ body, path }) =>
      path.endsWith('/consents') && body.includes('"availableAccountsWithBalance":')
        ? [201, { consentStatus: 'received', consentId: 'c-1', _links: redirect }]
        : refused(400, 'FORMAT_ERROR', body),
    settings: { framework: '1.3.6' },
    run: [[...consent, '--available-accounts-with-balance']],
    without: 5,
  },
  {
    bank: at('/v1/signing-baskets/b-1/status', { transactionStatus: 'RCVD' }),
    always: { framework: '1.3.6', prefix: '/v1' },
    settings: { surface: 'framework' },
    run: [['api', 'getSigningBasketStatus', '-f', 'basketId=b-1']],
    without: 2,
  },
  {
    bank: ({ path, port }) =>
      path === '/v1/consents'
        ? [
            201,
            {
              consentStatus: 'received',
              consentId: 'c-1',
              _links: {
                startAuthorisation: {
                  href: `http://localhost:${String(port)}/v1/consents/c-1/authorisations`,
                },
              },
            },
          ]
        : [201, { scaStatus: 'received', authorisationId: 'x', _links: redirect }],
    settings: { origins: ['http://localhost:{port}'] },
    run: [[...consent, '--all-psd2']],
    without: /is not followed/,
  },
  {
    about: 'all accounts with balances',
    bank: ({ body }) =>
      body.includes('"availableAccountsWithBalances":"allAccounts"')
        ? [201, { consentStatus: 'received', consentId: 'c-1', _links: redirect }]
        : refused(400, 'FORMAT_ERROR', body),
    settings: { consent: { withBalances: 'plural' } },
    run: [[...consent, '--available-accounts-with-balance']],
    without: 5,
  },
  {
    bank: ({ body }) =>
      Date.parse((JSON.parse(body) as { validUntil: string }).validUntil) < Date.now() + 90 * 86_400_000
        ? [201, { consentStatus: 'received', consentId: 'c-1', _links: redirect }]
        : refused(400, 'FORMAT_ERROR', body),
    settings: { consent: { validDays: 90 } },
    run: [[...consent, '--all-psd2', '--recurring']],
    without: 5,
  },
  {
    about: 'pages by number',
    bank: (asked) => {
      if (asked.method === 'POST') return [201, { consentStatus: 'valid', consentId: 'c-1', _links: {} }];
      if (!asked.path.includes('/transactions')) return [200, validConsent];
      return queryOf(asked).get('itemsPerPage') === '5'
        ? [200, { transactions: { booked: [] } }]
        : refused(400, 'FORMAT_ERROR');
    },
    settings: { reports: { paging: 'index' } },
    run: [
      [...consent, '--all-psd2'],
      ['transactions', 'list', '--account', 'a', '--page-size', '5'],
    ],
    without: 2,
  },
];
