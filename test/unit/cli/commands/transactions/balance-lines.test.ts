import { expect, it } from 'vitest';
import { balanceLines } from '../../../../../src/cli/commands/transactions/balance-lines.ts';

const one = { account: 'DE1', balanceType: 'closingBooked', amount: '5.00', currency: 'EUR' };

it('names the account of a balance where a report has several', () => {
  const dated = { ...one, referenceDate: '2026-11-20' };
  expect(balanceLines([one, dated])).toEqual([
    'Balance closingBooked: 5.00 EUR',
    'Balance closingBooked: 5.00 EUR 2026-11-20',
  ]);
  expect(balanceLines([dated, { ...one, account: 'DE2\u001b' }])).toEqual([
    'Balance closingBooked: 5.00 EUR 2026-11-20 of DE1',
    'Balance closingBooked: 5.00 EUR of DE2\\x1b',
  ]);
});

it('says of many balances only how many there are', () => {
  expect(balanceLines(Array.from({ length: 20 }, () => one))).toHaveLength(20);
  expect(balanceLines(Array.from({ length: 21 }, () => one))).toEqual([
    '21 balances, of all statements; --json --meta has them all.',
  ]);
});
