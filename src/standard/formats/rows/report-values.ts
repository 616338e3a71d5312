/** Amounts and days of account reports: exact, or marked as odd. */
import { fractionDigits } from '../money/amount.ts';
import type { RowMark, TransactionRow } from './transaction-row.ts';

// A decimal of XML Schema may have no digits before the dot.
const amountPattern = /^([+-]?)(?=\.?[0-9])([0-9]{0,18})(?:\.([0-9]{0,18}))?$/;
const usual = /^-?(?:0|[1-9][0-9]{0,13})\.[0-9]{2}$/;

/**
 * Returns an amount as it was sent, without a plus, needless zeros in front and zeros that its currency has not;
 * undefined where it is no decimal number or has more digits than the currency (ISO 4217).
 */
export function reportAmount(text: string, currency: string): string | undefined {
  const digits = fractionDigits(currency);
  if (digits === 2 && usual.test(text)) return text;
  const found = amountPattern.exec(text);
  if (found === null) return undefined;
  const [, sign = '', whole = '', sent = ''] = found;
  const fraction =
    sent.length > digits ? sent.slice(0, digits) + sent.slice(digits).replace(/0+$/, '') : sent;
  if (fraction.length > digits) return undefined;
  const size = (whole.replace(/^0+(?=[0-9])/, '') || '0') + (fraction === '' ? '' : `.${fraction}`);
  return sign === '-' ? `-${size}` : size;
}

/** Returns the amount with the other sign; zero has none. */
export function negated(amount: string): string {
  if (amount.startsWith('-')) return amount.slice(1);
  return /[1-9]/.test(amount) ? `-${amount}` : amount;
}

/**
 * Puts an amount into a row, or marks the row where there is none that can be read. Where a word beside it tells the
 * direction (camt, MT940), the amount has no sign of its own and gets it from there.
 */
export function setAmount(
  row: TransactionRow,
  text: string | undefined,
  currency: string,
  direction?: 'debit' | 'credit',
): void {
  if (text === undefined || text === '') {
    mark(row, 'no-amount');
    if (direction !== undefined) row.direction = direction;
    return;
  }
  const known = /^[A-Z]{3}$/.test(currency);
  if (known) row.currency = currency;
  const twice = direction !== undefined && text.startsWith('-');
  const amount = known && !twice ? reportAmount(text, currency) : undefined;
  if (amount === undefined) {
    refuseAmount(row, text, currency);
    if (direction !== undefined) row.direction = direction;
  } else row.amount = direction === 'debit' ? negated(amount) : amount;
}

/** Leaves a row without an amount and keeps what was sent in its place. */
export function refuseAmount(row: TransactionRow, text: string, currency: string): void {
  row.amountAsSent = currency === '' ? text : `${text} ${currency}`;
  mark(row, 'amount-malformed');
}

/** Adds a mark to a row, once. */
export function mark(row: TransactionRow, as: RowMark): void {
  row.marks ??= [];
  if (!row.marks.includes(as)) row.marks.push(as);
}

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

/** Keeps what was sent in the place of something that could not be read, and what it should have been. */
export function keepSent(row: TransactionRow, text: string): void {
  row.entryAsSent = row.entryAsSent === undefined ? text : `${row.entryAsSent}, ${text}`;
}

/** Keeps an amount beside that of the entry as it was sent, where it could not be read or makes no sum. */
export function keepAmount(row: TransactionRow, text: string): void {
  row.otherAmountsAsSent = row.otherAmountsAsSent === undefined ? text : `${row.otherAmountsAsSent}, ${text}`;
}

/** Keeps a text that has no column of its own. */
export function keep(row: TransactionRow, text: string): void {
  const told = text.trim();
  if (told === '') return;
  row.otherInformation = row.otherInformation === undefined ? told : `${row.otherInformation} ${told}`;
}

/** Marks a row that has no day at all; a standing order has none of its own. */
export function checkDays(row: TransactionRow): void {
  if (row.bookingDate !== undefined || row.valueDate !== undefined || row.transactionDate !== undefined)
    return;
  if (row.bookingStatus !== 'information') mark(row, 'no-date');
}
