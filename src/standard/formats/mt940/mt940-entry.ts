/** Field 61 of MT940 and MT942. Source: SWIFT User Handbook, category 9, and what banks write instead. */
import { longDay, swiftAmount, swiftDay } from './mt940-amount.ts';
import { isSwiftType } from './mt940-types.ts';
import { isOtherAccount, readSupplement } from './mt940-information.ts';
import { mark, negated, refuseAmount } from '../rows/report-values.ts';
import { checkDays, reportDay, setDay } from '../rows/report-dates.ts';
import { newRow } from '../rows/transaction-row.ts';
import type { RowStatus, TransactionRow } from '../rows/transaction-row.ts';

// The part before the amount: days, the direction, and the funds code, or the currency, that some banks write.
const beforeAmount =
  /^([^A-Za-z]*)([Rr]?[CcDd]|[Ee][CcDd])\s*([A-Za-z]{3}(?=\s*[0-9])|[a-z](?=\s*[0-9])|[A-Z](?=\s*(?:[^A-Z\s]|$)))?\s*/;
// An amount as SWIFT or anybody writes it; it is exact only if nothing goes on behind it that could be more of it: decimals
// behind a blank, or a comma or digits behind a number without one.
const exactAmount =
  /^((?:[0-9]{1,3}(?:[.' ][0-9]{3})+,[0-9]{1,3}|[0-9]{1,3}(?:[,' ][0-9]{3})+\.[0-9]{1,2}|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}\.[0-9]{1,2}|[0-9]+,(?:--?|(?!\s+[0-9]{1,2}(?![0-9]))[0-9]*)|,[0-9]{1,2}|[0-9]+\.(?:--?|[0-9]{1,2})|[0-9]+(?!\s*[.,0-9])))(?=[\sA-Za-z/]|$)\s*/;
// Another letter or a sign in place of the direction, or nothing but a blank.
const otherDirection = /^([0-9]{6}(?:[0-9]{4})?)(?:\s*([+-]|[A-Za-z]{1,3})\s*|\s+())(?=[0-9,])/;
const debits: ReadonlySet<string> = new Set(['D', 'ED', 'RC', '-']);
const inexactAmount = /^(.*?)(?=[NFS][A-Z0-9]{3}|\/\/|$)/;
/** The reference of the bank alone in a line. */
const bankReference = /^\/\/\S+\s*$/;
/** A line is folded where it has so many characters, with its tag or without. */
const folded = new Set([61, 65]);

/** The facts of a message that each of its entries takes over. */
export interface MessageFacts {
  readonly account: string | undefined;
  readonly status: RowStatus;
  readonly position: number;
}

/** An entry whose amount waits for its currency. */
export interface Entry {
  readonly row: TransactionRow;
  /** Undefined where nothing tells it. */
  readonly side: 'debit' | 'credit' | undefined;
  /** The amount as sent, where there is one, and the currency beside it. */
  readonly amount?: { readonly text: string; readonly currency: string };
}

/**
 * Makes the row of a field 61. RC takes a credit back and is a debit, RD takes a debit back and is a credit; EC and ED
 * are expected. What cannot be read is marked, and the field stays in the row as it was sent.
 */
export function readEntry(lines: readonly string[], { account, status, position }: MessageFacts): Entry {
  const row = newRow(position);
  if (account !== undefined) row.account = account;
  row.bookingStatus = status;
  const [first = '', ...more] = lines;
  const found = beforeAmount.exec(first) ?? otherDirection.exec(first);
  if (found === null) {
    mark(row, 'no-date');
    refuseAmount(row, lines.join(' ').trim(), '');
    return { row: asSent(row, lines), side: 'credit' };
  }
  const [head, days = '', told = '', funds = ''] = found;
  const direction = told.toUpperCase();
  const isUnknown = !/[CD+-]/.test(direction);
  if (isUnknown) mark(row, 'sign-unknown');
  if (direction.startsWith('E')) row.bookingStatus = 'pending';
  if (direction.startsWith('R')) row.reversal = true;
  readDays(row, days);
  let rest = first.slice(head.length);
  // Some banks break the line before the amount, and some transports break every line.
  const isBroken =
    rest === '' || folded.has(first.length) || (bankReference.test(more[0] ?? '') && !rest.includes('//'));
  const next = isBroken ? more.shift() : undefined;
  if (next !== undefined) rest += rest === '' ? next.trimStart() : next;
  const side = debits.has(direction) ? 'debit' : 'credit';
  const exact = exactAmount.exec(rest);
  const [whole, text = ''] = exact ?? inexactAmount.exec(rest) ?? [''];
  readReferences(row, rest.slice(whole.length));
  readSupplement(row, more);
  if (row.marks !== undefined) asSent(row, lines);
  if (exact === null && text.trim() === '') {
    // An entry without any amount is kept whole.
    refuseAmount(row, lines.join(' ').trim(), '');
    if (!isUnknown) row.direction = side;
    return { row: asSent(row, lines), side };
  }
  return {
    row,
    side: isUnknown ? undefined : side,
    amount: { text: text.trim(), currency: funds.length === 3 ? funds.toUpperCase() : '' },
  };
}

/** Puts the amount of an entry into its row in the currency of its message, '' where nothing tells it. */
export function settleAmount({ row, side, amount }: Entry, currency: string): void {
  if (amount === undefined) return;
  const { text } = amount;
  const known = amount.currency === '' ? currency : amount.currency;
  const found = swiftAmount(text, known);
  if (known !== '') row.currency = known;
  if (found === undefined) {
    delete row.currency;
    refuseAmount(row, text, known);
    if (side !== undefined) row.direction = side;
    return;
  }
  row.amount = side === 'debit' ? negated(found.amount) : found.amount;
  if (found.unusual) {
    mark(row, 'amount-unusual');
    row.amountAsSent = text;
  }
  if (known === '') {
    mark(row, 'currency-unknown');
    if (side !== undefined) row.direction = side;
  }
}

