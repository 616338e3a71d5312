/** Texts of field 86 put into the columns of a row so that nothing of them is lost. */
import { swiftAmount } from './mt940-amount.ts';
import { keep, mark } from '../rows/report-values.ts';
import type { TransactionRow } from '../rows/transaction-row.ts';

// Where a bank broke a text: a full part goes on without a blank; a shorter one has lost one at its end. They are no characters of
// SWIFT, and below 256, since one beyond doubles the memory of the text that it stands in.
const full = '\x1e';
const short = '\x1f';
/** The signs of both, for a set of characters in a pattern. */
export const breakSigns = `${full}${short}`;
const breaks = new RegExp(`[${breakSigns}]`, 'g');
const leading = new RegExp(`^[\\s${breakSigns}]+`);

/** The columns that hold text. */
export type Texts = {
  [K in keyof TransactionRow]-?: string extends NonNullable<TransactionRow[K]> ? K : never;
}[keyof TransactionRow];

/** Returns the number of an account without the slashes that SWIFT has in front of one. */
export const withoutSlash = (account: string): string =>
  account.replace(/^\/+(?=[A-Z]{2}[0-9]{2}|[0-9])/, '');

/** Puts a text into its column; where that is taken by another one, it is kept under its label. */
export function put(row: TransactionRow, name: Texts, text: string | undefined, label = ''): void {
  const sent = text?.trim();
  if (sent === undefined || sent === '') return;
  const told = name === 'counterpartyAccount' ? withoutSlash(sent) : sent;
  const there = row[name];
  if (there === undefined) row[name] = told;
  else if (there !== told) keep(row, label + told);
}

/** Adds text to the remittance information. */
export function addText(row: TransactionRow, text: string): void {
  const told = text.trim();
  if (told === '') return;
  const there = row.remittanceInformationUnstructured;
  row.remittanceInformationUnstructured = there === undefined ? told : `${there} ${told}`;
}

/** Returns what a bank sent without characters that would be taken for breaks. */
export const withoutBreaks = (text: string): string =>
  text.includes(full) || text.includes(short) ? text.replace(breaks, '') : text;

/** Joins the parts of a text of this width, or as wide as the widest, and marks where they were broken; the first may have a tag. */
export function withBreaks(parts: readonly string[], width: number, tag = 0): string {
  const [first = ''] = parts;
  if (parts.length < 2) return withoutBreaks(first);
  const widest = Math.max(width, ...parts.map(({ length }) => length));
  return parts
    .map((part, index) => {
      const next = parts[index + 1];
      const text = withoutBreaks(part);
      if (next === undefined) return text;
      const isFull = part.length === widest || (index === 0 && part.length === width - tag);
      return text + (!isFull && !next.startsWith(' ') && !part.endsWith(' ') ? short : full);
    })
    .join('');
}

/** Returns a text whose breaks are blanks where words end. */
export const plain = (text: string): string => {
  const joined = text.includes(full) ? text.replaceAll(full, '') : text;
  return joined.includes(short) ? joined.replaceAll(short, ' ') : joined;
};

/** Splits a reference from the text behind it: it ends where a part of the text ends that is not full. */
export function referenceIn(text: string): readonly [reference: string, rest: string] {
  const begun = text.replace(leading, '');
  const end = begun.indexOf(short);
  if (end < 0) return [plain(begun).trim(), ''];
  return [plain(begun.slice(0, end)).trim(), begun.slice(end + 1)];
}

/** The places where a word may begin: at the beginning of a text or of a part, and behind a blank. */
export const wordStart = `(?:^|[${breakSigns} ])`;

type Money = 'OCMT' | 'OAMT' | 'CHGS' | 'COAM';

/** Reads an amount such as EUR12,34 under its word: the original one, or the charges; or keeps it, marked. */
export function readMoney(row: TransactionRow, word: Money, text: string | undefined): void {
  const told = text?.trim() ?? '';
  if (told === '') return;
  const [, before, digits = '', behind, tail = ''] =
    /^([A-Z]{3})?\s*([0-9][0-9.,' ]*?)\s*([A-Z]{3})?(?:([/,])\s*)?$/.exec(told) ?? [];
  // A comma behind whole units is theirs; behind decimals it only ends the amount.
  const size = tail === ',' && behind === undefined && !/[.,]/.test(digits) ? `${digits},` : digits;
  const currency = before ?? behind ?? '';
  // SWIFT has a comma; an amount with a dot is kept as it came.
  const found =
    currency === '' || (before !== undefined && behind !== undefined)
      ? undefined
      : swiftAmount(size, currency);
  const charges = word === 'CHGS' || word === 'COAM';
  const taken = (charges ? row.chargesAmount : row.originalAmount) !== undefined;
  if (found === undefined || found.unusual || taken) {
    const sofar = row.otherAmountsAsSent === undefined ? '' : `${row.otherAmountsAsSent}, `;
    row.otherAmountsAsSent = `${sofar}${word} ${told}`;
    if (!taken) mark(row, 'other-amount-malformed');
  } else if (charges) {
    row.chargesAmount = found.amount;
    row.chargesCurrency = currency;
  } else {
    row.originalAmount = found.amount;
    row.originalCurrency = currency;
  }
}
