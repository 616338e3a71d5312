import { expect, it } from 'vitest';
import { file, obk, paymentTo, profileWith, wouldSend } from './payments.ts';

const product = 'pain.001-sepa-credit-transfers';
const csv = file('rows.csv', 'creditor_name,creditor_iban,amount\nShop,DE89370400440532013000,1.00\n');
const lines: readonly (readonly [string, readonly string[]])[] = [
  ['payments', paymentTo(product)],
  ['periodic-payments', [...paymentTo(product), '--start-date', '2099-01-01', '--frequency', 'Monthly']],
  [
    'bulk-payments',
    ['payment', 'init', '--product', product, '--from-csv', csv, '--debtor', 'DE65990010000000002443'],
  ],
];

it.each(lines)('a pain.001 of %s is never written without the name of the payer', async (service, line) => {
  const whole = [...line, '--service', service, '--profile', await profileWith()];
  for (const name of [[], ['--debtor-name', ''], ['--debtor-name', '  ']]) {
    const { code, stdout, stderr } = await obk([...whole, ...name, '--dry-run', '--no-input']);
    expect([code, stdout], stderr).toEqual([2, '']);
    expect(stderr).toContain('--debtor-name');
  }
  const { body } = await wouldSend([...whole, '--debtor-name', 'Payer']);
  expect(body).toContain('<InitgPty><Nm>Payer</Nm></InitgPty>');
  expect(body).toContain('<Dbtr><Nm>Payer</Nm></Dbtr>');
});
