/** Amounts, days, balances and sums of MT940 and MT942. Source: SWIFT User Handbook, category 9. */
import { formatMinor, fractionDigits } from '../money/amount.ts';
import { negated, reportAmount } from '../rows/report-values.ts';
import { reportDay } from '../rows/report-dates.ts';

/** An amount as a decimal string, and whether it is written otherwise than SWIFT has it. */
export interface SwiftAmount {
  readonly amount: string;
  readonly unusual: boolean;
}

const usual = /^[0-9]{1,14},[0-9]*$/;
// Beyond doubt all the same: no comma, a dot before one or two decimals, nothing before it, a dash for no decimals, groups
// of thousands beside decimals, or those of India with two digits above the thousands.
const unusual = [
  /^0*([0-9]{1,14})$/,
  /^0*([0-9]{1,14}),([0-9]*)$/,
  /^0*([0-9]{1,14})\.([0-9]{1,2})$/,
  /^([0-9]{1,3}(?:\.[0-9]{3})+),([0-9]{1,3})$/,
  /^([0-9]{1,3}(?:[ '][0-9]{3})+)[,.]([0-9]{1,3})$/,
  /^([0-9]{1,3}(?:,[0-9]{3})+)\.([0-9]{1,2})$/,
  /^([0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3})\.([0-9]{1,2})$/,
];

/** Returns an amount such as `100,` or `12,5`, with the digits of its currency ('' is unknown); undefined where it is none. */
export function swiftAmount(text: string, currency: string): SwiftAmount | undefined {
  if (usual.test(text) && text.length <= 15) {
    const comma = text.indexOf(',');
    return amountOf(text.slice(0, comma), text.slice(comma + 1), currency, false);
  }
  const written = text.replace(/^(?=,[0-9])/, '0').replace(/[.,]--?$/, '');
  for (const pattern of unusual) {
    const found = pattern.exec(written);
    if (found === null) continue;
    const [, whole = '', fraction = ''] = found;
    const digits = whole.replace(/[^0-9]/g, '');
    if (digits.length + fraction.length > 15) return undefined;
    return amountOf(digits, fraction, currency, true);
  }
  return undefined;
}

function amountOf(whole: string, fraction: string, currency: string, odd: boolean): SwiftAmount | undefined {
  const padded = currency === '' ? fraction : fraction.padEnd(fractionDigits(currency), '0');
  const text = padded === '' ? whole : `${whole}.${padded}`;
  // Without a currency nobody knows how many decimals there are.
  const amount = currency === '' ? text.replace(/^0+(?=[0-9])/, '') : reportAmount(text, currency);
  return amount === undefined ? undefined : { amount, unusual: odd };
}

/** Returns the day of YYMMDD; years from 80 are of the last century. */
export function swiftDay(text: string): string | undefined {
  if (!/^[0-9]{6}$/.test(text)) return undefined;
  const century = Number(text.slice(0, 2)) >= 80 ? '19' : '20';
  return reportDay(`${century}${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`);
}

/** Returns the day of CCYYMMDD or of an ISO date, which SWIFT does not write, else undefined. */
export function longDay(text: string): string | undefined {
  const [, year, month, day] = /^((?:19|20)[0-9]{2})-?([0-9]{2})-?([0-9]{2})$/.exec(text) ?? [];
  return year === undefined ? undefined : reportDay(`${year}-${month ?? ''}-${day ?? ''}`);
}

/** A balance as far as it can be read: the amount, signed if the sign is known, its currency and its day. */
export interface SwiftBalance {
  readonly amount?: string;
  readonly currency?: string;
  readonly referenceDate?: string;
  readonly signUnknown: boolean;
  readonly unusual: boolean;
}

/**
 * Reads a balance such as C261121EUR100,00 part by part, because the entries need its currency whatever else is wrong; some banks
 * write EURO.
 */
export function swiftBalance(text: string): SwiftBalance {
  const [, direction, day = '', code, name, size = ''] =
    /^(?:([CD])\s*)?((?:[^A-Z\s][^A-Z]*)?)(EUR(?=O\s*[0-9])|[A-Z]{3}(?![A-Z]))(O)?\s*([^]*)$/i.exec(
      text.trim(),
    ) ?? [];
  const signUnknown = direction === undefined;
  if (code === undefined) return { signUnknown, unusual: false };
  const currency = code.toUpperCase();
  const found = swiftAmount(size, currency);
  const told = day.trim();
  const short = swiftDay(told);
  const referenceDate = short ?? longDay(told);
  const negative = direction?.toUpperCase() === 'D';
  return {
    currency,
    signUnknown,
    unusual:
      found?.unusual === true || name !== undefined || (short === undefined && referenceDate !== undefined),
    ...(found !== undefined && { amount: negative ? negated(found.amount) : found.amount }),
    ...(referenceDate !== undefined && { referenceDate }),
  };
}

/** Reads a balance that names no currency, such as C261121100,00, in that of its message; undefined where it is none. */
export function bareBalance(text: string, currency: string): SwiftBalance | undefined {
  const [, direction, day = '', size = ''] =
    /^(?:([CD])\s*)?([0-9]{6})\s*([0-9]{1,12}[.,][0-9]*)$/i.exec(text.trim()) ?? [];
  const found = swiftAmount(size, currency);
  const referenceDate = swiftDay(day);
  if (found === undefined || referenceDate === undefined || currency === '') return undefined;
  const amount = direction?.toUpperCase() === 'D' ? negated(found.amount) : found.amount;
  return { currency, amount, referenceDate, signUnknown: direction === undefined, unusual: true };
}

/** A sum of field 90, in minor units; without a number of entries it announces none. */
interface SwiftSum {
  readonly count?: number;
  readonly minor: bigint;
  readonly currency: string;
}

/** Reads a sum such as 3EUR100,00 of field 90; undefined where it is none. */
export function swiftSum(text: string): SwiftSum | undefined {
  const [, count = '', currency = '', size = ''] =
    /^([0-9]{0,9})\s*([A-Z]{3})\s*(.*)$/.exec(text.trim()) ?? [];
  // A bank without entries leaves out their number, and the digits of their sum.
  const found = swiftAmount(size === ',' ? '0,' : size, currency);
  if (found === undefined) return undefined;
  const minor = BigInt(found.amount.replace('.', ''));
  if (count === '' && minor !== 0n) return undefined;
  return { ...(count !== '' && { count: Number(count) }), minor, currency };
}

/** Returns the text of a sum for a person. */
export const sumText = (count: number, minor: bigint, currency: string): string =>
  `${String(count)} entries, ${formatMinor(minor, currency)} ${currency}`;
