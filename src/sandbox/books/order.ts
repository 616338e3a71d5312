import { formatMinor, parseAmount } from '../../formats/amount.ts';
import type { StandingOrder } from '../../xs2a/wire.ts';

/** One credit transfer of a payment. */
export interface Transfer {
  currency: string;
  amount: string;
  creditorName: string;
  /** An IBAN of capitals and digits; or a national number where the product has no IBANs. */
  creditorAccount: string;
  endToEndId?: string;
  remittance?: string;
}

/**
 * A payment of any service and product, reduced to the members that the bank works with; the original bytes are kept
 * for reading it back.
 */
export interface Order {
  debtorIban: string;
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

/** Whether the bank pays in this currency. */
export function isOffered(currency: string): boolean {
  return rates[currency] !== undefined;
}

/** The amount that a transfer debits, in cents; amount and currency have been checked. */
export function centsOf({ amount, currency }: Pick<Transfer, 'amount' | 'currency'>): bigint {
  const parsed = parseAmount(amount, currency);
  const rate = rates[currency];
  if (!parsed.ok || rate === undefined) throw new Error(`no amount to book: ${amount} ${currency}`);
  if (currency === 'EUR') return parsed.value.minor;
  // With one more digit than any currency has, the fraction of a unit is exact.
  const units = formatMinor(parsed.value.minor, currency).split('.');
  const thousandths = BigInt((units[0] ?? '') + (units[1] ?? '').padEnd(3, '0'));
  const cents = (thousandths * rate + 5_000_000n) / 10_000_000n;
  return cents === 0n ? 1n : cents;
}

/** The amount that all transfers together debit, in cents. */
export function totalCents({ transfers }: Order): bigint {
  return transfers.reduce((sum, transfer) => sum + centsOf(transfer), 0n);
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
