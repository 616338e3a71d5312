import { describe, expect, it } from 'vitest';
import { rowsOf } from './reading.ts';

const own = { iban: 'DE06940594210000027227' };
const list = (entry: object, amount: string, hint?: string) =>
  rowsOf(
    JSON.stringify({
      transactions: {
        booked: [{ bookingDate: '2026-11-20', transactionAmount: { currency: 'EUR', amount }, ...entry }],
      },
      account: own,
    }),
    hint === undefined ? {} : { account: hint },
  );

/** A list names its account behind its transactions, or nowhere. */
describe('an entry of a JSON list whose account is not known yet', () => {
  const both = { debtorName: 'Jane Doe', debtorAccount: own, creditorName: 'Shop' };

  it('has no direction where both sides are named without a sign', async () => {
    const [row] = await list(both, '256.67');
    expect(row).toMatchObject({ amount: '256.67', marks: ['sign-unknown'] });
    expect(row).not.toHaveProperty('counterpartyName');
    expect(row).not.toHaveProperty('counterpartyAccount');
  });

  it.each([
    ['-256.67', 'Shop'],
    ['+256.67', 'Jane Doe'],
  ])('has the direction of its sign: %s', async (amount, counterpartyName) => {
    const [row] = await list(both, amount);
    expect(row).toMatchObject({ amount: amount.replace('+', ''), counterpartyName });
    expect(row).not.toHaveProperty('marks');
  });

  it('has the one side that is named', async () => {
    const [row] = await list({ debtorName: 'Employer' }, '256.67');
    expect(row).toMatchObject({ amount: '256.67', counterpartyName: 'Employer' });
    expect(row).not.toHaveProperty('marks');
  });

  it('has the direction of its parties where the account is known from elsewhere', async () => {
    const [row] = await list(both, '256.67', own.iban);
    expect(row).toMatchObject({
      amount: '-256.67',
      counterpartyName: 'Shop',
      marks: ['sign-from-parties'],
    });
  });

  it('has no counterparty where its amount cannot be read and both sides are strangers', async () => {
    const [row] = await list(both, '-256,67');
    expect(row).toMatchObject({ amountAsSent: '-256,67 EUR', marks: ['amount-malformed'] });
    expect(row).not.toHaveProperty('counterpartyName');
  });
});

describe('an entry without a sign before the first one that has a minus', () => {
  const entry = (amount: string, more: object = { creditorName: 'Shop' }) => ({
    bookingDate: '2026-11-20',
    transactionAmount: { currency: 'EUR', amount },
    ...more,
  });
  const amounts = async (report: object) =>
    (await rowsOf(JSON.stringify({ account: own, ...report }))).map(({ amount, marks, position }) => [
      position,
      amount,
      ...(marks ?? []),
    ]);

  it('is a credit: a refund names the creditor, and nobody may be named', async () => {
    const booked = [
      entry('5.00'),
      entry('7.00', {}),
      entry('3.00', { debtorName: 'Employer' }),
      entry('-1.00'),
    ];
    expect(await amounts({ transactions: { booked } })).toEqual([
      [1, '5.00'],
      [2, '7.00'],
      [3, '3.00'],
      [4, '-1.00'],
    ]);
  });

  it('is what its parties tell where none has one, in another list, or more than a thousand entries later', async () => {
    const booked = [entry('5.00'), entry('7.00', {})];
    const guessed = [
      [1, '-5.00', 'sign-from-parties'],
      [2, '7.00', 'sign-unknown'],
    ];
    expect(await amounts({ transactions: { booked } })).toEqual(guessed);
    expect(await amounts({ transactions: { booked, pending: [entry('-1.00')] } })).toEqual([
      ...guessed,
      [3, '-1.00'],
    ]);
    const long = [...booked, ...Array.from({ length: 1100 }, () => entry('2.00')), entry('-1.00')];
    const read = await amounts({ transactions: { booked: long } });
    expect(read.slice(0, 2)).toEqual(guessed);
    expect(read.map(([position]) => position)).toEqual(long.map((_, at) => at + 1));
  });
});
