// No text of a bank is a formula in a spreadsheet, whichever column of a report it stands in.
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { transactionColumns } from '../../../../src/cli/commands/transactions/transaction-columns.ts';
import type { TransactionRow } from '../../../../src/standard/formats/rows/transaction-row.ts';
import { render } from '../../../../src/cli/program/document.ts';
import { createStyle, plainStyle } from '../../../../src/cli/render/style.ts';

type Texts = {
  [K in keyof TransactionRow]-?: string extends NonNullable<TransactionRow[K]> ? K : never;
}[keyof TransactionRow];
/** The columns that hold text; without one of them this does not compile. */
const texts: Readonly<Record<Texts, true>> = {
  account: true,
  bookingDate: true,
  valueDate: true,
  amount: true,
  currency: true,
  counterpartyName: true,
  counterpartyAccount: true,
  counterpartyAgent: true,
  remittanceInformationUnstructured: true,
  remittanceInformationStructured: true,
  creditorReferenceType: true,
  referredDocuments: true,
  additionalRemittanceInformation: true,
  additionalInformation: true,
  otherInformation: true,
  ultimateDebtor: true,
  ultimateCreditor: true,
  endToEndId: true,
  mandateId: true,
  creditorId: true,
  checkId: true,
  key: true,
  entryReference: true,
  transactionId: true,
  bankTransactionCode: true,
  bankTransactionText: true,
  proprietaryBankTransactionCode: true,
  proprietaryBankTransactionCodeIssuer: true,
  purposeCode: true,
  originalAmount: true,
  originalCurrency: true,
  exchangeRate: true,
  exchangeSourceCurrency: true,
  exchangeTargetCurrency: true,
  exchangeUnitCurrency: true,
  chargesAmount: true,
  chargesCurrency: true,
  balanceAfter: true,
  balanceAfterCurrency: true,
  returnReason: true,
  batchReference: true,
  batchMessageId: true,
  batchAmount: true,
  maskedPan: true,
  merchantCategoryCode: true,
  transactionDate: true,
  resourceId: true,
  details: true,
  entryAsSent: true,
  amountAsSent: true,
  otherAmountsAsSent: true,
  file: true,
};
const terminal = createStyle({ isTTY: true, columns: 80, env: {}, colour: 'never' });

const begins = ['=', '+', '-', '@', '\t', '\r', '\n=', '\uff1d', '\uff0b', '\uff0d', '\uff20'];
const formulas = begins.map((begin) => `${begin}cmd|' /C calc'!A0`);

async function csvOf(row: TransactionRow, keys: readonly string[], style = plainStyle): Promise<string[]> {
  const columns = keys.map((key) => ({ key, title: key }));
  let text = '';
  for await (const part of render(
    { kind: 'rows', columns, rows: [row] as never, nameKey: 'position', empty: '' },
    { format: 'csv', style },
  ))
    text += part;
  const [, ...lines] = parse(text, { record_delimiter: style.tty ? '\n' : '\r\n' });
  expect(lines).toHaveLength(1);
  return lines[0] ?? [];
}

describe.each(Object.keys(texts))('%s', (column) => {
  it.each(formulas)('%j', async (formula) => {
    const row = { position: 1, [column]: formula } as TransactionRow;
    const keys = ['position', column, 'file'];
    // Where a line ends, a spreadsheet may begin a cell.
    const guarded = `'${formula.replace('\n=', "\n'=")}`;
    expect(await csvOf(row, keys)).toEqual(['1', guarded, column === 'file' ? guarded : '']);
    for (const cell of await csvOf(row, keys, terminal)) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
  });
});

it('an amount with its minus is a number all the same', async () => {
  const row: TransactionRow = { position: 1, amount: '-12.50', batchAmount: '-1', amountAsSent: '-1,5 EUR' };
  expect(await csvOf(row, ['amount', 'batchAmount', 'amountAsSent'])).toEqual(['-12.50', '-1', "'-1,5 EUR"]);
});

it.each([
  ['Rent;=1+1', "Rent;'=1+1"],
  ['Rent; \t=1+1', "Rent;' \t'=1+1"],
  ['Rent;"=1+1', 'Rent;\'"=1+1'],
  ['Rent\n@SUM(A1)', "Rent\n'@SUM(A1)"],
  ['Rent\r\n-1+1', "Rent\r'\n'-1+1"],
  ['  =1+1', "'  =1+1"],
  ['=1;=2;=3', "'=1;'=2;'=3"],
  ['Rent;-12.50', "Rent;'-12.50"],
  ['Rent; November = paid', 'Rent; November = paid'],
])('%j is no formula where semicolons divide cells', async (sent, written) => {
  const row: TransactionRow = { position: 1, remittanceInformationUnstructured: sent };
  expect(await csvOf(row, ['remittanceInformationUnstructured'])).toEqual([written]);
});

it('all columns of a list are among them, or are no text of a bank', () => {
  const others = transactionColumns.map(({ key }) => key).filter((key) => !(key in texts));
  expect(others).toEqual([
    ...['bookingStatus', 'marks', 'reversal', 'batchSize', 'direction', 'chargesIncluded', 'batchPosition'],
  ]);
});

it('all texts of a row are columns of a list, but those by which the interface addresses a transaction', () => {
  const listed = new Set(transactionColumns.map(({ key }) => key));
  expect(listed.size).toBe(transactionColumns.length);
  expect(Object.keys(texts).filter((key) => !listed.has(key))).toEqual(['resourceId', 'details']);
});
