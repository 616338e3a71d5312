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

const entryPattern = /^([0-9]{6})([0-9]{4})?(R?[CD]|E[CD])([A-Z])?(.*?)([NFS][A-Z0-9]{3})(.*?)(?:\/\/(.*))?$/;
const amountPattern = /^[0-9]{1,14},[0-9]*$/;

/** Gives a decimal string for a SWIFT amount such as `100,` or `12,5`, with the digits of its currency; else undefined. */
export function swiftAmount(text: string, currency: string): string | undefined {
  if (!amountPattern.test(text) || text.length > 15) return undefined;
  const [whole = '', fraction = ''] = text.split(',');
  const digits = fractionDigits(currency);
  const padded = fraction.padEnd(digits, '0');
  return reportAmount(padded === '' ? whole : `${whole}.${padded}`, currency);
}

/** Gives the day of YYMMDD; years from 80 are of the last century. */
export function swiftDay(text: string): string | undefined {
  const century = Number(text.slice(0, 2)) >= 80 ? '19' : '20';
  return reportDay(`${century}${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`);
}

/** What an entry takes from its message. */
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
  const found = entryPattern.exec(first);
  if (found === null) {
    mark(row, 'no-date');
    refuseAmount(row, first, '');
    return row;
  }
  const [, value = '', entry, direction = '', , amount = '', type = '', customer = '', bank] = found;
  if (direction.startsWith('E')) row.bookingStatus = 'pending';
  if (direction.startsWith('R')) row.reversal = true;
  const debit = direction === 'D' || direction === 'ED' || direction === 'RC';
  const valueDay = swiftDay(value);
  setDay(row, 'bookingDate', entry === undefined ? undefined : (besideDay(valueDay, entry) ?? entry));
  setDay(row, 'valueDate', valueDay ?? value);
  checkDays(row);
  const exact = swiftAmount(amount, currency);
  if (exact === undefined) refuseAmount(row, amount, currency);
  else setAmount(row, exact, currency, debit ? 'debit' : 'credit');
  row.proprietaryBankTransactionCode = type;
  const reference = customer.trim();
  if (!/^(?:NONREF|KREF\+?)?$/.test(reference)) row.entryReference = reference;
  if (bank !== undefined && bank.trim() !== '') row.transactionId = bank.trim();
  readSupplement(row, more.join(''));
  return row;
}

/** The day of MMDD in the year that brings it nearest to the value day. */
function besideDay(valueDay: string | undefined, entry: string): string | undefined {
  if (valueDay === undefined) return undefined;
  const months = Number(entry.slice(0, 2)) - Number(valueDay.slice(5, 7));
  const year = Number(valueDay.slice(0, 4)) + (months > 6 ? -1 : months < -6 ? 1 : 0);
  return reportDay(`${String(year)}-${entry.slice(0, 2)}-${entry.slice(2)}`);
}

/** Reads a balance such as C261121EUR100,00: signed amount, currency and day; undefined where it is none. */
export function swiftBalance(
  text: string,
): { amount: string; currency: string; referenceDate: string } | undefined {
  const [, direction, day = '', currency = '', size = ''] =
    /^([CD])([0-9]{6})([A-Z]{3})(.*)$/.exec(text.trim()) ?? [];
  const amount = swiftAmount(size, currency);
  const referenceDate = swiftDay(day);
  if (amount === undefined || referenceDate === undefined) return undefined;
  return {
    amount: direction === 'D' ? negated(amount) : amount,
    currency,
    referenceDate,
  };
}

/** Reads a sum such as 3EUR100,00 of field 90: how many entries, and minor units of their size; undefined where it is none. */
export function swiftSum(text: string): { count: number; minor: bigint; currency: string } | undefined {
  const [, count = '', currency = '', size = ''] = /^([0-9]{1,5})([A-Z]{3})(.*)$/.exec(text.trim()) ?? [];
  const amount = swiftAmount(size, currency);
  if (amount === undefined) return undefined;
  return { count: Number(count), minor: BigInt(amount.replace('.', '')), currency };
}

/** Gives the text of a sum for a person. */
export const sumText = (count: number, minor: bigint, currency: string): string =>
  `${String(count)} entries, ${formatMinor(minor, currency)} ${currency}`;
