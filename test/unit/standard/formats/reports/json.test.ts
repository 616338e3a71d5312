import { describe, expect, it } from 'vitest';
import { reading, rowsOf } from './reading.ts';

const own = 'DE2310010010123456789';
const eur = (amount: unknown) => ({ currency: 'EUR', amount });
const list = (booked: readonly object[], more: object = {}) =>
  JSON.stringify({ account: { iban: own }, transactions: { booked, ...more } });

/** Typed after example 1 of the transaction list in the guidelines (1.3): debits without a minus. */
const example1 = JSON.stringify({
  account: { iban: own },
  transactions: {
    booked: [
      {
        transactionId: '1234567',
        creditorName: 'John Miles',
        creditorAccount: { iban: 'DE67100100101306118605' },
        transactionAmount: eur('256.67'),
        bookingDate: '2017-10-25',
        valueDate: '2017-10-26',
        remittanceInformationUnstructured: 'Example 1',
      },
      {
        transactionId: '1234568',
        debtorName: 'Paul Simpson',
        debtorAccount: { iban: 'NL76RABO0359400371' },
        transactionAmount: eur('343.01'),
        bookingDate: '2017-10-25',
        valueDate: '2017-10-26',
        remittanceInformationUnstructured: 'Example 2',
      },
    ],
    pending: [
      {
        transactionId: '1234569',
        creditorName: 'Claude Renault',
        creditorAccount: { iban: 'FR7612345987650123456789014' },
        transactionAmount: eur('-100.03'),
        valueDate: '2017-10-26',
        remittanceInformationUnstructured: 'Example 3',
      },
    ],
    _links: {
      account: { href: '/v1/accounts/3dc3d5b3' },
      next: { href: '/v1/accounts/3dc3d5b3/transactions?page=2' },
    },
  },
});

