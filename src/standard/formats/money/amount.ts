import { isCurrencyCode } from '../../../base/values.ts';

/** Amounts as decimal strings and minor units in BigInt; never a number. */

/** An amount that was read: canonical text as on the wire and its value in minor units (cents for EUR). */
export interface ParsedAmount {
  readonly currency: string;
  readonly amount: string;
  readonly minor: bigint;
}

/** The outcome of reading an amount, or a clause that says what is wrong. */
export type AmountResult =
  { readonly ok: true; readonly value: ParsedAmount } | { readonly ok: false; readonly why: string };

// ISO 4217 as of 2026: the currencies whose minor unit is not two digits.
const digitsOf = new Map<string, number>([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ['CLF', 4],
  ['UYW', 4],
]);

/** Returns the fraction digits of a currency (ISO 4217; 2 for the unknown). */
export function fractionDigits(currency: string): number {
  return digitsOf.get(currency) ?? 2;
}

const pattern = /^(-?)([0-9]{1,14})(?:\.([0-9]{1,3}))?$/;
// As many digits as a number holds exactly; zero has no sign.
const usual = /^(?!-0\.00)-?(?:0|[1-9][0-9]{0,10})\.[0-9]{2}$/;
const refuse = (why: string): { ok: false; why: string } => ({ ok: false, why });

/** Reads an amount such as `12.5` in a currency; anything but the pattern of the interface is refused. Source: guidelines 14.1. */
export function parseAmount(text: string, currency: string): AmountResult {
  // Most amounts are in euro, and written as they are read.
  if (currency === 'EUR' && usual.test(text)) {
    const cents = Number(text.slice(0, -3) + text.slice(-2));
    return { ok: true, value: { currency, amount: text, minor: BigInt(cents) } };
  }
  if (!isCurrencyCode(currency)) return refuse('a currency is three capital letters, such as EUR');
  const found = pattern.exec(text);
  if (found === null) return refuse(whyNot(text));
  const [, sign, whole = '', fraction = ''] = found;
  const digits = fractionDigits(currency);
  if (fraction.length > digits) {
    return refuse(
      digits === 0 ? `${currency} has no decimals` : `${currency} has at most ${String(digits)} decimals`,
    );
  }
  const size = BigInt(whole + fraction.padEnd(digits, '0'));
  const minor = sign === '-' ? -size : size;
  // The interface carries three decimals at most; a fourth one is zero here.
  const decimals = digits === 0 ? '' : `.${fraction.padEnd(Math.min(digits, 3), '0')}`;
  const amount = (minor < 0n ? '-' : '') + whole.replace(/^0+(?=[0-9])/, '') + decimals;
  return { ok: true, value: { currency, amount, minor } };
}

function whyNot(text: string): string {
  if (text.trim() === '') return 'it is empty';
  if (text.includes(',')) return 'the decimal separator is a dot, and there are no others';
  if (/e/i.test(text)) return 'an exponent is not allowed';
  if (/[0-9]{15}/.test(text)) return 'it has more than 14 digits before the dot';
  if (/\.[0-9]{4,}$/.test(text)) return 'it has more than 3 decimals';
  if (/\s/.test(text)) return 'it has blanks';
  return 'it is not a decimal number such as 12.50';
}

/** As `parseAmount`, for what is to be paid: it must be more than zero. */
export function checkPaymentAmount(text: string, currency: string): AmountResult {
  const result = parseAmount(text, currency);
  if (!result.ok || result.value.minor > 0n) return result;
  return refuse(result.value.minor === 0n ? 'it is zero' : 'it is negative');
}

// One separator before each three digits, and another one before the decimals.
const withSeparators =
  /^([0-9]+|[1-9][0-9]{0,2}([.,'’ \u00a0\u202f])[0-9]{3}(?:\2[0-9]{3})*)(?:([.,])([0-9]{1,3}))?$/;
const oneSeparator = /^[0-9]{1,3}[.,][0-9]{3}$/;

/**
 * Returns the amount to be paid, as the interface writes it, that a text with separators means: `1.234,50` is `1234.50`. Undefined
 * where it is written so already, can be read in two ways (`1,234`), or in none. Source: guidelines 14.1.
 */
export function amountReading(text: string, currency: string): string | undefined {
  if (parseAmount(text, currency).ok || oneSeparator.test(text)) return undefined;
  const [, whole = '', separator, point, fraction] = withSeparators.exec(text) ?? [];
  if (whole === '' || (point !== undefined && point === separator)) return undefined;
  const digits = whole.replace(/[^0-9]/g, '');
  const plain = fraction === undefined ? digits : `${digits}.${fraction}`;
  return checkPaymentAmount(plain, currency).ok ? plain : undefined;
}

/** Writes minor units as a decimal string with all digits of the currency: 1250n EUR is `12.50`. */
export function formatMinor(minor: bigint, currency: string): string {
  const digits = fractionDigits(currency);
  const sign = minor < 0n ? '-' : '';
  const text = minor
    .toString()
    .replace('-', '')
    .padStart(digits + 1, '0');
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Returns why an amount in euro is more than SEPA moves in one payment; undefined where it is not. Source: EPC125-05, AT-T002. */
export function aboveSepa(amount: string): string | undefined {
  const whole = /^0*([0-9]*)/.exec(amount)?.[1] ?? '';
  return whole.length > 9 ? 'SEPA moves at most 999999999.99 EUR in one payment' : undefined;
}

const euro: readonly string[] = ['EUR'];
const sepa = /sepa-credit-transfers$/;
const inEuro = /(?:sepa-credit-transfers|target-2-payments)$/;

/** Returns the currencies of a product, also of one as pain.001 or of a community; undefined where it has any. Source: EPC125-05, TARGET. */
export function currenciesOf(product: string): readonly string[] | undefined {
  return inEuro.test(product) ? euro : undefined;
}

/** Returns the currencies in which a payee's account of a product may be kept; undefined where in any. Source: EPC125-05. */
export function payeeCurrenciesOf(product: string): readonly string[] | undefined {
  return sepa.test(product) ? euro : undefined;
}

/** Returns why a currency is not one of a product, such as `target-2-payments are in EUR, not USD`. */
export function currencyFault(product: string, currency: string): string | undefined {
  const own = currenciesOf(product);
  return own?.includes(currency) === false
    ? `${product} are in ${own.join(', ')}, not ${currency}`
    : undefined;
}
