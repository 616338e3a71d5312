// No text of a bank is a formula in a spreadsheet, whichever column of a report it stands in.
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { transactionColumns } from '../../../../src/cli/commands/transactions/transaction-columns.ts';
import { transactionFields } from '../../../../src/standard/formats/rows/transaction-row.ts';
import type { TransactionRow } from '../../../../src/standard/formats/rows/transaction-row.ts';
import { render } from '../../../../src/cli/program/document.ts';
import { createStyle, plainStyle } from '../../../../src/cli/render/style.ts';

/** The members that hold text. */
const texts = Object.entries(transactionFields).flatMap(([key, { schema }]) =>
  schema.type === 'string' ? [key] : [],
);
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

describe.each(texts)('%s', (column) => {
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
  const others = transactionColumns.map(({ key }) => key).filter((key) => !texts.includes(key));
  expect(others).toEqual([
    ...['bookingStatus', 'marks', 'reversal', 'batchSize', 'direction', 'chargesIncluded', 'batchPosition'],
  ]);
});

it('all texts of a row are columns of a list, but those by which the interface addresses a transaction', () => {
  const listed = new Set(transactionColumns.map(({ key }) => key));
  expect(listed.size).toBe(transactionColumns.length);
  expect(texts.length).toBeGreaterThan(50);
  expect(texts.filter((key) => !listed.has(key))).toEqual(['resourceId', 'details']);
});
