import { transactionsPage } from '../../src/render/transactions-page.ts';
import type { PageOf } from '../../src/render/transactions-page.ts';
import type { Row } from '../../src/render/table.ts';
import { hostile } from './hostile-report.ts';

type Told = Partial<ReturnType<PageOf['told']>>;

/** The page of some rows. */
export function statementPage(rows: Iterable<Row>, told: Told = {}): string {
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
  const rows: Row[] = [];
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
  });
}
