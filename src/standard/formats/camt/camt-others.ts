/** What camt says of an entry beyond the columns of a row: each such element stands under its name in `otherInformation`. */
import { all, at, child, currencyOf, joined, textAt, textOf } from './camt-node.ts';
import { transactionDayAt } from './camt-dates.ts';
import { keep } from '../rows/report-values.ts';
import { hasTime } from '../rows/report-dates.ts';
import type { StatementValues } from '../rows/statement-values.ts';
import type { TransactionRow } from '../rows/transaction-row.ts';
import type { XmlNode } from '../xml/xml-scan.ts';

const named = (names: string): ReadonlySet<string> => new Set(names.split(' '));

// What is read elsewhere.
const ofEntry = named(
  'NtryRef Amt CdtDbtInd RvslInd Sts BookgDt ValDt AcctSvcrRef BkTxCd AddtlInfInd AmtDtls Chrgs NtryDtls TxDtls Btch AddtlNtryInf',
);
const ofDetail = named(
  'Refs Amt CdtDbtInd AmtDtls BkTxCd Chrgs RltdPties RltdAgts Purp RmtInf RltdDts RtrInf AddtlTxInf',
);
const ofReturn = named('Rsn AddtlInf');
const ofRemittance = named('RfrdDocInf RfrdDocAmt RfrdDocRltdDt CdtrRefInf AddtlRmtInf');
const ofExchange = named('SrcCcy TrgtCcy UnitCcy XchgRate');
const ofCharge = named('TtlChrgsAndTaxAmt Rcrd Amt CdtDbtInd ChrgInclInd');

/** Never told: the whole number of a card; the masked number has a column. */
const untold = named('PlainCardData MskdPAN');

/** The texts of an element and of those within it, amounts with their currency. */
export function textsOf(node: XmlNode): string[] {
  const texts: string[] = [];
  addTexts(texts, node);
  return texts;
}

function addTexts(texts: string[], node: XmlNode): void {
  if (untold.has(node.name)) return;
  for (let one = node.first; one !== undefined; one = one.next) addTexts(texts, one);
  const text = node.first === undefined ? textOf(node) : undefined;
  if (text === undefined) return;
  const currency = currencyOf(node);
  texts.push(currency === '' ? text : `${text} ${currency}`);
}

/** Returns the texts of an element behind its name; undefined where it has none. */
export function elementText(node: XmlNode): string | undefined {
  const texts = textsOf(node);
  return texts.length === 0 ? undefined : `${node.name} ${texts.join(' ')}`;
}

/** Adds the texts of an element and of those within it to the values of a statement, each under its path. */
export function addValues(values: StatementValues, node: XmlNode, path = node.name): void {
  if (untold.has(node.name)) return;
  if (node.first === undefined) values.add(path, textsOf(node).join(' '));
  for (let one = node.first; one !== undefined; one = one.next) addValues(values, one, `${path}.${one.name}`);
}

/** Keeps an element under its name, unless it is empty. */
export const keepElement = (row: TransactionRow, node: XmlNode): void => {
  keep(row, elementText(node) ?? '');
};

/** Keeps the elements within one of which no column is filled. */
function keepWithin(row: TransactionRow, node: XmlNode | undefined, read: ReadonlySet<string>): void {
  for (let one = node?.first; one !== undefined; one = one.next)
    if (!read.has(one.name)) keepElement(row, one);
}

/** Keeps what stands beside the rate of an exchange, such as its contract. */
export const keepExchange = (row: TransactionRow, exchange: XmlNode): void => {
  keepWithin(row, exchange, ofExchange);
};

/** Keeps what a charge is for, beside its amount. */
export function keepCharge(row: TransactionRow, charge: XmlNode): void {
  const more = all(charge).filter(({ name }) => !ofCharge.has(name));
  const amount = child(charge, 'Amt');
  if (more.length > 0 && amount !== undefined)
    keep(row, `Chrgs ${[amount, ...more].flatMap(textsOf).join(' ')}`);
}

/** Keeps what has no column; `entry` is undefined for a part of a batch, to which what is said of the whole does not belong. */
export function keepOthers(
  row: TransactionRow,
  entry: XmlNode | undefined,
  detail: XmlNode | undefined,
): void {
  keepWithin(row, entry, ofEntry);
  if (detail === undefined) return;
  keepCode(row, child(entry, 'BkTxCd'), child(detail, 'BkTxCd'));
  for (const part of all(child(detail, 'RmtInf'), 'Strd')) {
    for (const document of all(part, 'RfrdDocInf')) {
      keepIssuer(row, document);
      for (const line of all(document, 'LineDtls')) keepElement(row, line);
    }
    for (const reference of all(part, 'CdtrRefInf')) keepIssuer(row, reference);
    keepWithin(row, part, ofRemittance);
  }
  keepDays(row, child(detail, 'RltdDts'));
  keepWithin(row, child(detail, 'RtrInf'), ofReturn);
  keepWithin(row, detail, ofDetail);
}

/** Keeps who issued the type of a document or a reference, such as BBA for the structured references of Belgium, and which day its day is. */
function keepIssuer(row: TransactionRow, node: XmlNode): void {
  const told = joined([textAt(node, 'Tp', 'Issr'), ...all(at(node, 'RltdDt', 'Tp')).flatMap(textsOf)]);
  if (told !== undefined) keep(row, `${node.name} ${told}`);
}

/** Keeps the charges of an entry that its transaction, which has charges of its own, does not have. */
export function keepOtherCharges(row: TransactionRow, entry: XmlNode, detail: XmlNode): void {
  const known = new Set(all(detail, 'Chrgs').flatMap(textsOf));
  for (const one of all(entry, 'Chrgs'))
    if (textsOf(one).some((text) => !known.has(text))) keepElement(row, one);
}

/** Keeps the code of an entry whose transaction has another one, which stands in the columns. */
function keepCode(row: TransactionRow, ofWhole: XmlNode | undefined, own: XmlNode | undefined): void {
  if (ofWhole === undefined || own === undefined) return;
  const [told, known] = [textsOf(ofWhole), new Set(textsOf(own))];
  if (told.some((text) => !known.has(text))) keepElement(row, ofWhole);
}

/** Keeps the days that are neither of the booking nor of the value nor of the transaction. */
function keepDays(row: TransactionRow, days: XmlNode | undefined): void {
  if (days === undefined) return;
  const known = [row.bookingDate, row.valueDate, row.transactionDate];
  const own = transactionDayAt(days);
  for (let one = days.first; one !== undefined; one = one.next) {
    const text = textOf(one) ?? textAt(one, 'Dt', 'Dt') ?? '';
    const isTold = hasTime(text) ? text === own : known.includes(text.slice(0, 'YYYY-MM-DD'.length));
    if (!isTold) keepElement(row, one);
  }
}
