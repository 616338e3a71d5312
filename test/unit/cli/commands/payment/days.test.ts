// A day that is over is sent as it was given, and the person is told before the bank tells it.
import { expect, it } from 'vitest';
import { file, paymentTo, profileWith, wouldSend } from './payments.ts';

const past = '2020-02-03';
const future = '2099-02-03';
const pain = ['--debtor-name', 'Payer'];
const input = (day: string) => [
  ...['payment', 'init', '--product', 'sepa-credit-transfers', '--input'],
  file(
    `${day}.json`,
    JSON.stringify({
      requestedExecutionDate: day,
      debtorAccount: { iban: 'DE65990010000000002443' },
      instructedAmount: { currency: 'EUR', amount: '1.00' },
      creditorAccount: { iban: 'DE89370400440532013000' },
      creditorName: 'Shop',
    }),
  ),
];
const rows = file('rows.csv', 'creditor_name,creditor_iban,amount\nShop,DE89370400440532013000,1.00\n');
const bulk = (product: string) => [
  ...['payment', 'init', '--service', 'bulk-payments', '--product', product, '--from-csv', rows],
  ...['--debtor', 'DE65990010000000002443'],
];
const standing = (product: string) => [
  ...paymentTo(product),
  ...['--service', 'periodic-payments', '--frequency', 'Monthly', '--day-of-execution', '1'],
];

it.each<[string, (day: string) => string[]]>([
  ['a payment', (day) => [...paymentTo('sepa-credit-transfers'), '--execution-date', day]],
  ['a pain.001', (day) => [...paymentTo('pain.001-sepa-credit-transfers'), ...pain, '--execution-date', day]],
  ['a bulk', (day) => [...bulk('sepa-credit-transfers'), '--execution-date', day]],
  [
    'a bulk of pain.001',
    (day) => [...bulk('pain.001-sepa-credit-transfers'), ...pain, '--execution-date', day],
  ],
  ['a standing order', (day) => [...standing('sepa-credit-transfers'), '--start-date', day]],
  [
    'a standing order of pain.001',
    (day) => [...standing('pain.001-sepa-credit-transfers'), ...pain, '--start-date', day],
  ],
  ['a file', input],
])('%s of a day that is over has a warning, and one to come has none', async (_, line) => {
  const profile = ['--profile', await profileWith()];
  const late = await wouldSend([...line(past), ...profile]);
  expect(late.body).toContain(past);
  expect(late.stderr).toMatch(/2020-02-03 is (?:before|in the past)/);
  const early = await wouldSend([...line(future), ...profile]);
  expect(early.body).toContain(future);
  expect(early.stderr).not.toMatch(/before|in the past/);
});
