import type { Oddity } from '../../../helpers/bank-settings.ts';
import { queryOf, refused } from '../../../helpers/bank-settings.ts';
import { payShop } from '../../../helpers/obk.ts';
import type { Asked, TypedBank } from '../../../helpers/typed-bank.ts';

const anna = ['--psu-id', 'anna', '--allow-duplicate'];
const order = (product = 'sepa-credit-transfers') => [
  ...payShop.map((word) => (word === 'sepa-credit-transfers' ? product : word)),
  ...anna,
];
const consent = ['consent', 'create', '--psu-id', 'anna'];
const redirect = { scaRedirect: { href: 'https://login.bank.example/c' } };
const sent = ({ body }: Asked) =>
  (body === '' ? {} : JSON.parse(body)) as Record<string, Record<string, unknown>>;

/** A bank that takes a payment or consent if it is right. */
const takes =
  (right: (asked: Asked) => boolean): TypedBank =>
  (asked) => {
    if (asked.method !== 'POST') return refused(404, 'RESOURCE_UNKNOWN');
    if (!right(asked)) return refused(400, 'FORMAT_ERROR', asked.body);
    return asked.path.startsWith('/v1/consents')
      ? [201, { consentStatus: 'received', consentId: 'c-1', _links: redirect }]
      : [201, { transactionStatus: 'RCVD', paymentId: 'p-1', _links: redirect }];
  };

const validConsent = {
  ...{ access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil: '2999-12-31' },
  ...{ frequencyPerDay: 4, lastActionDate: '2026-11-01', consentStatus: 'valid' },
};

/** A bank whose list of transactions is given to the right question alone. */
const listing =
  (right: (asked: Asked) => boolean): TypedBank =>
  (asked) => {
    if (asked.method === 'POST') return [201, { consentStatus: 'valid', consentId: 'c-1', _links: {} }];
    if (asked.path === '/v1/consents/c-1') return [200, validConsent];
    return right(asked) ? [200, { transactions: { booked: [] } }] : refused(400, 'FORMAT_ERROR', asked.path);
  };
const list = (...flags: readonly string[]) => [
  [...consent, '--all-psd2'],
  ['transactions', 'list', '--account', 'a', ...flags],
];

const pain002 =
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt><GrpHdr><MsgId>1</MsgId>' +
  '<CreDtTm>2026-11-01T00:00:00Z</CreDtTm></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>1</OrgnlMsgId>' +
  '<OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId><GrpSts>ACSC</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>';

