/** One credit transfer in a file, by the names of the JSON payment, and the totals of many. */
import { ObkError } from '../../../base/errors.ts';
import type { AccountReference, Address, StructuredRemittance } from '../../xs2a/wire.ts';
import { checkPaymentAmount, formatMinor } from '../money/amount.ts';

/** An account of a transfer: an IBAN, or a national number (BBAN) where the product has no IBANs. */
export type TransferAccount = Pick<AccountReference, 'iban' | 'bban' | 'currency'>;

/** An address; lines of it stand in pain.001 alone. */
export interface TransferAddress extends Address {
  lines?: readonly string[];
}

/** A credit transfer as the JSON payment names its members (guidelines 11.1): an entry of a bulk, a row, a CdtTrfTxInf. */
export interface CreditTransfer {
  endToEndIdentification?: string;
  instructionIdentification?: string;
  instructedAmount: { currency: string; amount: string };
  creditorAccount: TransferAccount;
  creditorName: string;
  creditorAgent?: string;
  creditorAddress?: TransferAddress;
  chargeBearer?: string;
  remittanceInformationUnstructured?: string;
  remittanceInformationStructured?: StructuredRemittance;
  /** Elements that pain.001 alone has. */
  inPain?: TransferInPain;
}

/** What a pain.001 says of a transfer beyond the JSON payment. */
export interface TransferInPain {
  /** A UUID of version 4 in small letters (pain.001.001.09). */
  uetr?: string;
  /** ISO 17442 (pain.001.001.09). */
  creditorLei?: string;
  instructionPriority?: 'HIGH' | 'NORM';
  regulatoryReporting?: { country?: string; code?: string; information?: string };
}

/** How many transfers there are, and their sum per currency as canonical decimal strings, in order of appearance. */
export interface TransferTotals {
  readonly count: number;
  readonly sums: readonly { readonly currency: string; readonly amount: string }[];
}

/** Counts and adds transfers, exactly. */
export class TotalsCounter {
  #count = 0;
  readonly #minor = new Map<string, bigint>();

  /** Takes one amount in; throws ObkError INPUT_INVALID where it is no amount above zero. Returns it in canonical form. */
  add({ currency, amount }: { readonly currency: string; readonly amount: string }): string {
    const result = checkPaymentAmount(amount, currency);
    if (!result.ok) {
      const detail = `The amount ${amount} ${currency}: ${result.why}.`;
      throw new ObkError({ code: 'INPUT_INVALID', title: 'A payment has a wrong amount.', detail });
    }
    this.#count += 1;
    this.#minor.set(currency, (this.#minor.get(currency) ?? 0n) + result.value.minor);
    return result.value.amount;
  }

  get totals(): TransferTotals {
    const sums = [...this.#minor].map(([currency, minor]) => ({
      currency,
      amount: formatMinor(minor, currency),
    }));
    return { count: this.#count, sums };
  }
}

/** Adds decimal strings such as `12.50` and `3.125` exactly, whatever their currencies; keeps the most decimals of them. */
export function addDecimals(texts: readonly string[]): string {
  const decimals = Math.max(0, ...texts.map((text) => (text.split('.')[1] ?? '').length));
  const sum = texts.reduce((total, text) => {
    const [whole = '', fraction = ''] = text.split('.');
    return total + BigInt(whole + fraction.padEnd(decimals, '0'));
  }, 0n);
  const digits = sum.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
