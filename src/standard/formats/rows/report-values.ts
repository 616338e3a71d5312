/** Amounts of account reports, exact or marked as odd, and what is kept of the rest as it was sent. */
import { isCurrencyCode } from '../../../base/values.ts';
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
  const known = isCurrencyCode(currency);
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
