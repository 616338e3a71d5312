// What a list in JSON says beyond its columns: kept under the path of its member, as typed here.
import { describe, expect, it } from 'vitest';
import { firstRow, notesOf, problemsOf, reading, statementsOf } from './reading.ts';

describe('a list in JSON', () => {
  const listed = (entryMembers: object, top: object = {}, account: object = {}) =>
    JSON.stringify({
      account: { iban: 'NL91ABNA0417164300', ...account },
      ...top,
      transactions: {
        booked: [
          {
            bookingDate: '2026-01-05',
            transactionAmount: { amount: '-5.00', currency: 'EUR' },
            ...entryMembers,
          },
        ],
      },
    });

  it('has members of its own beside the entries under their paths', async () => {
    const report = listed(
      {},
      {
        institutionName: 'Bank',
        page: { number: 1, of: 2.5 },
        complete: false,
        nothing: null,
        __proto__x: 'y',
      },
      { currency: 'EUR', name: 'Main', ownerName: 'Bakker BV', usage: 'ORGA' },
    );
    expect(await statementsOf(report)).toEqual([
      {
        account: 'NL91ABNA0417164300',
        values: {
          'account.ownerName': 'Bakker BV',
          'account.usage': 'ORGA',
          institutionName: 'Bank',
          'page.number': '1',
          'page.of': '2.5',
          complete: 'false',
          __proto__x: 'y',
        },
      },
    ]);
    expect(await statementsOf(listed({}))).toEqual([]);
  });

  it('has those within its lists of transactions, too', async () => {
    const report = '{"transactions":{"booked":[],"totalItems":7,"_links":{"account":{"href":"/a"}}}}';
    expect(await statementsOf(report)).toEqual([{ values: { 'transactions.totalItems': '7' } }]);
  });

  it('keeps the other members of a balance', async () => {
    const report = listed(
      {},
      {
        balances: [
          {
            balanceType: 'closingBooked',
            balanceAmount: { amount: '5.00', currency: 'EUR' },
            referenceDate: '2026-01-31T18:00:00Z',
            creditLimitIncluded: true,
            lastCommittedTransaction: 'T-9',
          },
          {
            balanceType: 'expected',
            balanceAmount: { amount: '5.00', currency: 'EUR' },
            referenceDate: '31.01.2026',
          },
        ],
      },
    );
    expect(await notesOf(report)).toEqual([
      'balances closingBooked creditLimitIncluded true lastCommittedTransaction T-9',
    ]);
    expect((await reading(report)).items.find(({ kind }) => kind === 'balance')).toMatchObject({
      balance: { referenceDate: '2026-01-31', referenceDateTime: '2026-01-31T18:00:00Z' },
    });
    expect((await problemsOf(report)).map(({ detail }) => detail)).toEqual([
      'the balance expected is "5.00 EUR" of "31.01.2026", whose day is not in the calendar',
    ]);
  });

  it.each([
    [
      { terminalId: 'T1', cardAcceptorAddress: { townName: 'Delft', country: 'NL' } },
      'terminalId T1 cardAcceptorAddress.townName Delft cardAcceptorAddress.country NL',
    ],
    [
      { invoiced: true, gone: null, tags: ['a', 'b'], points: 12.5 },
      'invoiced true tags a tags b points 12.5',
    ],
    [
      {
        remittanceInformationStructured: {
          reference: 'RF18539007547034',
          referenceType: 'SCOR',
          referenceIssuer: 'ISO',
        },
      },
      'remittanceInformationStructured.referenceIssuer ISO',
    ],
    [
      {
        currencyExchange: [
          {
            sourceCurrency: 'USD',
            exchangeRate: '1.1',
            quotationDate: '2026-01-04',
            contractIdentification: 'C-1',
          },
        ],
      },
      'currencyExchange.quotationDate 2026-01-04 currencyExchange.contractIdentification C-1',
    ],
    [{ batchNumberOfTransactions: 'many' }, 'batchNumberOfTransactions many'],
    [
      { creditorName: 'A', creditorAccount: { iban: 'NL44RABO0123456789', currency: 'USD' } },
      'creditorAccount.currency USD',
    ],
  ])('keeps members of an entry that have no column: %j', async (members, kept) => {
    expect((await firstRow(listed(members)))?.otherInformation).toBe(kept);
  });

  it('keeps both parties where nothing shows which is the counterparty', async () => {
    const report = JSON.stringify({
      transactions: {
        booked: [
          {
            bookingDate: '2026-01-05',
            transactionAmount: { amount: '5.00', currency: 'EUR' },
            creditorName: 'A',
            creditorAccount: { iban: 'NL44RABO0123456789' },
            debtorName: 'B',
          },
        ],
      },
    });
    expect(await firstRow(report)).toMatchObject({
      marks: ['sign-unknown'],
      otherInformation: 'creditorName A creditorAccount NL44RABO0123456789 debtorName B',
    });
  });

  it.each([
    [{ originalAmount: { amount: '1,5', currency: 'USD' } }, 'originalAmount 1,5 USD'],
    [{ markupFee: { amount: 'x', currency: 'EUR' } }, 'markupFee x EUR'],
    [
      { balanceAfterTransaction: { balanceAmount: { amount: '1.234', currency: 'EUR' } } },
      'balanceAfterTransaction 1.234 EUR',
    ],
    [
      { currencyExchange: { exchangeRate: '1', instructedAmount: { amount: '7.7.7', currency: 'EUR' } } },
      'instructedAmount 7.7.7 EUR',
    ],
  ])('marks and keeps an amount that cannot be read: %j', async (members, sent) => {
    expect(await firstRow(listed(members))).toMatchObject({
      marks: ['other-amount-malformed'],
      otherAmountsAsSent: sent,
    });
  });

  it('keeps a status and a direction that are unknown', async () => {
    const report =
      '{"transactions":[{"bookingDate":"2026-01-05","bookingStatus":"parked","creditDebitIndicator":"BOTH","transactionAmount":{"amount":"5.00","currency":"EUR"}}]}';
    expect(await firstRow(report)).toMatchObject({
      marks: ['status-unknown', 'sign-unknown'],
      entryAsSent: 'bookingStatus parked, direction BOTH',
    });
  });
});
