import { afterAll, expect, it } from 'vitest';
import { atBank, oddities, pathOf, refused } from '../../helpers/bank-settings.ts';
import { typedBank } from '../../helpers/typed-bank.ts';
import type { RunningBank, TypedBank } from '../../helpers/typed-bank.ts';

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

oddities('a bank that has its services and parts elsewhere', [
  {
    setting: 'urls.perService pis',
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
    setting: 'urls.perService ais',
    bank: at('/own/v1/accounts', { accounts: [] }),
    settings: { urls: { perService: { ais: elsewhere } } },
    run: [['api', 'getAccountList', '-H', 'Consent-ID: c']],
  },
  {
    setting: 'urls.perService piis',
    bank: at('/own/v1/funds-confirmations', { fundsAvailable: true }),
    settings: { urls: { perService: { piis: elsewhere } } },
    run: [['funds', 'check', '--account', 'DE89370400440532013000', '--amount', '1.00']],
  },
  {
    setting: 'urls.perService sbs',
    bank: at('/own/v1/signing-baskets/b-1/status', { transactionStatus: 'RCVD' }),
    always: { framework: '1.3.6', surface: 'framework' },
    settings: { urls: { perService: { sbs: elsewhere } } },
    run: [['api', 'getSigningBasketStatus', '-f', 'basketId=b-1']],
  },
  {
    setting: 'payments.multipartParts',
    bank: ({ body, method }) =>
      method === 'POST' && body.includes('name="order_xml"') && body.includes('name="order_json"')
        ? [201, { transactionStatus: 'RCVD', paymentId: 'p-1', _links: redirect }]
        : refused(400, 'FORMAT_ERROR', body.slice(0, 200)),
    settings: { payments: { multipartParts: { xml: 'order_xml', json: 'order_json' } } },
    run: [standing],
    without: 5,
  },
]);

const banks: RunningBank[] = [];
afterAll(() => Promise.all(banks.map((bank) => bank.close())));

it('sca.poll.minIntervalMs: a status is asked for no more often than the bank wants', async () => {
  const polls = async (sca: object) => {
    const authorisation = '/v1/consents/c-1/authorisations/x';
    const bank = await typedBank((asked) => {
      if (asked.method === 'POST') {
        const _links = { scaStatus: { href: authorisation } };
        return [
          201,
          { consentStatus: 'received', consentId: 'c-1', authorisationId: 'x', _links },
          { 'ASPSP-SCA-Approach': 'DECOUPLED' },
        ];
      }
      return [
        200,
        pathOf(asked) === authorisation ? { scaStatus: 'started' } : { consentStatus: 'received' },
      ];
    });
    banks.push(bank);
    const wait = ['consent', 'create', '--all-psd2', '--psu-id', 'anna', '--wait', '--timeout', '3s'];
    expect((await atBank(bank, { sca }, [wait])).code).toBe(8);
    return bank.asked.filter(({ path }) => path === authorisation).length;
  };
  const [usual, rare] = [await polls({}), await polls({ poll: { minIntervalMs: 600_000 } })];
  expect(rare).toBeLessThan(usual);
});
