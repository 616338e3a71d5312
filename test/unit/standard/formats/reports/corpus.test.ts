// One week of one account as messages typed from the standards: ISO 20022 camt.052, .053 and .054 in versions 02 and 08, MT940 and
// MT942 of SWIFT and with the German field 86, JSON lists of 1.3.2 and 1.3.6. Every field of every row is compared.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addsUp, reading } from './reading.ts';

const account = 'DE40100100103307118608';
const eur = { account, currency: 'EUR' };
type Row = Readonly<Record<string, unknown>>;

const salary: Row = {
  ...eur,
  position: 1,
  bookingStatus: 'booked',
  bookingDate: '2026-11-19',
  valueDate: '2026-11-19',
  amount: '2500.00',
  counterpartyName: 'Arbeitgeber & Co. KG',
  counterpartyAccount: 'DE02120300000000202051',
  remittanceInformationUnstructured: 'Gehalt November 2026 Pers.-Nr. 4711',
  endToEndId: 'SALARY-2026-11',
  transactionId: '2026323010000001',
  purposeCode: 'SALA',
  bankTransactionCode: 'PMNT-RCDT-SALA',
  bankTransactionText: 'Payments / Received Credit Transfers / Payroll/Salary Payment',
};
const debit: Row = {
  ...eur,
  position: 2,
  bookingStatus: 'booked',
  bookingDate: '2026-11-20',
  valueDate: '2026-11-20',
  amount: '-54.33',
  counterpartyName: 'Stadtwerke Köln',
  counterpartyAccount: 'DE89370400440532013000',
  creditorId: 'DE98ZZZ09999999999',
  mandateId: 'MANDAT-42',
  remittanceInformationStructured: 'RF18539007547034',
  endToEndId: 'RG-0815',
  transactionId: '2026324010000002',
};
const abroad: Row = {
  ...eur,
  position: 3,
  bookingStatus: 'booked',
  bookingDate: '2026-11-20',
  valueDate: '2026-11-20',
  amount: '-1100.00',
  counterpartyName: 'Overseas Trading Inc.',
  counterpartyAccount: '123456789',
  remittanceInformationUnstructured: 'Invoice 2026/77',
  exchangeRate: '1.083',
  exchangeSourceCurrency: 'EUR',
  exchangeTargetCurrency: 'USD',
  exchangeUnitCurrency: 'EUR',
};
const without = (row: Row, ...names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
const pending = (row: Row): Row => ({ ...without(row, 'bookingDate'), bookingStatus: 'pending' });

const camt: readonly [Row, Row, Row] = [
  {
    ...salary,
    counterpartyAgent: 'BYLADEM1001',
    additionalInformation: 'LOHN, GEHALT, RENTE',
    entryReference: '2026-11-19-0001',
    proprietaryBankTransactionCode: 'NTRF+153+00931',
    proprietaryBankTransactionCodeIssuer: 'DK',
  },
  {
    ...debit,
    otherInformation: 'bookingDate 2026-11-20T06:00:00.000+01:00',
    creditorReferenceType: 'SCOR',
    counterpartyAgent: 'COBADEFFXXX',
    additionalInformation: 'SEPA-BASISLASTSCHRIFT',
    entryReference: '2026-11-20-0002',
    bankTransactionCode: 'PMNT-RDDT-ESDD',
    bankTransactionText: 'Payments / Received Direct Debits / SEPA Core Direct Debit',
    proprietaryBankTransactionCode: 'NDDT+105+00931',
    proprietaryBankTransactionCodeIssuer: 'DK',
  },
  {
    ...abroad,
    counterpartyAgent: 'CHASUS33XXX',
    endToEndId: 'NOTPROVIDED',
    entryReference: '2026-11-20-0003',
    bankTransactionCode: 'PMNT-ICDT-XBCT',
    bankTransactionText: 'Payments / Issued Credit Transfers / Cross-Border Credit Transfer',
    originalAmount: '1191.30',
    originalCurrency: 'USD',
  },
];

const ownCode = ['proprietaryBankTransactionCode', 'proprietaryBankTransactionCodeIssuer'];
/** The columns for which MT940 has no word. */
const ofXml = [
  ...['purposeCode', 'bankTransactionCode', 'bankTransactionText', 'remittanceInformationStructured'],
  ...['exchangeRate', 'exchangeSourceCurrency', 'exchangeTargetCurrency', 'exchangeUnitCurrency'],
];
/** What is told of the same entries by the structured field 86 of German banks, and by SWIFT alone. */
const german = (row: Row, more: Row): Row => ({
  ...without(row, ...ofXml),
  account: '10010010/3307118608',
  ...more,
});
const germanDebit = german(debit, {
  counterpartyName: 'Stadtwerke Koeln',
  counterpartyAgent: 'COBADEFFXXX',
  additionalInformation: 'SEPA-BASISLASTSCHRIFT',
  proprietaryBankTransactionCode: 'N105+105',
  bankTransactionText: 'SEPA Direct Debit Core, debit',
  entryReference: 'RG-0815',
  remittanceInformationUnstructured: 'RF18539007547034',
});
const plain = (row: Row, code: string, text: string, more: Row = {}): Row => ({
  ...eur,
  position: row['position'],
  bookingStatus: row['bookingStatus'],
  bookingDate: row['bookingDate'],
  valueDate: row['valueDate'],
  amount: row['amount'],
  ...(row['transactionId'] !== undefined && { transactionId: row['transactionId'] }),
  proprietaryBankTransactionCode: code,
  remittanceInformationUnstructured: text,
  ...more,
});
const swiftAbroad = plain(abroad, 'FTRF', 'OVERSEAS TRADING INC. INVOICE 2026/77');

const named = (row: Row): Row => ({ ...row, resourceId: row['transactionId'] });

interface Message {
  rows: readonly Row[];
  /** Type, signed amount and day. */
  balances: readonly (readonly [string, string, string])[];
}
const begin = ['openingBooked', '1000.00', '2026-11-18'] as const;
const end = ['closingBooked', '2345.67', '2026-11-20'] as const;
const interim: Message = {
  rows: [camt[0], camt[1], pending(camt[2])],
  balances: [['interimBooked', '2445.67', '2026-11-20']],
};
const statement: Message = { rows: camt, balances: [begin, end] };
const notification: Message = { rows: camt, balances: [] };

const messages: Readonly<Record<string, Message>> = {
  'camt.052.001.02.xml': interim,
  'camt.052.001.08.xml': interim,
  'camt.053.001.02.xml': statement,
  'camt.053.001.08.xml': statement,
  'camt.054.001.02.xml': notification,
  'camt.054.001.08.xml': notification,
  'mt940-german.sta': {
    rows: [
      german(salary, {
        counterpartyName: 'Arbeitgeber + Co. KG',
        counterpartyAgent: 'BYLADEM1001',
        additionalInformation: 'LOHN, GEHALT, RENTE',
        proprietaryBankTransactionCode: 'N153+153+0931',
        bankTransactionText: 'SEPA Salary or Pension, credit',
      }),
      { ...germanDebit, proprietaryBankTransactionCode: 'N105+105+0931' },
      german(abroad, {
        counterpartyAgent: 'CHASUS33XXX',
        additionalInformation: 'AUSLANDSUEBERWEISUNG',
        proprietaryBankTransactionCode: 'N201+201+0931',
        bankTransactionText: 'International Payment, debit',
        originalAmount: '1191.30',
        originalCurrency: 'USD',
      }),
    ],
    balances: [begin, end, ['closingAvailable', '2345.67', '2026-11-20']],
  },
  'mt940-swift.sta': {
    rows: [
      plain(salary, 'NTRF', 'ARBEITGEBER + CO. KG GEHALT NOVEMBER 2026', {
        entryReference: 'SALARY-2026-11',
      }),
      plain(debit, 'NDDT', 'STADTWERKE KOELN RF18539007547034', { entryReference: 'RG-0815' }),
      swiftAbroad,
    ],
    balances: [begin, end],
  },
  'mt942-german.sta': { rows: [{ ...germanDebit, position: 1, bookingStatus: 'pending' }], balances: [] },
  'mt942-swift.sta': {
    rows: [
      { ...swiftAbroad, position: 1, bookingStatus: 'pending' },
      {
        ...without(plain(salary, 'NTRF', ''), 'bookingDate', 'remittanceInformationUnstructured'),
        ...{
          position: 2,
          bookingStatus: 'pending',
          valueDate: '2026-11-20',
          entryReference: 'SALARY-2026-11',
        },
      },
    ],
    balances: [],
  },
  'list-v1.json': {
    rows: [
      {
        ...named(salary),
        remittanceInformationUnstructured: 'Gehalt November 2026',
        proprietaryBankTransactionCode: '153',
      },
      named(debit),
      {
        ...pending(abroad),
        ...{ transactionId: 'p-1', resourceId: 'p-1' },
        otherInformation: 'currencyExchange.quotationDate 2026-11-20',
      },
    ],
    balances: [['interimBooked', '3445.67', '2026-11-20']],
  },
  'list-v136.json': {
    rows: [
      {
        ...without(named({ ...camt[0] }), ...ownCode),
        ...{ balanceAfter: '3500.00', balanceAfterCurrency: 'EUR' },
        details: '/v136/accounts/3dc3d5b3/transactions/2026323010000001',
      },
      {
        ...named(debit),
        ...{ counterpartyAgent: 'COBADEFFXXX', entryReference: '2026-11-20-0002' },
      },
      {
        ...eur,
        position: 3,
        bookingStatus: 'information',
        amount: '-700.00',
        counterpartyName: 'Vermieter',
        counterpartyAccount: 'DE02100100109307118603',
        remittanceInformationUnstructured: 'Miete',
        bankTransactionCode: 'PMNT-ICDT-STDO',
        bankTransactionText: 'Payments / Issued Credit Transfers / Standing Order',
        ...{ transactionId: 'so-1', resourceId: 'so-1' },
        otherInformation: [
          'startDate 2024-01-01',
          'endDate 2027-12-31',
          'executionRule preceding',
          'frequency Monthly',
          'dayOfExecution 1',
        ]
          .map((told) => `additionalInformationStructured.standingOrderDetails.${told}`)
          .join(' '),
      },
    ],
    balances: [begin, ['closingBooked', '3445.67', '2026-11-20']],
  },
};

const read = (name: string) => readFileSync(join(import.meta.dirname, 'corpus', name));

describe.each(Object.entries(messages))('the sample %s', (name, { rows: expected, balances }) => {
  it('becomes these rows and balances, wherever its bytes are cut', async () => {
    for (const size of [65_536, 7]) {
      const { items, rows, error } = await reading(read(name), {}, [size]);
      expect(error).toBeUndefined();
      expect(rows).toEqual(expected);
      expect(
        items.flatMap((item) =>
          item.kind === 'balance'
            ? [[item.balance.balanceType, item.balance.amount, item.balance.referenceDate]]
            : [],
        ),
      ).toEqual(balances);
      expect(items.filter(({ kind }) => kind === 'problem')).toEqual([]);
    }
  });
});

it.each(Object.keys(messages).filter((name) => messages[name]?.balances[0] === begin))(
  'the sample %s leads from the opening to the closing balance',
  async (name) => {
    const { items } = await reading(read(name));
    expect(addsUp(items.filter((item) => item.kind !== 'row' || item.row.bookingStatus === 'booked'))).toBe(
      true,
    );
  },
);
