/** Fields 61, 60 to 65 and 90 of MT940 and MT942. Source: SWIFT User Handbook, category 9. */
import { formatMinor, fractionDigits } from './amount.ts';
import { readSupplement } from './mt940-information.ts';
import {
  checkDays,
  mark,
  negated,
  refuseAmount,
  reportAmount,
  reportDay,
  setAmount,
  setDay,
} from './report-values.ts';
import type { RowStatus, TransactionRow } from './transaction-row.ts';

// The part before the amount: days, the direction, and the funds code that some banks write.
const beforeAmount = /^([^A-Z]*)(R?[CD]|E[CD])\s*([A-Z](?=\s*[^A-Z\s]))?\s*/;
// An amount is exact only if nothing goes on behind it that could be more of it.
const exactAmount = /^([0-9]+,[0-9]*)\s*(?=[A-Za-z/]|$)/;
const inexactAmount = /^(.*?)(?=[NFS][A-Z0-9]{3}|\/\/|$)/;
// Four letters, of which banks leave out one, fill up some with blanks, or leave out all.
const types = [
  /^([NFS][A-Z0-9]{1,2})(?=\s|NONREF|KREF\+)/,
  /^(?!NONREF)([NFS][A-Z0-9]{3})/,
  /^(?!NONREF)([NFS]\s?[A-Z0-9]{2,3}|[A-Z]{3,4})(?=\s|NONREF|KREF\+|\/\/|$)/,
];
const amountPattern = /^[0-9]{1,14},[0-9]*$/;

/** Returns a decimal string for a SWIFT amount such as `100,` or `12,5`, with the digits of its currency; else undefined. */
function swiftAmount(text: string, currency: string): string | undefined {
  if (!amountPattern.test(text) || text.length > 15) return undefined;
  const [whole = '', fraction = ''] = text.split(',');
  const digits = fractionDigits(currency);
  const padded = fraction.padEnd(digits, '0');
  return reportAmount(padded === '' ? whole : `${whole}.${padded}`, currency);
}

/** Returns the day of YYMMDD; years from 80 are of the last century. */
function swiftDay(text: string): string | undefined {
  if (!/^[0-9]{6}$/.test(text)) return undefined;
  const century = Number(text.slice(0, 2)) >= 80 ? '19' : '20';
  return reportDay(`${century}${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`);
}

/** The facts of a message that each of its entries takes over. */
export interface MessageFacts {
  readonly account: string | undefined;
  readonly currency: string;
  readonly status: RowStatus;
  readonly position: number;
}

/**
 * Makes the row of a field 61. RC takes a credit back and is a debit, RD takes a debit back and is a credit; EC and ED
 * are expected. What cannot be read is marked.
 */
export function entryRow(
  lines: readonly string[],
  { account, currency, status, position }: MessageFacts,
): TransactionRow {
  const row: TransactionRow = { position };
  if (account !== undefined) row.account = account;
  row.bookingStatus = status;
  const [first = '', ...more] = lines;
  const found = beforeAmount.exec(first);
  if (found === null) {
    mark(row, 'no-date');
    refuseAmount(row, lines.join(' '), '');
    return row;
  }
  const [head, days = '', direction = ''] = found;
  if (direction.startsWith('E')) row.bookingStatus = 'pending';
  if (direction.startsWith('R')) row.reversal = true;
  readDays(row, days);
  const rest = first.slice(head.length);
  const [whole, amount = ''] = exactAmount.exec(rest) ?? inexactAmount.exec(rest) ?? [''];
  const side = direction === 'D' || direction === 'ED' || direction === 'RC' ? 'debit' : 'credit';
  const exact = swiftAmount(amount, currency);
  if (exact === undefined || currency === '') {
    // An entry without any amount is kept whole.
    if (amount.trim() === '') refuseAmount(row, lines.join(' '), '');
    else refuseAmount(row, amount.trim(), currency);
    row.direction = side;
  } else setAmount(row, exact, currency, side);
  readReferences(row, rest.slice(whole.length));
  readSupplement(row, more.join(''));
  return row;
}

/** The value day as YYMMDD, and the day of entry as MMDD behind it; whatever else it is, is marked. */
function readDays(row: TransactionRow, text: string): void {
  const [, value = text.trim(), entry] = /^\s*([0-9]{6})\s*([0-9]{4})?\s*$/.exec(text) ?? [];
  const valueDay = swiftDay(value);
  setDay(row, 'bookingDate', entry === undefined ? undefined : (besideDay(valueDay, entry) ?? entry));
  setDay(row, 'valueDate', valueDay ?? value);
  checkDays(row);
}

function readReferences(row: TransactionRow, text: string): void {
  const type = types.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined) ?? '';
  const [, customer = '', bank = ''] = /^([^]*?)(?:\/\/([^]*))?$/.exec(text.slice(type.length)) ?? [];
  if (type !== '') row.proprietaryBankTransactionCode = type.replace(/\s/g, '');
  const reference = customer.trim();
  if (!/^(?:NONREF|KREF\+?)?$/.test(reference)) row.entryReference = reference;
  if (bank.trim() !== '') row.transactionId = bank.trim();
}

/** The day of MMDD in the year that brings it nearest to the value day. */
function besideDay(valueDay: string | undefined, entry: string): string | undefined {
  if (valueDay === undefined) return undefined;
  const months = Number(entry.slice(0, 2)) - Number(valueDay.slice(5, 7));
  const year = Number(valueDay.slice(0, 4)) + (months > 6 ? -1 : months < -6 ? 1 : 0);
  return reportDay(`${String(year)}-${entry.slice(0, 2)}-${entry.slice(2)}`);
}

/** A balance as far as it can be read: the signed amount, its currency and its day. */
export interface SwiftBalance {
  readonly amount?: string;
  readonly currency?: string;
  readonly referenceDate?: string;
}

/** Reads a balance such as C261121EUR100,00 part by part, because the entries need its currency whatever else is wrong. */
export function swiftBalance(text: string): SwiftBalance {
  const [, direction, day = '', currency, size = ''] =
    /^\s*([CD])?\s*([^A-Z]*)([A-Z]{3})(?![A-Z])\s*([^]*?)\s*$/.exec(text) ?? [];
  if (currency === undefined) return {};
  const amount = direction === undefined ? undefined : swiftAmount(size, currency);
  const referenceDate = swiftDay(day.trim());
  return {
    currency,
    ...(amount !== undefined && { amount: direction === 'D' ? negated(amount) : amount }),
    ...(referenceDate !== undefined && { referenceDate }),
  };
}

/** Reads a sum such as 3EUR100,00 of field 90: how many entries, and minor units of their size; undefined where it is none. */
export function swiftSum(text: string): { count: number; minor: bigint; currency: string } | undefined {
  const [, count = '', currency = '', size = ''] = /^([0-9]{1,5})([A-Z]{3})(.*)$/.exec(text.trim()) ?? [];
  const amount = swiftAmount(size, currency);
  if (amount === undefined) return undefined;
  return { count: Number(count), minor: BigInt(amount.replace('.', '')), currency };
}

/** Returns the text of a sum for a person. */
export const sumText = (count: number, minor: bigint, currency: string): string =>
  `${String(count)} entries, ${formatMinor(minor, currency)} ${currency}`;
