/** The amounts of a camt message beside that of an entry: balances, original amounts, exchange rates, charges. */
import { isCurrencyCode } from '../../../base/values.ts';
import { formatMinor, parseAmount } from '../money/amount.ts';
import { all, at, child, currencyOf, textAt } from './camt-node.ts';
import { keepCharge, keepElement, keepExchange, keepOtherCharges } from './camt-others.ts';
import { keep, keepAmount, mark, negated, reportAmount } from '../rows/report-values.ts';
import type { TransactionRow } from '../rows/transaction-row.ts';
import type { XmlNode } from '../xml/xml-scan.ts';

/** The amount of an element signed by its CdtDbtInd; without that it stands as it was sent. */
export interface SignedAmount {
  readonly amount: string;
  readonly currency: string;
  readonly signUnknown: boolean;
}

/** Returns the amount of an element and its currency, or that of the account where it names none; undefined where it is none. */
export function signedAmountAt(node: XmlNode, ofAccount = ''): SignedAmount | undefined {
  const sent = at(node, 'Amt');
  const direction = textAt(node, 'CdtDbtInd')?.toUpperCase();
  const currency = currencyOf(sent) || ofAccount;
  const amount = reportAmount(sent?.text.trim() ?? '', currency);
  if (amount === undefined || amount.startsWith('-') || !isCurrencyCode(currency)) return undefined;
  const signUnknown = direction !== 'DBIT' && direction !== 'CRDT';
  return { amount: direction === 'DBIT' ? negated(amount) : amount, currency, signUnknown };
}

/** Returns an amount as it was sent, with its currency. */
const asSent = (amount: XmlNode | undefined): string =>
  [amount?.text.trim(), currencyOf(amount)].filter((part) => part !== undefined && part !== '').join(' ');

/** The amounts of the order and of its exchange, the one that was ordered first. */
const orderAmounts = ['InstdAmt', 'CntrValAmt', 'TxAmt', 'AnncdPstngAmt', 'PrtryAmt'];

/**
 * Sets the original amount, the exchange rate and the charges. `entry` is undefined for a part of a batch, because the
 * amounts of the whole belong to none of its parts.
 */
export function setMoney(row: TransactionRow, entry: XmlNode | undefined, detail: XmlNode | undefined): void {
  for (const amounts of [child(detail, 'AmtDtls'), child(entry, 'AmtDtls')]) {
    if (amounts === undefined) continue;
    const parts = all(amounts).filter(({ name }) => orderAmounts.includes(name));
    const byOrder = (one: XmlNode, other: XmlNode) =>
      orderAmounts.indexOf(one.name) - orderAmounts.indexOf(other.name);
    for (const part of parts.length < 2 ? parts : parts.toSorted(byOrder)) {
      setExchange(row, child(part, 'CcyXchg'));
      setOriginal(row, part, child(part, 'Amt'));
    }
  }
  if (detail !== undefined && setCharges(row, detail)) {
    if (entry !== undefined) keepOtherCharges(row, entry, detail);
  } else if (entry !== undefined) setCharges(row, entry);
}

/**
 * The original amount is in another currency, or what was ordered where another sum was booked, say without the charges; amounts
 * besides are kept.
 */
function setOriginal(row: TransactionRow, part: XmlNode, sent: XmlNode | undefined): void {
  if (sent === undefined) return;
  const currency = currencyOf(sent);
  const amount = reportAmount(sent.text.trim(), currency);
  if (amount !== undefined && currency === row.currency && isWritten(row.amount, amount)) return;
  if (amount === undefined || currency === '') {
    keepAmount(row, `${part.name} ${asSent(sent)}`);
    mark(row, 'other-amount-malformed');
    return;
  }
  const { originalAmount: ordered, originalCurrency } = row;
  const isOther = currency !== row.currency;
  if (ordered === undefined || originalCurrency === row.currency) {
    if (
      isOther ||
      (part.name === 'InstdAmt' && ordered === undefined && !isSize(row.amount, row.currency, sent))
    ) {
      // Without another currency it is what was ordered.
      if (ordered !== undefined) keep(row, `InstdAmt ${ordered} ${originalCurrency ?? ''}`);
      row.originalAmount = amount;
      row.originalCurrency = currency;
      return;
    }
  }
  if (!isSize(row.amount, row.currency, sent) && !isSize(ordered, originalCurrency, sent))
    keep(row, [part.name, textAt(part, 'Tp'), asSent(sent)].filter(Boolean).join(' '));
}