export const resources: readonly Oddity[] = [
  // a bank with payments of its own
  {
    bank: takes(({ path }) => path === '/v1/payments/domestic-transfers'),
    settings: { payments: { matrix: { payments: { 'domestic-transfers': ['json'] } } } },
    run: [order('domestic-transfers')],
    without: 2,
  },
  {
    about: 'of products that are not there',
    bank: () => refused(404, 'PRODUCT_UNKNOWN'),
    settings: { payments: { matrix: { payments: { 'domestic-transfers': ['json'] } } } },
    run: [order()],
    without: 5,
    code: 2,
    tells: /--product domestic-transfers/,
  },
  {
    about: 'with a default',
    bank: takes((asked) => sent(asked)['creditorAddress']?.['country'] === 'DE'),
    settings: { payments: { requiredFields: [{ field: '/creditorAddress/country', default: 'DE' }] } },
    run: [order()],
  },
  {
    about: 'without one',
    bank: takes((asked) => 'creditorAgent' in sent(asked)),
    settings: { payments: { requiredFields: [{ field: '/creditorAgent' }] } },
    run: [order()],
    without: 5,
    code: 2,
    tells: /the bank requires \/creditorAgent; the request was not sent/,
  },
  {
    bank: takes(
      (asked) => 'paymentText' in sent(asked) && !('remittanceInformationUnstructured' in sent(asked)),
    ),
    settings: { payments: { rename: { '/remittanceInformationUnstructured': 'paymentText' } } },
    run: [[...order(), '--remittance', 'Rent']],
  },
  {
    bank: takes((asked) => asked.body.includes('"chargeBearer":"SHARED"')),
    settings: { payments: { enums: { '/chargeBearer': { SHAR: 'SHARED' } } } },
    run: [[...order('target-2-payments'), '--charge-bearer', 'SHAR']],
  },
  {
    bank: () => refused(400, 'FORMAT_ERROR'),
    settings: { payments: { limits: { remittance: 5 } } },
    run: [[...order(), '--remittance', 'Longer']],
    without: 5,
    code: 2,
    tells: /6 characters, and the bank takes 5/,
  },
  {
    bank: () => refused(400, 'FORMAT_ERROR'),
    settings: { payments: { limits: { charset: 'sepa' } } },
    run: [[...order(), '--remittance', 'Müll']],
    without: 5,
    code: 2,
    tells: /does not take the character "ü"/,
  },
  {
    bank: takes(({ headers }) => headers['tpp-redirect-preferred'] === 'true'),
    settings: { sca: { preferred: 'redirect' } },
    run: [order()],
  },
  {
    about: 'explicit',
    bank: takes(({ headers }) => headers['tpp-explicit-authorisation-preferred'] === 'true'),
    settings: { sca: { startMode: 'explicit' } },
    run: [order()],
  },
  {
    about: 'withPsuAuthentication',
    bank: (asked) => {
      const authorisations = '/v1/payments/sepa-credit-transfers/p-1/authorisations';
      if (asked.path === '/v1/payments/sepa-credit-transfers')
        return [
          201,
          {
            transactionStatus: 'RCVD',
            paymentId: 'p-1',
            _links: { startAuthorisation: { href: authorisations } },
          },
        ];
      if (asked.method === 'GET') return [200, { transactionStatus: 'ACSC' }];
      return sent(asked)['psuData']?.['password'] === 'p4ss'
        ? [201, { scaStatus: 'finalised', authorisationId: 'x', _links: {} }]
        : refused(400, 'FORMAT_ERROR', 'psuData');
    },
    settings: { sca: { startMode: 'withPsuAuthentication' } },
    run: [[...order(), '--psu-password-from', 'env:PASSWORD', '--wait']],
    env: { PASSWORD: 'p4ss' },
    gives: /ACSC/,
  },
  {
    about: 'skip',
    bank: (asked) => {
      if (asked.path.endsWith('/authorisations')) return refused(403, 'SERVICE_BLOCKED');
      if (asked.method === 'GET') return [200, { transactionStatus: 'ACSC' }];
      const href = '/v1/payments/sepa-credit-transfers/p-1/authorisations';
      return [201, { transactionStatus: 'RCVD', paymentId: 'p-1', _links: { startAuthorisation: { href } } }];
    },
    settings: { sca: { startMode: 'skip' } },
    run: [order()],
  },
  // a bank with statuses and cancellations of its own
  {
    bank: ({ method, headers }) =>
      method === 'POST'
        ? [201, { transactionStatus: 'RCVD', paymentId: 'p-1', _links: redirect }]
        : headers['accept']?.startsWith('application/xml') === true
          ? [200, pain002, { 'Content-Type': 'application/xml' }]
          : [406, ''],
    settings: { payments: { statusFormat: 'pain.002' } },
    run: [order(), ['payment', 'status', 'p-1']],
    gives: /ACSC/,
  },
  {
    bank: ({ method }) =>
      method === 'POST'
        ? [201, { transactionStatus: 'RCVD', paymentId: 'p-1', _links: redirect }]
        : refused(405, 'SERVICE_INVALID'),
    settings: { payments: { cancel: { allowed: false } } },
    run: [order(), ['payment', 'cancel', 'p-1', '--yes']],
    without: 5,
    code: 2,
    tells: /does not have cancelPayment/,
  },
  {
    bank: (asked) => {
      if (asked.method === 'POST') return [201, { consentStatus: 'valid', consentId: 'c-1', _links: {} }];
      return asked.path === '/v1/consents/c-1' ? [200, validConsent] : [200, { balances: [] }];
    },
    settings: { limits: { perDayPerAccess: 1 } },
    run: [
      [...consent, '--all-psd2', '--recurring'],
      ['accounts', 'balances', 'a'],
      ['accounts', 'balances', 'a'],
    ],
    without: /^(?![^]*without the PSU, and)[^]*$/,
    tells: /allows 1 access a day/,
  },
  // a bank with consents and account data of its own
  {
    bank: () => refused(400, 'FORMAT_ERROR'),
    settings: { consent: { types: ['detailed'] } },
    run: [[...consent, '--all-psd2']],
    without: 5,
    code: 2,
    tells: /--iban/,
  },
  {
    bank: takes((asked) => asked.body.includes('"recurringIndicator":true')),
    settings: { consent: { recurringOnly: true } },
    run: [[...consent, '--all-psd2']],
  },
  {
    bank: takes((asked) => Number(sent(asked)['frequencyPerDay']) <= 2),
    settings: { consent: { maxFrequency: 2 } },
    run: [[...consent, '--all-psd2', '--recurring']],
  },
  {
    bank: () => refused(404, 'RESOURCE_UNKNOWN'),
    settings: { consent: { none: true } },
    run: [[...consent, '--all-psd2']],
    without: 5,
    code: 2,
    tells: /has no consents/,
  },
  {
    bank: listing((asked) => queryOf(asked).get('bookingStatus') === 'both'),
    settings: { ais: { bookingStatus: ['both'] } },
    run: list(),
  },
  {
    bank: listing(({ headers }) => headers['accept'] === 'application/json'),
    settings: { ais: { transactionFormats: ['json'] } },
    run: list(),
  },
  {
    bank: listing(() => false),
    settings: { ais: { history: { windowDays: 14 } } },
    run: list('--date-from', '2026-01-01', '--date-to', '2026-03-01'),
    without: 5,
    code: 2,
    tells: /--all --booking-status booked[^]*--date-from 2026-01-01 --date-to 2026-01-14/,
  },
  {
    bank: listing(() => false),
    settings: { ais: { history: { maxDays: 90 } } },
    run: list('--date-from', '2020-01-01'),
    without: 5,
    code: 2,
    tells: /the last 90 days alone/,
  },
  {
    bank: () => refused(404, 'RESOURCE_UNKNOWN'),
    settings: { ais: { cardAccounts: false } },
    run: [['api', 'getCardAccount', '-H', 'Consent-ID: c']],
    without: 5,
    code: 2,
    tells: /does not have getCardAccount/,
  },
];
