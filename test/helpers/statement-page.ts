import { transactionsPage } from '../../src/cli/render/transactions-page.ts';
import type { PageOf } from '../../src/cli/render/transactions-page.ts';
import type { PrintedRow } from '../../src/cli/render/table.ts';
import { hostile } from './hostile-report.ts';

type Told = Partial<ReturnType<PageOf['told']>>;

/** The page of some rows. */
export function statementPage(rows: Iterable<PrintedRow>, told: Told = {}): string {
  const page = transactionsPage({
    at: '2026-11-23T10:00:00.000Z',
    version: '0',
    told: () => ({ balances: [], problems: [], notes: [], statements: [], goesOn: false, ...told }),
  });
  for (const row of rows) page.see(row);
  return page.text();
}

/** A statement of two accounts over four months, with texts that are HTML, long words and odd rows. */
export function hostileStatement(): string {
  const account = 'DE65990010000000002443';
  const rows: PrintedRow[] = [];
  for (let at = 0; at < 40; at += 1)
    rows.push({
      account,
      currency: 'EUR',
      amount: at % 7 === 0 ? '1500.00' : `-${String(40 + at)}.${String(10 + (at % 80))}`,
      bookingDate: `2026-0${String(1 + Math.floor(at / 10))}-${String(1 + (at % 28)).padStart(2, '0')}`,
      bookingStatus: 'booked',
      counterpartyName: at % 9 === 0 ? hostile : at % 11 === 0 ? 'W'.repeat(70) : `Shop ${String(at % 13)}`,
      counterpartyAccount: `DE0099001000000000${String(1000 + (at % 13))}`,
      remittanceInformationUnstructured: at % 5 === 0 ? 'x'.repeat(140) : hostile,
    });
  rows.push(
    { account, currency: 'EUR', amount: '-12.00', bookingStatus: 'pending', valueDate: '2026-05-02' },
    { account, currency: 'EUR', amountAsSent: hostile, bookingStatus: 'booked', marks: ['amount-malformed'] },
    { account: hostile, currency: hostile, amount: '1.00', bookingDate: hostile },
  );
  return statementPage(rows, {
    balances: [
      {
        account,
        balanceType: 'openingBooked',
        amount: '100.00',
        currency: 'EUR',
        referenceDate: '2025-12-31',
      },
      { account, balanceType: hostile, amount: hostile, currency: 'EUR' },
    ],
    problems: [{ code: 'sum-differs', detail: hostile }],
    statements: [{ account, values: { [hostile]: hostile, ':28C:': 'W'.repeat(400) } }],
    notes: [{ text: hostile }, { account, text: 'N'.repeat(400) }],
  });
}

const own = 'NL91ABNA0417164300';
const entry = (amount: string, more: PrintedRow = {}): PrintedRow => ({
  ...{ account: own, currency: 'EUR', bookingStatus: 'booked', bookingDate: '2026-01-05', amount },
  ...more,
});
const opening = (amount: string, currency = 'EUR') => ({
  ...{ account: own, balanceType: 'openingBooked', amount, currency, referenceDate: '2025-12-31' },
});

/** Pages of reports that have little, or what is rare, by what they are. */
export const rarePages: Readonly<Record<string, () => string>> = {
  'no entry and no balance': () => statementPage([]),
  'balances alone': () => statementPage([], { balances: [opening('-5.00')] }),
  'one entry': () => statementPage([entry('-1.00')], { balances: [opening('5.00')] }),
  'an opening balance below nothing': () =>
    statementPage([entry('2.00'), entry('-9.00', { bookingDate: '2026-01-09' })], {
      balances: [opening('-5.00')],
    }),
  'no balances': () => statementPage([entry('2.00'), entry('-9.00', { bookingDate: '2026-02-09' })]),
  'entries without days': () => {
    const { bookingDate: _day, ...without } = entry('-3.00');
    return statementPage([without, { ...without, amount: '8.00' }], { balances: [opening('0.00')] });
  },
  'days to come': () =>
    statementPage([entry('1.00'), entry('4.00', { bookingDate: '2099-12-31', bookingStatus: 'pending' })]),
  'five currencies': () =>
    statementPage(
      ['EUR', 'USD', 'JPY', 'KWD', 'CHF'].map((currency) =>
        entry(currency === 'JPY' ? '-100' : '-1.00', { currency }),
      ),
      { balances: [opening('10', 'JPY'), opening('1.000', 'KWD')] },
    ),
};
