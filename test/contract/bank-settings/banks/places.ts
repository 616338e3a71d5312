import type { Oddity } from '../../../helpers/bank-settings.ts';
import { pathOf, refused } from '../../../helpers/bank-settings.ts';
import type { TypedBank } from '../../../helpers/typed-bank.ts';

/** A bank that has one service below a path of its own. */
const at =
  (path: string, body: unknown, status = 200): TypedBank =>
  (asked) =>
    pathOf(asked) === path ? [status, body] : refused(404, 'RESOURCE_UNKNOWN');
const elsewhere = 'http://127.0.0.1:{port}/own';
const redirect = { scaRedirect: { href: 'https://login.bank.example/c' } };
const standing = [
  ...['payment', 'init', '--service', 'periodic-payments', '--product', 'pain.001-sepa-credit-transfers'],
  ...['--debtor-name', 'Payer AG'],
  ...['--creditor-account', 'DE89370400440532013000', '--creditor-name', 'Shop', '--amount', '1.00'],
  ...['--debtor', 'DE65990010000000002443', '--psu-id', 'anna', '--allow-duplicate'],
  ...['--start-date', '2999-01-01', '--frequency', 'Monthly', '--day-of-execution', '01'],
];

export const places: readonly Oddity[] = [
  // a bank that has its services and parts elsewhere
  {
    bank: at('/own/v1/payments/sepa-credit-transfers/p-1/status', { transactionStatus: 'ACSC' }),
    settings: { urls: { perService: { pis: elsewhere } } },
    run: [
      [
        ...['api', 'getPaymentInitiationStatus', '-f', 'payment-service=payments'],
        ...['-f', 'payment-product=sepa-credit-transfers', '-f', 'paymentId=p-1'],
      ],
    ],
  },
  {
    bank: at('/own/v1/accounts', { accounts: [] }),
    settings: { urls: { perService: { ais: elsewhere } } },
    run: [['api', 'getAccountList', '-H', 'Consent-ID: c']],
  },
  {
    bank: at('/own/v1/funds-confirmations', { fundsAvailable: true }),
    settings: { urls: { perService: { piis: elsewhere } } },
    run: [['funds', 'check', '--account', 'DE89370400440532013000', '--amount', '1.00']],
  },
  {
    bank: ({ body, method }) =>
      method === 'POST' && body.includes('name="order_xml"') && body.includes('name="order_json"')
        ? [201, { transactionStatus: 'RCVD', paymentId: 'p-1', _links: redirect }]
        : refused(400, 'FORMAT_ERROR', body.slice(0, 200)),
    settings: { payments: { multipartParts: { xml: 'order_xml', json: 'order_json' } } },
    run: [standing],
    without: 5,
  },
];
