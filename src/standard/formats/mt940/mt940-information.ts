/** Field 86 of MT940 and MT942: parts with numbers, SEPA words, SWIFT words between slashes, or plain lines. */
import { ibanForm, isBicText, isIbanText } from '../../../base/values.ts';
import { hasIbanDigits } from '../../xs2a/check-digits.ts';
import { setBusinessCode } from '../rows/german-codes.ts';
import { readCiti } from './mt940-citi.ts';
import { readQuestions } from './mt940-questions.ts';
import { rateOf, readSlashes, slashValues, slashValuesBehind } from './mt940-slashes.ts';
import { keep } from '../rows/report-values.ts';
import { addText, plain, put, readMoney, withBreaks } from './mt940-text.ts';
import { plusWords, readWords } from './mt940-words.ts';
import type { TransactionRow } from '../rows/transaction-row.ts';

const partLength = 27;
const lineLength = 65;
const tagLength = ':86:'.length;

// The sign between business code and first part; only it tells parts from plain amounts and dates.
const withCode =
  /^([0-9]{3})\s?([^0-9A-Za-z\s/.,:'-])(?=(?:00|10|2[0-9]|3[0-9]|6[0-3])|96(?:.*\2(?:[023][0-9]|10)))/s;
// A number with a plus in front may be one of a telephone, but none begins with a nought.
const withoutCode = /^(?:([?~^<@$>*])(?=(?:00|10|20|3[0-2]))|(\+)(?=00))/;
const knownParts: ReadonlySet<number> = new Set([
  ...[0, 10, ...Array.from({ length: 19 }, (_, at) => 20 + at)],
  ...[60, 61, 62, 63],
]);

/** The signs of parts that begin nothing else; others may stand before a sum or a count. */
const usualSigns: ReadonlySet<string> = new Set('~^<');
const signsBehindCode: ReadonlySet<string> = new Set('>@+$*');

/** The number of a part, whose first two characters are its digits. */
const numberOf = (part: string): number => (part.charCodeAt(0) - 0x30) * 10 + part.charCodeAt(1) - 0x30;

/** Reads the lines of a field 86 into the row of its entry, a debit or a credit, beside what is there already. */
export function readInformation(
  row: TransactionRow,
  sent: readonly string[],
  side: 'debit' | 'credit',
): void {
  const lines = withoutOther(row, sent);
  const text = joined(lines);
  if (readQuestions(row, text, side)) return;
  const parts = partsOf(text);
  if (parts !== undefined) {
    readParts(row, parts);
    return;
  }
  if (readCiti(row, text, side)) return;
  const values = slashValues(text);
  const behind = values === undefined ? slashValuesBehind(text) : undefined;
  if (behind !== undefined) addText(row, behind.before);
  const slashes = values ?? behind?.values;
  if (slashes !== undefined) readSlashes(row, slashes, side);
  else readWords(row, withBreaks(lines, lineLength, tagLength));
}

// The line ends within the number of a part, or within that of a bank or an account, which have no blanks.
const foldedPart = /[?~^<@$>*+](?:[0-9]?|3[018][A-Z0-9/]*)$/;

/** The lines as one text: a line that is not full and ends no part has lost a blank. */
function joined(lines: readonly string[]): string {
  if (lines.length < 2) return lines[0] ?? '';
  const width = widthOf(lines);
  return lines
    .map((line, index) => {
      const next = lines[index + 1];
      const isFull = sizeOf(line, index) >= width || line.length >= width;
      if (next === undefined || isFull || /^(?:[^0-9A-Za-z]|$)/.test(next) || /\s$/.test(line)) return line;
      return foldedPart.test(line) ? line : `${line} `;
    })
    .join('');
}

/** The tag is a part of the first line. */
const sizeOf = (line: string, index: number): number => line.length + (index === 0 ? tagLength : 0);

/** The width at which lines are folded: that of the standard, or the widest of which there are two. */
function widthOf(lines: readonly string[]): number {
  const sizes = lines.slice(0, -1).map(sizeOf);
  const widest = Math.max(...sizes);
  return sizes.filter((size) => size === widest).length > 1 ? Math.min(widest, lineLength) : lineLength;
}

interface Parts {
  readonly code: string;
  readonly before: string;
  readonly sign: string;
  /** The text of each part, its number in front. */
  readonly parts: readonly string[];
}

function partsOf(text: string): Parts | undefined {
  const coded = withCode.exec(text);
  const bare = coded === null ? withoutCode.exec(text) : null;
  const begun =
    coded !== null
      ? partsBy(coded[2] ?? '', coded[1] ?? '', text.slice(3))
      : bare !== null
        ? partsBy(bare[1] ?? bare[2] ?? '', '', text)
        : undefined;
  if (begun !== undefined && isOfParts(begun)) return begun;
  for (const sign of ['?', '~', '^', '<']) {
    if (!text.includes(sign)) continue;
    const found = partsBy(sign, '', text);
    const numbers = new Set(found.parts.map(numberOf).filter((key) => knownParts.has(key)));
    // Two questions in a text are no parts.
    if (numbers.size < 2 || !isOfParts(found)) continue;
    const code = /^([0-9]{3})\s*$/.exec(found.before)?.[1];
    return code === undefined ? found : { ...found, code, before: '' };
  }
  return undefined;
}

/** Whether signs and numbers begin parts; in a text they are sums and counts, such as $20 OF $30 VOUCHERS or 123+25 SHARES. */
function isOfParts({ code, sign, parts }: Parts): boolean {
  if (sign === '?') return true;
  const known = parts.filter((part) => knownParts.has(numberOf(part)));
  const isSeveral = new Set(known.map(numberOf)).size > 1;
  if (isSeveral && known.some((part) => part.startsWith('00'))) return true;
  // Where nothing but parts begins with a sign, a blank behind some numbers says nothing.
  const told = usualSigns.has(sign) ? known : known.slice(0, 1);
  const mayBeAlone = usualSigns.has(sign) || (code !== '' && signsBehindCode.has(sign));
  return (isSeveral || mayBeAlone) && told.some((part) => !/^..[\s,.%)=]/s.test(part));
}

function partsBy(sign: string, code: string, text: string): Parts {
  let splitter = splitters.get(sign);
  if (splitter === undefined) {
    // Behind one of the words the plus is its own, and digits may follow.
    splitter = new RegExp(`${sign === '+' ? `(?<!${plusWords})` : ''}\\${sign}(?=[0-9]{2})`);
    splitters.set(sign, splitter);
  }
  const [before = '', ...parts] = text.split(splitter);
  return { code, before: before.trim(), sign, parts };
}

const splitters = new Map<string, RegExp>();

/** Source: Deutsche Kreditwirtschaft, DFÜ agreement, annex 3, chapter 8: business code and parts ?00 to ?63; ?38 of Polish and Hungarian banks. */
function readParts(row: TransactionRow, all: Parts): void {
  const { before, sign, parts } = all;
  // By their numbers: an object with such names would be slower than all the rest.
  const found: Found = new Array<string | undefined>(39);
  const unknown: string[] = [];
  const purpose: string[] = [];
  let isSorted = true;
  let last = 0;
  for (const part of parts) {
    const text = part.slice(2);
    // Polish banks write a dot above where a part is empty.
    if (text === '' || (text.length < 5 && /^\s*\u02d9?\s*$/.test(text)) || text.trim() === '') continue;
    const at = numberOf(part);
    if (!knownParts.has(at)) unknown.push(`${sign}${part}`);
    else if (at >= 60 || (at >= 20 && at < 30)) {
      isSorted &&= at >= last;
      last = at;
      purpose.push(part);
    } else if (found[at] === undefined || at === 10 || at === 34)
      found[at] = found[at] === undefined ? text : `${found[at]} ${text}`;
    else unknown.push(`${sign}${part}`);
  }
  readCodes(row, all, found);
  keep(row, before);
  put(row, 'additionalInformation', found[0], `${sign}00`);
  put(row, 'counterpartyAgent', found[30], `${sign}30`);
  if (isOwn(row, found[31])) {
    unknown.push(`${sign}31${found[31] ?? ''}`);
    found[31] = undefined;
    readOtherSide(row, purpose);
  }
  const [account, iban] = [found[31], found[38]];
  put(row, 'counterpartyAccount', iban ?? account, sign + (iban === undefined ? '31' : '38'));
  if (iban !== undefined && account !== undefined && !iban.replace(/\s/g, '').includes(account.trim()))
    unknown.push(`${sign}31${account}`);
  const names = [found[32], found[33]].filter((name) => name !== undefined);
  put(row, 'counterpartyName', plain(withBreaks(names, partLength)), `${sign}32`);
  for (const number of [35, 36, 37])
    if (found[number] !== undefined) unknown.push(`${sign}${String(number)}${found[number]}`);
  if (!isSorted) purpose.sort((one, other) => one.slice(0, 2).localeCompare(other.slice(0, 2)));
  readWords(
    row,
    withBreaks(
      purpose.map((part) => part.slice(2)),
      partLength,
    ),
  );
  if (unknown.length > 0) keep(row, unknown.join(' '));
}

/** Whether a number is that of the account that is reported on. */
function isOwn({ account = '' }: TransactionRow, text: string | undefined): boolean {
  const number = text?.replace(/\s/g, '') ?? '';
  return number.length >= 6 && account.replace(/\s/g, '').endsWith(number);
}

/** Takes the bank and the account of the other side out of the first two parts of the text, where Triodos writes them. */
function readOtherSide(row: TransactionRow, purpose: string[]): void {
  const [bank = '', account = ''] = purpose.slice(0, 2).map((part) => part.slice(2).trim());
  if (!isBicText(bank) || !isIbanText(account)) return;
  purpose.splice(0, 2);
  put(row, 'counterpartyAgent', bank);
  put(row, 'counterpartyAccount', account);
}

/** The text of each part at its number. */
type Found = (string | undefined)[];

/** The codes of an entry as camt writes them: type, business code, prima nota (?10) and extension (?34). */
function readCodes(row: TransactionRow, { code, sign }: Parts, found: Found): void {
  const of = (number: 10 | 34): string => found[number]?.trim() ?? '';
  if (code === '') {
    for (const number of [10, 34] as const)
      if (of(number) !== '') keep(row, `${sign}${String(number)}${of(number)}`);
    return;
  }
  if (sign === '?') setBusinessCode(row, code);
  const told = [code, of(10), of(34)];
  while (told.at(-1) === '') told.pop();
  const type = row.proprietaryBankTransactionCode;
  const codes = told.join('+');
  if (type?.endsWith(`+${codes}`) === true) return;
  row.proprietaryBankTransactionCode = type === undefined ? codes : `${type}+${codes}`;
}

/** Whether a text is the number of another account: references and mandates look like one, but their check digits are wrong. */
export const isOtherAccount = (row: TransactionRow, text: string): boolean =>
  isIbanText(text) && hasIbanDigits(text) && text !== row.account;

const accountAndName = new RegExp(`^(${ibanForm.source}) +(.+)$`);

/**
 * Takes account and name of the other side, which SNS, ASN and RegioBank write in field 61 and again in the first line of field 86,
 * out of these lines.
 */
function withoutOther(row: TransactionRow, lines: readonly string[]): readonly string[] {
  const told = row.otherInformation;
  if (told === undefined || row.counterpartyName !== undefined) return lines;
  const first = lines[0]?.trim() ?? '';
  const [, account = '', name = ''] = accountAndName.exec(first) ?? [];
  const isAgain = told === first || (told === name && row.counterpartyAccount === account);
  if (!isAgain || !isOtherAccount(row, account)) return lines;
  delete row.otherInformation;
  put(row, 'counterpartyAccount', account);
  put(row, 'counterpartyName', name);
  return lines.slice(1);
}

/** Reads the further lines of field 61: the original amount and the charges; what else they say is kept. */
export function readSupplement(row: TransactionRow, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const text = lines.map((line) => line.trim()).join(' ');
  // Rabobank has the other account there, and nothing else.
  if (isOtherAccount(row, text)) {
    put(row, 'counterpartyAccount', text);
    return;
  }
  let left = text;
  for (const word of ['OCMT', 'CHGS'] as const) {
    const found = new RegExp(`/${word}/([^/]*)/?`).exec(left);
    if (found === null) continue;
    readMoney(row, word, found[1]);
    // The slash behind it may begin the next word.
    left = `${left.slice(0, found.index)} ${left.slice(found.index + found[0].length).replace(/^(?=[A-Z]+\/)/, '/')}`;
  }
  const rate = /\/EXCH\/\s*([0-9]+[.,]?[0-9]*)\s*(?:\/|$)/.exec(left);
  if (rate !== null && row.exchangeRate === undefined) {
    row.exchangeRate = rateOf(rate[1] ?? '');
    left = `${left.slice(0, rate.index)} ${left.slice(rate.index + rate[0].length)}`;
  }
  keep(row, left);
}

/** Reads the further lines that MultiCash writes of an entry under :NS:. */
export function readNational(row: TransactionRow, lines: readonly string[]): void {
  const names: string[] = [];
  for (const line of lines) {
    const [, number = '', text = ''] = /^([0-9]{2})([^]*)$/.exec(line) ?? [];
    if (/^(?:0[1-9]|1[0-4])$/.test(number)) addText(row, text);
    else if (number === '15' || number === '16') names.push(text);
    else if (number === '17') put(row, 'additionalInformation', text, ':NS:17');
    else keep(row, `:NS:${line}`);
  }
  put(row, 'counterpartyName', names.join(' '), ':NS:15');
}
