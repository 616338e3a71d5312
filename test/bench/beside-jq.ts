import { spawnSync } from 'node:child_process';
import { parse } from 'csv-parse/sync';
import { transactionColumns } from '../../src/cli/commands/transactions/transaction-columns.ts';
import type { Machine } from './machine.ts';
import { pairedRatio } from './measure.ts';
import type { Timed } from './measure.ts';
import type { Figure } from './run.ts';

const pairs = 5;

/** `obk transactions read` of a saved list in a format. */
export type Read = (path: string, format: string, ...more: readonly string[]) => Timed;

/** What obk gives for CSV, column by column, in the words of jq. */
const columns = [
  ...['.bookingDate', '.valueDate', '.transactionAmount.amount', '.transactionAmount.currency'],
  ...['(.creditorName // .debtorName)', '(.creditorAccount // .debtorAccount).iban'],
  ...['.remittanceInformationUnstructured', '.remittanceInformationStructured', '"booked"'],
  ...['.transactionId', '.entryReference', '.endToEndId', '.mandateId', '.creditorId'],
  ...['.bankTransactionCode', '.proprietaryBankTransactionCode', '.purposeCode', '.additionalInformation'],
  // Documents, further texts, ultimate parties and what has no column: not in this list.
  ...['null', 'null', 'null', 'null', 'null', 'null'],
  ...['$account', 'null', '"Payments / Received Credit Transfers / SEPA Credit Transfer"'],
  // Reversals, amounts of the order, charges, batches, cards and what was not understood: not in this list.
  ...Array.from({ length: 29 }, () => 'null'),
];
const keyless = transactionColumns.map(({ key }) => key).filter((key) => key !== 'key');
const csv = (wanted: readonly string[]) =>
  `.account.iban as $account | .transactions.booked[] | [${wanted.join(', ')}] | @csv`;
const few = ['bookingDate', 'valueDate', 'amount', 'counterpartyName', 'remittanceInformationUnstructured'];

/** P10: a list of 100,000 transactions beside jq, where both give the same; `reading` makes rows of it and writes none. */
export async function besideJq(
  machine: Machine,
  list: string,
  read: Read,
  reading: Timed,
): Promise<Figure[]> {
  if (!isThere('jq')) return [absent('P10', 'jq')];
  const jq = (...args: readonly string[]): Timed => ({ argv: ['jq', ...args, list], env: machine.env });
  const entries = jq('-c', '.transactions.booked[]');
  const table = jq('-r', csv(columns));
  const asSent = read(list, 'ndjson', '--raw');
  // Every column but the key, which jq cannot make.
  const allColumns = read(list, 'csv', '--fields', keyless.join(','));
  if (outputOf(asSent) !== outputOf(entries)) throw new Error('obk and jq give other entries');
  if (cellsOf(outputOf(allColumns), 2) !== cellsOf(outputOf(table), 1))
    throw new Error('obk and jq give other cells');
  const five = jq('-r', csv([0, 1, 2, 4, 6].map((at) => columns[at] ?? '')));
  const figure = async (how: string, it: Timed, base: Timed, goal = Number.NaN): Promise<Figure> => {
    const { ratio } = await pairedRatio(it, base, pairs);
    return { id: 'P10', what: `100,000 transactions as ${how}`, ratio, goal };
  };
  return [
    await figure('NDJSON as the bank wrote it / jq -c, the same bytes', asSent, entries, 0.1),
    await figure('CSV / jq @csv, the same cells', allColumns, table, 0.28),
    await figure('CSV with the keys of the rows / jq @csv', read(list, 'csv'), table),
    await figure('rows with each sign, day and code checked, not written / jq @csv', reading, table),
    await figure('NDJSON of rows / jq -c', read(list, 'ndjson'), entries),
    await figure('CSV of five columns / jq @csv', read(list, 'csv', '--fields', few.join(',')), five),
  ];
}

/** What a command prints. */
function outputOf({ argv: [file, ...args], env }: Timed): string {
  return spawnSync(file, args, { env, maxBuffer: 1024 ** 3, encoding: 'utf8' }).stdout;
}

/** The cells of CSV from a line on, however they are quoted. */
const cellsOf = (text: string, from: number): string => JSON.stringify(parse(text, { from }));

/** Whether a program is installed. */
export const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined;

/** What is printed in place of a figure. */
export const absent = (id: string, program: string): Figure => ({
  id,
  what: `not measured: ${program} is not installed`,
  ratio: Number.NaN,
  goal: Number.NaN,
});