describe('lists of transactions in JSON', () => {
  it('become rows: a debit by its minus, else by who is named', async () => {
    const { items, error } = await reading(example1);
    expect(error).toBeUndefined();
    expect(items).toEqual([
      { kind: 'account', account: { account: own } },
      {
        kind: 'row',
        row: {
          position: 1,
          account: own,
          bookingStatus: 'booked',
          bookingDate: '2017-10-25',
          valueDate: '2017-10-26',
          amount: '-256.67',
          currency: 'EUR',
          marks: ['sign-from-parties'],
          counterpartyName: 'John Miles',
          counterpartyAccount: 'DE67100100101306118605',
          remittanceInformationUnstructured: 'Example 1',
          transactionId: '1234567',
          resourceId: '1234567',
        },
      },
      {
        kind: 'row',
        row: {
          position: 2,
          account: own,
          bookingStatus: 'booked',
          bookingDate: '2017-10-25',
          valueDate: '2017-10-26',
          amount: '343.01',
          currency: 'EUR',
          counterpartyName: 'Paul Simpson',
          counterpartyAccount: 'NL76RABO0359400371',
          remittanceInformationUnstructured: 'Example 2',
          transactionId: '1234568',
          resourceId: '1234568',
        },
      },
      {
        kind: 'row',
        row: {
          position: 3,
          account: own,
          bookingStatus: 'pending',
          valueDate: '2017-10-26',
          amount: '-100.03',
          currency: 'EUR',
          counterpartyName: 'Claude Renault',
          counterpartyAccount: 'FR7612345987650123456789014',
          remittanceInformationUnstructured: 'Example 3',
          transactionId: '1234569',
          resourceId: '1234569',
        },
      },
      { kind: 'link', name: 'next', href: '/v1/accounts/3dc3d5b3/transactions?page=2' },
    ]);
  });

  it('have in 1.3.6 arrays of texts, agents, balances after, exchange rates, details', async () => {
    const [row] = await rowsOf(
      list([
        {
          entryReference: 'E1',
          endToEndId: 'NOTPROVIDED',
          mandateId: 'M1',
          creditorId: 'DE98ZZZ09999999999',
          bookingDate: '2026-02-28',
          transactionAmount: eur('-12.5'),
          currencyExchange: [{ sourceCurrency: 'USD', exchangeRate: '1.0856', unitCurrency: 'EUR' }],
          creditorName: 'Shop',
          creditorAgent: 'GENODEF1S04',
          remittanceInformationUnstructuredArray: ['one', 'two'],
          remittanceInformationStructuredArray: [{ reference: 'RF18539007547034' }],
          bankTransactionCode: 'PMNT-ICDT-STDO',
          balanceAfterTransaction: { balanceType: 'interimBooked', balanceAmount: eur('-3.00') },
          _links: { transactionDetails: { href: '/v1/accounts/a/transactions/77' } },
        },
      ]),
    );
    expect(row).toEqual({
      position: 1,
      account: own,
      bookingStatus: 'booked',
      bookingDate: '2026-02-28',
      amount: '-12.5',
      currency: 'EUR',
      counterpartyName: 'Shop',
      counterpartyAgent: 'GENODEF1S04',
      remittanceInformationUnstructured: 'one two',
      remittanceInformationStructured: 'RF18539007547034',
      endToEndId: 'NOTPROVIDED',
      mandateId: 'M1',
      creditorId: 'DE98ZZZ09999999999',
      entryReference: 'E1',
      bankTransactionCode: 'PMNT-ICDT-STDO',
      bankTransactionText: 'Payments / Issued Credit Transfers / Standing Order',
      exchangeRate: '1.0856',
      exchangeSourceCurrency: 'USD',
      exchangeUnitCurrency: 'EUR',
      balanceAfter: '-3.00',
      balanceAfterCurrency: 'EUR',
      details: '/v1/accounts/a/transactions/77',
    });
  });

  it('have for card accounts card members, and debitAccounting gives the sign of a plain amount', async () => {
    const cards = (flag: object) =>
      JSON.stringify({
        cardAccount: { maskedPan: '525412******3241' },
        ...flag,
        cardTransactions: {
          booked: [
            {
              cardTransactionId: '201710020036959',
              transactionAmount: eur('256.67'),
              transactionDate: '2017-10-25',
              bookingDate: '2017-10-26',
              originalAmount: { currency: 'SEK', amount: '2499' },
              cardAcceptorAddress: { country: 'SE' },
              maskedPAN: '525412******3241',
              merchantCategoryCode: '5812',
              transactionDetails: 'ICA SUPERMARKET SKOGHA',
            },
          ],
        },
      });
    expect(await rowsOf(cards({ debitAccounting: true }))).toEqual([
      {
        position: 1,
        account: '525412******3241',
        bookingStatus: 'booked',
        bookingDate: '2017-10-26',
        transactionDate: '2017-10-25',
        otherInformation: 'cardAcceptorAddress.country SE',
        amount: '-256.67',
        currency: 'EUR',
        remittanceInformationUnstructured: 'ICA SUPERMARKET SKOGHA',
        transactionId: '201710020036959',
        resourceId: '201710020036959',
        originalAmount: '2499',
        originalCurrency: 'SEK',
        maskedPan: '525412******3241',
        merchantCategoryCode: '5812',
      },
    ]);
    expect(await rowsOf(cards({ debitAccounting: false }))).toMatchObject([{ amount: '256.67' }]);
    expect(await rowsOf(cards({}))).toMatchObject([{ amount: '256.67', marks: ['sign-unknown'] }]);
  });

  it.each([
    [
      'a bare report',
      JSON.stringify({ booked: [{ bookingDate: '2026-01-01', transactionAmount: eur('-1') }] }),
      'booked',
    ],
    [
      'information',
      list([], { information: [{ creditorName: 'A', transactionAmount: eur('-1') }] }),
      'information',
    ],
    [
      'a bare array',
      JSON.stringify([{ bookingDate: '2026-01-01', transactionAmount: eur('-1') }]),
      undefined,
    ],
  ])('are read from %s', async (_, report, status) => {
    const [row, ...others] = await rowsOf(report);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ amount: '-1', ...(status && { bookingStatus: status }) });
    expect(row?.marks).toEqual(status === undefined ? ['status-unknown'] : undefined);
  });

  it.each([
    [{ debtorAccount: { iban: own }, creditorName: 'X' }, '5.00', '-5.00', ['sign-from-parties'], 'X'],
    [{ creditorAccount: { iban: own }, debtorName: 'X' }, '5.00', '5.00', undefined, 'X'],
    [{ creditorName: 'X' }, '+5.00', '5.00', undefined, 'X'],
    [{ creditorName: 'X', debtorName: 'Y' }, '5.00', '5.00', ['sign-unknown'], undefined],
    [{ creditorName: 'X', debtorName: 'Y' }, '-5.00', '-5.00', undefined, 'X'],
    [{ creditorName: 'X' }, '0.00', '0.00', undefined, 'X'],
    [{}, '5.00', '5.00', ['sign-unknown'], undefined],
  ])('take the direction of %j with %s', async (parties, amount, expected, marks, name) => {
    const [row] = await rowsOf(
      list([{ bookingDate: '2026-01-01', transactionAmount: eur(amount), ...parties }]),
    );
    expect([row?.amount, row?.marks, row?.counterpartyName]).toEqual([expected, marks, name]);
  });

  it.each([
    ['12.345', 'amount-malformed'],
    ['1e3', 'amount-malformed'],
    ['1,50', 'amount-malformed'],
    ['--1', 'amount-malformed'],
    ['', 'no-amount'],
    [undefined, 'no-amount'],
  ])('have no amount where it is %j', async (amount, as) => {
    const [row] = await rowsOf(list([{ bookingDate: '2026-01-01', transactionAmount: eur(amount) }]));
    expect(row).not.toHaveProperty('amount');
    expect(row?.marks).toEqual([as]);
    if (as === 'amount-malformed') expect(row?.amountAsSent).toBe(`${String(amount)} EUR`);
  });

  it('follow the digits of currencies, and keep numbers as they were written', async () => {
    const of = async (amount: string, currency: string) =>
      (
        await rowsOf(
          `{"booked":[{"debtorName":"X","transactionAmount":{"amount":${amount},"currency":"${currency}"}}]}`,
        )
      )[0];
    expect(await of('"100.5"', 'JPY')).not.toHaveProperty('amount');
    expect(await of('"100.00"', 'JPY')).toMatchObject({ amount: '100' });
    expect(await of('"1.234"', 'KWD')).toMatchObject({ amount: '1.234' });
    expect(await of('0.10', 'EUR')).toMatchObject({ amount: '0.10', marks: ['no-date', 'amount-as-number'] });
    expect(await of('12345678901234.56', 'EUR')).toMatchObject({ amount: '12345678901234.56' });
    expect(await of('"1.00"', 'eur')).toMatchObject({ amountAsSent: '1.00 eur' });
  });

  it('name the counterparty where the account is not given', async () => {
    const entry = { bookingDate: '2026-01-01', transactionAmount: eur('-1.00'), creditorName: 'X' };
    expect(await rowsOf(JSON.stringify({ booked: [entry] }))).toMatchObject([{ counterpartyName: 'X' }]);
  });

  it('mark days that are not days', async () => {
    const amount = { transactionAmount: eur('-1.00') };
    const rows = await rowsOf(
      list([
        amount,
        { ...amount, bookingDate: '2026-02-30' },
        { ...amount, bookingDate: '2024-02-29T23:59:59Z' },
      ]),
    );
    expect(rows.map(({ marks, bookingDate }) => [marks, bookingDate])).toEqual([
      [['no-date'], undefined],
      [['date-malformed', 'no-date'], undefined],
      [undefined, '2024-02-29'],
    ]);
  });

  it('contain balances, and the link of a report that is only to be downloaded', async () => {
    const balances = [
      { balanceType: 'closingBooked', balanceAmount: eur('-5.00'), referenceDate: '2026-01-01' },
      { balanceType: 'expected', balanceAmount: eur('x') },
    ];
    const { items } = await reading(JSON.stringify({ balances, _links: { download: { href: '/d/1' } } }));
    expect(items).toMatchObject([
      {
        kind: 'balance',
        balance: { balanceType: 'closingBooked', amount: '-5.00', referenceDate: '2026-01-01' },
      },
      { kind: 'problem', problem: { code: 'balance-malformed' } },
      { kind: 'link', name: 'download', href: '/d/1' },
    ]);
  });
});

