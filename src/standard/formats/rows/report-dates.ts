/** Days of account reports: as they were written, or marked as odd. */
import { keep, keepSent, mark } from './report-values.ts';
import type { TransactionRow } from './transaction-row.ts';

const usualDay = /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])$/;
const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Returns the day of an ISO date or date-time as it is written, without turning any zone; undefined where it is none. */
export function reportDay(text: string): string | undefined {
  if (usualDay.test(text)) return text;
  const found = /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[TZ+-]|$)/.exec(text);
  if (found === null) return undefined;
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const longest = month === 2 && !leap ? 28 : (days[month - 1] ?? 0);
  return day >= 1 && day <= longest ? text.slice(0, 10) : undefined;
}

/** Puts a day into a row under its name, or marks the row where it is none. */
export function setDay(
  row: TransactionRow,
  name: 'bookingDate' | 'valueDate' | 'transactionDate',
  text: string | undefined,
): void {
  if (text === undefined || text === '') return;
  const day = reportDay(text);
  if (day === undefined) {
    mark(row, 'date-malformed');
    keepSent(row, `${name} ${text}`);
    return;
  }
  row[name] = day;
  if (hasTime(text)) keep(row, `${name} ${text}`);
}

/** Whether a day was sent with more than its midnight: a time or a zone. */
export const hasTime = (text: string): boolean =>
  text.length > 'YYYY-MM-DD'.length && !/^.{10}T00:00(?::00(?:\.0*)?)?$/.test(text);

/** Marks a row that has no day at all; a standing order has none of its own. */
export function checkDays(row: TransactionRow): void {
  if (row.bookingDate !== undefined || row.valueDate !== undefined || row.transactionDate !== undefined)
    return;
  if (row.bookingStatus !== 'information') mark(row, 'no-date');
}
