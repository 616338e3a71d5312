import { accountIdentity } from '../../standard/formats/rows/account-identity.ts';
import { sha256Hex } from '../../signing/digest.ts';
import { member, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject } from '../../standard/xs2a/json.ts';
import { canonicalAmount } from './payment-fields.ts';

/** What one payment has in common with another that pays the same again. */
interface Paid {
  account: string | undefined;
  currency: string | undefined;
  amount: string | undefined;
  text: string | undefined;
  reference: string | undefined;
  endToEnd: string | undefined;
}

/** The beginning of the end-to-end ids that the payments of a CSV file get from the intent. */
export const madeIdStem = (intentHash: string): string => `OBK${intentHash.slice(0, 20).toUpperCase()}-`;

/** So many payments are looked back upon, at most. */
const most = 1_000_000;

/**
 * Counts the payments of one file; returns the number, from 0, of the first that pays the same account the same amount with the
 * same text and end-to-end id. An id made from the intent counts as absent, and so does NOTPROVIDED.
 */
export function identicalPayments(intentHash?: string): (paid: Paid) => number | undefined {
  const stem = intentHash === undefined ? undefined : madeIdStem(intentHash);
  const seen = new Map<string, number>();
  let count = 0;
  return ({ account, currency, amount, text, reference, endToEnd = '' }) => {
    const number = count++;
    if (account === undefined || currency === undefined || amount === undefined) return undefined;
    const isNone = endToEnd === 'NOTPROVIDED' || (stem !== undefined && endToEnd.startsWith(stem));
    const key = sha256Hex(
      JSON.stringify([
        accountIdentity(account),
        currency,
        canonicalAmount(amount, currency),
        oneBlank(text),
        oneBlank(reference),
        isNone ? '' : endToEnd,
      ]),
    ).slice(0, 24);
    const first = seen.get(key);
    if (first === undefined && seen.size < most) seen.set(key, number);
    return first;
  };
}

const oneBlank = (text = ''): string => text.trim().replace(/\s+/g, ' ');

/** An entry of a bulk in JSON, as far as it tells a payment from another. */
export function paidBy(entry: JsonObject): Paid {
  const account = member(entry, 'creditorAccount');
  const amount = member(entry, 'instructedAmount');
  const structured = member(entry, 'remittanceInformationStructured');
  return {
    account: ['iban', 'bban', 'pan', 'maskedPan', 'msisdn']
      .map((name) => stringMember(account, name))
      .find((number) => number !== undefined),
    currency: stringMember(amount, 'currency'),
    amount: stringMember(amount, 'amount'),
    text: stringMember(entry, 'remittanceInformationUnstructured'),
    reference: typeof structured === 'string' ? structured : stringMember(structured, 'reference'),
    endToEnd: stringMember(entry, 'endToEndIdentification'),
  };
}

/** Says of a payment which one before it is the same. */
export const identicalTo = (place: string): string =>
  `it is identical to ${place}: account, amount, text and end-to-end id are the same`;
