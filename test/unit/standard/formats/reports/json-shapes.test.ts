import { describe, expect, it } from 'vitest';
import { reading } from './reading.ts';

const entry = { bookingDate: '2026-11-20', transactionAmount: { currency: 'EUR', amount: '1.00' } };

describe('a JSON list', () => {
  it.each([
    ['transactions.booked', { transactions: { booked: entry } }],
    ['transactions.pending', { transactions: { booked: [entry], pending: 'none' } }],
    ['cardTransactions.booked', { cardTransactions: { booked: entry } }],
    ['booked', { booked: entry }],
    ['information', { booked: [], information: 5 }],
  ])('loses nothing where it is not one: %s', async (path, report) => {
    const { error } = await reading(JSON.stringify(report), { code: 'INPUT_INVALID' });
    expect(error).toMatchObject({ code: 'INPUT_INVALID', detail: `${path} is no list.` });
  });

  it('is empty as null, an empty list, or an empty object', async () => {
    const report = { transactions: { booked: null, pending: [], information: {} } };
    expect(await reading(JSON.stringify(report))).toMatchObject({ rows: [], error: undefined });
  });

  it('does not turn round the given signs of a card', async () => {
    const cardTransactions = { booked: [entry] };
    const { rows, error } = await reading(JSON.stringify({ cardTransactions, debitAccounting: true }));
    expect(rows).toHaveLength(1);
    expect(error).toMatchObject({
      code: 'ANSWER_UNREADABLE',
      detail: 'debitAccounting comes after the transactions, and would have changed their signs.',
    });
    const right = await reading(JSON.stringify({ debitAccounting: true, cardTransactions }));
    expect(right).toMatchObject({ rows: [{ amount: '-1.00' }], error: undefined });
    const usual = await reading(JSON.stringify({ cardTransactions, debitAccounting: false }));
    expect(usual.error).toBeUndefined();
  });
});