describe('JSON that cannot be read', () => {
  const good = '{"transactionAmount":{"amount":"1.00","currency":"EUR"}}';
  const members = (count: number) => Array.from({ length: count }, (_, at) => `,"k${String(at)}":1`).join('');
  it.each([
    ['a cut off list', `{"booked":[${good},{"transactionAmount`, 1, 'ends too early'],
    ['a cut off end', `{"booked":[${good}]`, 1, 'ends too early'],
    ['a member twice in an entry', `{"booked":[${good},{"a":"1","a":"2"}]}`, 1, 'occurs twice'],
    ['a list twice', `{"booked":[${good}],"booked":[]}`, 1, 'occurs twice'],
    ['a missing comma', `{"booked":[${good} ${good}]}`, 1, 'is not expected'],
    ['a trailing comma', `{"booked":[${good},]}`, 1, 'is not expected'],
    ['a control character', `{"booked":[${good},{"a":"\n"}]}`, 1, 'control character'],
    ['something after the end', `{"booked":[${good}]} x`, 1, 'is not expected'],
    ['a deep entry', `{"booked":[${good},${'['.repeat(70)}`, 1, 'deeper than 64'],
    ['a huge entry', `{"booked":[${good},"${'x'.repeat(1_100_000)}"]}`, 1, 'longer than'],
    ['a wrong word', `{"booked":[${good},nul]}`, 1, 'not expected'],
    [
      'countless values in an entry',
      `{"booked":[${good},[1${',1'.repeat(260_000)}]]}`,
      1,
      'more than 250000',
    ],
    ['countless members', `{"booked":[${good}]${members(10_001)}}`, 1, 'more than 10000 members'],
  ])('yields the whole rows first: %s', async (_, text, rows, why) => {
    const read = await reading(text);
    expect(read.rows).toHaveLength(rows);
    expect(read.error).toMatchObject({
      code: 'ANSWER_UNREADABLE',
      detail: expect.stringContaining(why) as string,
    });
    expect((read.error as { detail: string }).detail).toMatch(/^At byte [0-9]+: /);
  });

  it('may be other than UTF-8', async () => {
    const { error } = await reading(Buffer.from('{"booked":["\u00ff"]}', 'latin1'));
    expect(error).toMatchObject({ code: 'ANSWER_UNREADABLE' });
  });
});
