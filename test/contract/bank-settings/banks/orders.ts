import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refused } from '../../../helpers/bank-settings.ts';
import type { Journey, Oddity } from '../../../helpers/bank-settings.ts';
import { payShop } from '../../../helpers/obk.ts';
import type { Asked, TypedBank } from '../../../helpers/typed-bank.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-orders-'));
const written = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const anna = ['--psu-id', 'anna', '--allow-duplicate'];
const order = (product = 'sepa-credit-transfers') => [
  ...payShop.map((word) => (word === 'sepa-credit-transfers' ? product : word)),
  ...anna,
];
const redirect = { scaRedirect: { href: 'https://login.bank.example/c' } };
const made = { transactionStatus: 'RCVD', paymentId: 'p-1', _links: redirect };
const sent = ({ body }: Asked) => JSON.parse(body) as Record<string, unknown>;
const takes =
  (right: (asked: Asked) => boolean): TypedBank =>
  (asked) =>
    right(asked) ? [201, made] : refused(400, 'FORMAT_ERROR', asked.body.slice(0, 200));

const nobodys = {
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Shop',
};

/** A payment whose answer is lost, sent once more so many minutes later where the operator has said that it may. */
const replayed =
  (minutes: number): Journey =>
  async (obk) => {
    await obk(['config', 'set', 'requestIdSemantics', 'replay']);
    const lost = await obk(order());
    const id = /pending show (\w+)/.exec(lost.stderr)?.[1] ?? '';
    return obk(['pending', 'resolve', id, '--replay', '--yes'], {}, minutes * 60_000);
  };

/** A bank whose first answer nobody can use. */
const forgetful = {
  fresh: (): TypedBank => {
    let times = 0;
    return ({ method }) => (method === 'POST' && ++times === 1 ? [500, ''] : [201, made]);
  },
};

const validConsent = {
  ...{ access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil: '2999-12-31' },
  ...{ frequencyPerDay: 4, lastActionDate: '2026-11-01', consentStatus: 'valid' },
};
const entry = {
  ...{ transactionId: 't-1', bookingDate: '2026-11-01', creditorName: 'Shop' },
  transactionAmount: { currency: 'EUR', amount: '-1.00' },
};
const listing =
  (list: TypedBank): TypedBank =>
  (asked) => {
    if (asked.method === 'POST') return [201, { consentStatus: 'valid', consentId: 'c-1', _links: {} }];
    return asked.path === '/v1/consents/c-1' ? [200, validConsent] : list(asked);
  };
const consent = ['consent', 'create', '--all-psd2', '--recurring', '--psu-id', 'anna'];

/** Banks that want payments otherwise, and banks with reports that are there for a time. */
export const orders: readonly Oddity[] = [
  {
    bank: takes((asked) => sent(asked)['purposeCode'] === 'SALA'),
    settings: { payments: { members: ['purposeCode'] } },
    run: [[...order(), '--set', 'purposeCode="SALA"']],
    without: /purposeCode: not part of/,
  },
  {
    about: 'in one product',
    bank: takes((asked) => 'creditorAddress' in sent(asked) === asked.path.endsWith('target-2-payments')),
    settings: {
      payments: {
        requiredFields: [
          { field: '/creditorAddress/country', default: 'DE', products: ['target-2-payments'] },
        ],
      },
    },
    run: async (obk) => {
      const one = await obk(order());
      return one.code === 0 ? obk(order('target-2-payments')) : one;
    },
  },
  {
    bank: takes((asked) => sent(asked)['remittanceInformationStructured'] === 'RF18539007547034'),
    always: { payments: { members: ['remittanceInformationStructured'] } },
    settings: { payments: { remittanceStructured: 'string' } },
    run: [
      [
        ...order().filter((word, at, all) => word !== '--remittance' && all[at - 1] !== '--remittance'),
        '--creditor-reference',
        'RF18539007547034',
      ],
    ],
  },
  {
    bank: ({ method, headers }) =>
      method === 'POST'
        ? [201, made]
        : headers['tpp-redirect-uri'] === undefined
          ? refused(400, 'FORMAT_ERROR')
          : [204, ''],
    settings: { payments: { redirectOnCancel: true } },
    flags: ['--redirect-uri', 'https://tpp.example/back'],
    run: [order(), ['payment', 'cancel', 'p-1', '--yes', '--redirect', 'no']],
  },
  {
    bank: takes(({ headers, body }) => headers['content-type'] === 'text/plain' && body.startsWith('PAY ')),
    always: { payments: { matrix: { payments: { 'own-texts': ['text'] } } } },
    settings: { payments: { plainText: true } },
    run: [
      [
        ...['api', 'initiatePayment', '-f', 'payment-service=payments', '-f', 'payment-product=own-texts'],
        ...['--input', written('order.txt', 'PAY 1.00 EUR\n'), '--yes', '-H', 'PSU-ID: anna'],
      ],
    ],
  },
  {
    bank: takes((asked) => 'debtorAccount' in sent(asked)),
    settings: { payments: { debtorAccount: 'required' } },
    run: [
      [
        ...['payment', 'init', '--product', 'sepa-credit-transfers', ...anna],
        ...['--input', written('nobodys.json', JSON.stringify(nobodys))],
      ],
    ],
    without: 5,
    code: 2,
    tells: /the bank requires \/debtorAccount; the request was not sent/,
  },
  {
    bank: forgetful,
    settings: { payments: { duplicateWindowMin: 10 } },
    run: replayed(20),
    without: 0,
    code: 2,
    tells: /more than 10 minutes ago/,
  },
  {
    about: 'long after the SCA',
    bank: listing(() => refused(400, 'PERIOD_INVALID')),
    settings: { ais: { history: { freshMinutes: 15 } } },
    run: async (obk) => {
      await obk(consent);
      const days = ['--date-from', '2020-01-01'];
      return obk(['transactions', 'list', '--account', 'a', ...days], {}, 20 * 60_000);
    },
    without: 5,
    code: 4,
    tells: /within 15 minutes after the SCA alone/,
  },
  {
    about: 'a page that is late',
    bank: listing((asked) => {
      const next = { href: '/v1/accounts/a/transactions?page=2' };
      return asked.path.endsWith('page=2')
        ? [200, { transactions: { booked: [{ ...entry, transactionId: 't-2' }] } }]
        : [200, { transactions: { booked: [entry], _links: { next } } }];
    }),
    always: { limits: { perOperation: { getTransactionList: '1/70s' } } },
    settings: { ais: { paging: { expiresS: 60 } } },
    run: [consent, ['transactions', 'list', '--account', 'a', '--all', '--timeout', '5m']],
    without: /^(?![^]*ais\.paging\.expiresS)[^]*$/,
    tells: /keeps it for 60 s \(ais\.paging\.expiresS\)/,
  },
];
