import { parseAmount } from '../../../../../src/standard/formats/money/amount.ts';
import { readReport } from '../../../../../src/standard/formats/reports/report.ts';
import type { TransactionRow } from '../../../../../src/standard/formats/rows/transaction-row.ts';
import type { ReportHints, ReportItem } from '../../../../../src/standard/formats/rows/report-reader.ts';

/** The bytes in pieces of the sizes given, over and over; as a file's, each is gone when the next is asked for. */
export async function* pieces(bytes: Uint8Array, sizes: readonly number[] = [65_536]) {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    const piece = Buffer.from(bytes.subarray(at, at + size));
    yield await Promise.resolve(piece);
    piece.fill(0xff);
    at += size;
  }
}

/** Reads a report to its end; `error` is what it broke off with. */
export async function reading(
  report: string | Uint8Array,
  hints: ReportHints = {},
  sizes?: readonly number[],
): Promise<{ items: ReportItem[]; rows: TransactionRow[]; error: unknown }> {
  const bytes = typeof report === 'string' ? Buffer.from(report) : report;
  const items: ReportItem[] = [];
  let error: unknown;
  try {
    for await (const some of readReport(pieces(bytes, sizes), hints)) items.push(...some);
  } catch (thrown) {
    error = thrown;
  }
  return { items, rows: items.flatMap((item) => (item.kind === 'row' ? [item.row] : [])), error };
}

/** The rows of a report that must be whole. */
export async function rowsOf(report: string | Uint8Array, hints?: ReportHints): Promise<TransactionRow[]> {
  const { rows, error } = await reading(report, hints);
  if (error !== undefined) throw error as Error;
  return rows;
}

/** What a report that must be whole says of its statements. */
export async function statementsOf(report: string) {
  const { items, error } = await reading(report);
  if (error !== undefined) throw error as Error;
  return items.flatMap((item) => (item.kind === 'statement' ? [item.statement] : []));
}

export const notesOf = async (report: string) =>
  (await reading(report)).items.flatMap((item) => (item.kind === 'note' ? [item.note.text] : []));

export const problemsOf = async (report: string) =>
  (await reading(report)).items.flatMap((item) => (item.kind === 'problem' ? [item.problem] : []));

export const firstRow = async (report: string) => (await reading(report)).rows[0];

/** Minor units of an amount that must be one. */
export function minor(amount: string | undefined, currency: string | undefined): bigint {
  const parsed = parseAmount(amount ?? '', currency ?? '');
  if (!parsed.ok) throw new Error(`${String(amount)}: ${parsed.why}`);
  return parsed.value.minor;
}

/** Whether opening balance and booked rows make the closing balance. */
export function addsUp(items: readonly ReportItem[]): boolean {
  let sum = 0n;
  for (const item of items) {
    if (item.kind === 'row') sum += minor(item.row.amount, item.row.currency);
    if (item.kind !== 'balance') continue;
    const { balanceType, amount, currency } = item.balance;
    if (balanceType === 'openingBooked' || balanceType === 'previouslyClosedBooked')
      sum += minor(amount, currency);
    if (balanceType === 'closingBooked') sum -= minor(amount, currency);
  }
  return sum === 0n;
}
