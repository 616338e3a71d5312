import { formatMinor, fractionDigits, parseAmount } from '../../standard/formats/money/amount.ts';
import { currencies } from '../../standard/formats/money/currencies.ts';
import type { AccountReference, StandingOrder } from '../../standard/xs2a/wire.ts';

/** One credit transfer of a payment. */
export interface Transfer {
  currency: string;
  amount: string;
  creditorName: string;
  /** An IBAN of capitals and digits; or a national number where the product has no IBANs. */
  creditorAccount: string;
  endToEndId?: string;
  remittance?: string;
  /** A structured reference for the creditor. */
  reference?: string;
}

/**
 * A payment of any service and product, reduced to the members that the bank works with; the original bytes are kept
 * for reading it back.
 */
export interface Order {
  /** The account that pays, as the TPP has named it. */
  debtor: AccountReference;
  transfers: readonly [Transfer, ...Transfer[]];
  /** Wanted for one entry in the books instead of one for each transfer. */
  batch?: true;
  /** ISO 8601, UTC: not before. */
  executeAt?: string;
  standing?: StandingOrder;
  /** From a pain.001. */
  messageId?: string;
  paymentInformationId?: string;
}

/** Fixed rates for one unit of a currency, in millionths of a euro: test data, near those of 2026. */
const rates: Readonly<Record<string, bigint>> = {
  EUR: 1_000_000n,
  USD: 900_000n,
  GBP: 1_150_000n,
  CHF: 1_050_000n,
  JPY: 6_000n,
  SEK: 90_000n,
  NOK: 85_000n,
  DKK: 134_000n,
  PLN: 235_000n,
  CZK: 40_000n,
  HUF: 2_500n,
  CAD: 650_000n,
  AUD: 600_000n,
};

/** Whether the bank pays in this currency: any that is money. */
export function isOffered(currency: string): boolean {
  return currencies.includes(currency);
}

/** The rate of a currency; one that is not in the table is worth as much as a euro. */
const rateOf = (currency: string) => rates[currency] ?? 1_000_000n;

/** The amount that a transfer debits from an account in a currency, in minor units; amount and currency have been checked. */
export function debitOf({ amount, currency }: Pick<Transfer, 'amount' | 'currency'>, from = 'EUR'): bigint {
  const parsed = parseAmount(amount, currency);
  if (!parsed.ok) throw new Error(`no amount to book: ${amount} ${currency}`);
  return exchange(parsed.value.minor, currency, from);
}

/** Minor units of one currency in those of another at the bank's rates; half up, and never nothing. */
export function exchange(minor: bigint, from: string, to: string): bigint {
  if (from === to) return minor;
  const above = minor * rateOf(from) * 10n ** BigInt(fractionDigits(to));
  const below = rateOf(to) * 10n ** BigInt(fractionDigits(from));
  const exchanged = (2n * above + below) / (2n * below);
  return exchanged === 0n ? 1n : exchanged;
}

/** The amount that all transfers together debit from an account in a currency, in minor units. */
export function totalDebit({ transfers }: Order, from = 'EUR'): bigint {
  return transfers.reduce((sum, transfer) => sum + debitOf(transfer, from), 0n);
}

/** The sums by currency, in order of appearance. */
export function sumsOf({
  transfers,
}: {
  transfers: readonly Transfer[];
}): { currency: string; amount: string }[] {
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of transfers) {
    const parsed = parseAmount(amount, currency);
    sums.set(currency, (sums.get(currency) ?? 0n) + (parsed.ok ? parsed.value.minor : 0n));
  }
  return [...sums].map(([currency, minor]) => ({ currency, amount: formatMinor(minor, currency) }));
}