/** Whether a signed amount has a size in the same digits, which is so for nearly all. */
const isWritten = (signed: string | undefined, size: string): boolean =>
  signed === size || (signed?.length === size.length + 1 && signed.startsWith('-') && signed.endsWith(size));

/** Whether an amount that was sent has the size and the currency of one that is known. */
function isSize(known: string | undefined, currency: string | undefined, sent: XmlNode): boolean {
  if (known === undefined || currency === undefined || currencyOf(sent) !== currency) return false;
  const [own, other] = [known.replace('-', ''), sent.text.trim()].map((text) => parseAmount(text, currency));
  return own?.ok === true && other?.ok === true && own.value.minor === other.value.minor;
}

function setExchange(row: TransactionRow, exchange: XmlNode | undefined): void {
  if (exchange === undefined) return;
  const rate = textAt(exchange, 'XchgRate');
  if (rate === undefined || row.exchangeRate !== undefined) {
    if (rate !== row.exchangeRate) keepElement(row, exchange);
    return;
  }
  keepExchange(row, exchange);
  row.exchangeRate = rate;
  const [source, target, unit] = [
    textAt(exchange, 'SrcCcy'),
    textAt(exchange, 'TrgtCcy'),
    textAt(exchange, 'UnitCcy'),
  ];
  if (source !== undefined) row.exchangeSourceCurrency = source;
  if (target !== undefined) row.exchangeTargetCurrency = target;
  if (unit !== undefined) row.exchangeUnitCurrency = unit;
}

/** Sets the charges of an entry or a detail, or keeps them as they were sent where they make no sum; returns whether there are any. */
function setCharges(row: TransactionRow, node: XmlNode): boolean {
  const charges = all(node, 'Chrgs');
  if (charges.length === 0) return false;
  // Version 02 has an amount in each Chrgs, later ones have records.
  const records = charges.flatMap((one) => [one, ...all(one, 'Rcrd')]).filter((one) => at(one, 'Amt'));
  const amounts = charges.flatMap((one) => {
    const total = at(one, 'TtlChrgsAndTaxAmt');
    const own = records.filter((record) => record === one || all(one, 'Rcrd').includes(record));
    return total === undefined ? own.map((record) => at(record, 'Amt')) : [total];
  });
  const [first] = amounts;
  if (first === undefined) return false;
  for (const record of records) keepCharge(row, record);
  const included = records.map((one) => textAt(one, 'ChrgInclInd')).filter((told) => told !== undefined);
  const [isIn] = included;
  if (isIn !== undefined && included.every((told) => told === isIn))
    row.chargesIncluded = /^(?:true|1)$/.test(isIn);
  const added = sumOf(amounts);
  // In a sum without signs an amount paid back could not be told from one that was charged.
  const given = records.some((one) => textAt(one, 'CdtDbtInd') === 'CRDT');
  if ('why' in added) {
    if (added.why === 'malformed') mark(row, 'other-amount-malformed');
  } else if (!given) {
    row.chargesAmount = added.sum;
    row.chargesCurrency = currencyOf(first);
    return true;
  }
  const told =
    records.length === 0
      ? amounts.map(asSent)
      : records.map((one) => [asSent(at(one, 'Amt')), textAt(one, 'CdtDbtInd')].filter(Boolean).join(' '));
  for (const one of told) keepAmount(row, `Chrgs ${one}`);
  return true;
}

/** The sum of amounts of one currency. */
function sumOf(
  amounts: readonly (XmlNode | undefined)[],
): { readonly sum: string } | { readonly why: 'malformed' | 'several' } {
  const currency = currencyOf(amounts[0]);
  if (amounts.some((amount) => currencyOf(amount) !== currency)) return { why: 'several' };
  const [first, ...others] = amounts.map((amount) => reportAmount(amount?.text.trim() ?? '', currency));
  if (first === undefined || currency === '') return { why: 'malformed' };
  if (others.length === 0) return { sum: first };
  let minor = 0n;
  for (const amount of [first, ...others]) {
    const parsed = parseAmount(amount ?? '', currency);
    if (!parsed.ok) return { why: 'malformed' };
    minor += parsed.value.minor;
  }
  return { sum: formatMinor(minor, currency) };
}