function asSent(row: TransactionRow, lines: readonly string[]): TransactionRow {
  row.entryAsSent = lines.join('\n');
  return row;
}

/** The value day as YYMMDD, and the day of entry as MMDD behind it; whatever else it is, is marked. */
function readDays(row: TransactionRow, text: string): void {
  const [, value = text.trim(), entry] = /^\s*([0-9]{6})\s*([0-9]{4})?\s*$/.exec(text) ?? [];
  const day = swiftDay(value);
  if (day !== undefined || !readOddDays(row, value)) {
    // The month tells the year of the day of entry, even where the value day is the 30th of February.
    const month = day?.slice(0, 7) ?? swiftDay(`${value.slice(0, 4)}01`)?.slice(0, 7);
    setDay(row, 'bookingDate', entry === undefined ? undefined : (besideMonth(month, entry) ?? entry));
    setDay(row, 'valueDate', day ?? value);
  }
  checkDays(row);
}

/**
 * Days that SWIFT does not write: with the century, with two digits of a day of entry that may be a day or a month, with a
 * year in the day of entry, with the time of day behind it, or with something else behind the value day.
 */
function readOddDays(row: TransactionRow, text: string): boolean {
  const [, six = '', behind] = /^([0-9]{6})\s*([^]*)$/.exec(text) ?? [];
  const short = behind === undefined ? undefined : swiftDay(six);
  if (short !== undefined && behind !== undefined && !/^(?:19|20)[0-9]{6}/.test(text)) {
    row.valueDate = short;
    const second = swiftDay(behind) ?? dayBeforeTime(behind, short);
    if (second !== undefined) row.bookingDate = second;
    mark(row, second !== undefined || /^[0-9]{2}$/.test(behind) ? 'date-unusual' : 'date-malformed');
    return true;
  }
  const [, long = '', entry] = /^([0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2})\s*([0-9]{4})?$/.exec(text) ?? [];
  const day = longDay(long);
  if (day === undefined) return false;
  row.valueDate = day;
  if (entry !== undefined) setDay(row, 'bookingDate', besideMonth(day, entry) ?? entry);
  mark(row, 'date-unusual');
  return true;
}

/** The day of MMDD in front of a time of day, which Pekao writes; undefined where it is none. */
function dayBeforeTime(text: string, day: string): string | undefined {
  const entry = /^([0-9]{4})(?:[01][0-9]|2[0-3])(?:[0-5][0-9]){1,2}$/.exec(text)?.[1];
  return entry === undefined ? undefined : besideMonth(day.slice(0, 7), entry);
}

function readReferences(row: TransactionRow, text: string): void {
  const type = typeIn(text);
  const [, customer = '', bank = ''] = /^([^]*?)(?:\/\/([^]*))?$/.exec(text.slice(type.length)) ?? [];
  if (type !== '') row.proprietaryBankTransactionCode = type.replace(/\s/g, '');
  const reference = customer.trim();
  // SNS, ASN and RegioBank have the other account there.
  if (isOtherAccount(row, reference)) row.counterpartyAccount = reference;
  else if (!/^(?:NONREF|KREF\+?)?$/i.test(reference)) row.entryReference = reference;
  if (!/^(?:NONREF)?$/i.test(bank.trim())) row.transactionId = bank.trim();
}

// Four letters, of which banks leave out one, fill up some with blanks, or leave out all.
const blankFilled = /^[NFS](?:[A-Z0-9] {2}|[A-Z0-9]{2} | {3})/;
const shortType = /^[NFS][A-Z0-9]{1,2}(?=\s|NONREF|KREF\+|\/\/|$)/;
const wholeType = /^(?:[NF][A-Z0-9]{3}|S[0-9]{3}|S[A-Z0-9]{3}(?=\s|NONREF|KREF\+|\/\/|$))/;
const brokenType = /^[NFS]\s?([A-Z0-9]{3})(?=\s|NONREF|KREF\+|\/\/|$)/;
// Before this word stand the four letters of a type, whichever they are.
const typeBeforeWord = /^[A-Z]{4}(?=NONREF)/;
const bareType = /^([A-Z]{3})(?=\s|NONREF|KREF\+|\/\/|$)/;

/** The type at the beginning, as long as it stands there; '' where none can be told from a reference. */
function typeIn(text: string): string {
  if (text.startsWith('NONREF')) return '';
  const found =
    blankFilled.exec(text) ?? shortType.exec(text) ?? wholeType.exec(text) ?? typeBeforeWord.exec(text);
  if (found !== null) return found[0];
  const broken = brokenType.exec(text) ?? bareType.exec(text);
  return broken !== null && (broken[0].includes(' ') || isSwiftType(broken[1] ?? '')) ? broken[0] : '';
}

/** The day of MMDD in the year that brings it nearest to the month of the value day. */
function besideMonth(month: string | undefined, entry: string): string | undefined {
  if (month === undefined) return undefined;
  const months = Number(entry.slice(0, 2)) - Number(month.slice(5, 7));
  const year = Number(month.slice(0, 4)) + (months > 6 ? -1 : months < -6 ? 1 : 0);
  return reportDay(`${String(year)}-${entry.slice(0, 2)}-${entry.slice(2)}`);
}
