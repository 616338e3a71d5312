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

/** An account is the same one however it is written: with blanks, in small letters, as its BBAN. */
describe('an entry without a sign whose account is spelt otherwise than in the report', () => {
  const iban = 'DE89370400440532013000';
  const shop = { creditorName: 'Shop', creditorAccount: { iban: 'DE02120300000000202051' } };
  const read = async (account: object | undefined, entry: object, hint?: string) => {
    const transactionAmount = { amount: '580', currency: 'EUR' };
    const booked = [{ bookingDate: '2025-10-14', transactionAmount, ...entry }];
    const report = JSON.stringify({ ...(account && { account }), transactions: { booked } });
    const [row] = await rowsOf(report, hint === undefined ? {} : { account: hint });
    return row;
  };
  type Spelling = readonly [account: object | undefined, own: unknown, hint?: string];
  const spellings: readonly (readonly [string, Spelling])[] = [
    ['blanks in the report', [{ iban: 'DE89 3704 0044 0532 0130 00' }, { iban }]],
    ['blanks in the entry', [{ iban }, { iban: 'DE89 3704 0044 0532 0130 00' }]],
    ['other blanks', [{ iban }, { iban: 'DE89\u00a03704\u202f0044 0532\t0130 00 ' }]],
    ['small letters', [{ iban }, { iban: 'de89370400440532013000' }]],
    ['hyphens', [{ iban }, { iban: 'DE89-3704-0044-0532-0130-00' }]],
    ['its name in front', [{ iban }, { iban: 'IBAN: DE89370400440532013000' }]],
    ['a bare text', [{ iban }, 'DE89 37040044 0532013000']],
    ['a BBAN in the entry', [{ iban }, { bban: '370400440532013000' }]],
    ['a BBAN in the report', [{ bban: '37040044 0532013000' }, { iban }]],
    ['a German BBAN with a slash', [{ iban }, { bban: '37040044/532013000' }]],
    ['the account that was asked for', [undefined, { iban: 'de89 3704 0044 0532 0130 00' }, iban]],
    ['the BBAN that was asked for', [undefined, { iban }, '370400440532013000']],
    [
      'a Polish number',
      [{ iban: 'PL61109010140000071219812874' }, { bban: '61 1090 1014 0000 0712 1981 2874' }],
    ],
    ['a Belgian BBAN', [{ iban: 'BE68539007547034' }, { bban: '539-0075470-34' }]],
    ['zeros in front', [{ iban: 'PT50000201231234567890154' }, { bban: '201231234567890154' }]],
    ['letters in a BBAN', [{ iban: 'NL91ABNA0417164300' }, { bban: 'abna 0417164300' }]],
    ['signs of a mask', [{ maskedPan: '525412******3241' }, { maskedPan: '5254 12xx xxxx 3241' }]],
    ['a number among several', [{ iban, maskedPan: '525412******3241' }, { maskedPan: '525412XXXXXX3241' }]],
    [
      'an account of another kind',
      [{ other: { identification: 'ab-12' } }, { other: { identification: 'AB12' } }],
    ],
  ];

  it.each(spellings)('goes out where it is the debtor: %s', async (_, [account, own, hint]) => {
    const row = await read(account, { ...shop, debtorAccount: own }, hint);
    expect(row).toMatchObject({
      amount: '-580',
      counterpartyName: 'Shop',
      counterpartyAccount: 'DE02120300000000202051',
      marks: ['sign-from-parties'],
    });
  });

  it.each(spellings)('comes in where it is the creditor: %s', async (_, [account, own, hint]) => {
    const { creditorName: debtorName, creditorAccount: debtorAccount } = shop;
    const row = await read(account, { debtorName, debtorAccount, creditorAccount: own }, hint);
    expect(row).toMatchObject({ amount: '580', counterpartyName: 'Shop' });
    expect(row).not.toHaveProperty('marks');
  });

  it('has no direction where neither of two parties is the account', async () => {
    const debtorAccount = { iban: 'DE02100100100006820101' };
    const row = await read({ iban }, { ...shop, debtorName: 'Jane', debtorAccount });
    expect(row).toMatchObject({ amount: '580', marks: ['sign-unknown'] });
    expect(row).not.toHaveProperty('counterpartyName');
  });
});

describe('a word of the direction beside a signed amount', () => {
  const one = async (amount: string, told: string, more: object = {}) => {
    const entry = { transactionAmount: { currency: 'EUR', amount }, creditDebitIndicator: told };
    const day = { bookingDate: '2026-01-02' };
    const [row] = await rowsOf(JSON.stringify({ ...more, transactions: { booked: [{ ...day, ...entry }] } }));
    return row;
  };

  it.each([
    ['-580.00', 'CRDT', '-580.00', ['sign-unknown']],
    ['-580.00', 'crdt', '-580.00', ['sign-unknown']],
    ['-580.00', 'Credit', '-580.00', ['sign-unknown']],
    ['+580.00', 'DBIT', '580.00', ['sign-unknown']],
    ['-580.00', 'DBIT', '-580.00', undefined],
    ['+580.00', 'CRDT', '580.00', undefined],
    ['580.00', 'Debit', '-580.00', undefined],
    ['580.00', 'dbit', '-580.00', undefined],
    ['0.00', 'DBIT', '0.00', undefined],
  ])('is judged: %s %s is %s', async (amount, told, read, marks) => {
    const row = await one(amount, told);
    expect([row?.amount, row?.marks]).toEqual([read, marks]);
    expect(row?.entryAsSent).toBe(marks === undefined ? undefined : `direction ${told}`);
  });

  it.each([
    ['-580.00', 'CRDT', '580.00', undefined],
    ['580.00', 'DBIT', '-580.00', undefined],
    ['-580.00', 'DBIT', '-580.00', ['sign-unknown']],
  ])('is judged where debits are written without a minus: %s %s is %s', async (amount, told, read, marks) => {
    const row = await one(amount, told, { debitAccounting: true });
    expect([row?.amount, row?.marks]).toEqual([read, marks]);
  });
});

describe('the status of an entry of a bare list', () => {
  it.each([
    [{ pending: true }, 'pending'],
    [{ pending: 'true' }, 'pending'],
    [{ pending: false }, 'booked'],
    [{ bookingStatus: 'PENDING' }, 'pending'],
    [{ bookingStatus: 'PDNG' }, 'pending'],
    [{ bookingStatus: 'Booked' }, 'booked'],
    [{ bookingStatus: 'booked', pending: false }, 'booked'],
  ])('is given by %j', async (told, bookingStatus) => {
    const transactionAmount = { currency: 'EUR', amount: '-1.00' };
    const transactions = [{ bookingDate: '2026-01-02', transactionAmount, ...told }];
    const [row] = await rowsOf(JSON.stringify({ account: own, transactions }));
    expect(row).toMatchObject({ bookingStatus });
    expect(row).not.toHaveProperty('marks');
    expect(row).not.toHaveProperty('otherInformation');
  });

  it('is that of its list, and its other members are kept', async () => {
    const booked = [
      { bookingDate: '2026-01-02', transactionAmount: { currency: 'EUR', amount: '-1.00' }, pending: true },
    ];
    const [row] = await rowsOf(JSON.stringify({ account: own, transactions: { booked } }));
    expect(row).toMatchObject({ bookingStatus: 'booked', otherInformation: 'pending true' });
  });
});
