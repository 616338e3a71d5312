import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import { checkPaymentAmount } from '../../standard/formats/money/amount.ts';
import { TotalsCounter } from '../../standard/formats/payments/credit-transfer.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { sha256Hex } from '../../signing/digest.ts';
import { isJsonObject, member, readJson, stringMember, writeJson } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import type { StructuredRemittance } from '../../standard/xs2a/wire.ts';
import { fieldsOf, isJsonProduct } from '../../standard/xs2a/products.ts';
import { canonicalAmount, canonicalIban } from './payment-fields.ts';

/** A payment order ready to be claimed and sent: the exact bytes and what a person recognises them by. */
export interface PaymentOrder {
  service: string;
  product: string;
  bytes: Uint8Array;
  contentType: string;
  summary: NonNullable<SavedResource['summary']>;
  remittance: string;
  /** Further content that makes it another payment: the entries of a bulk, the days of a standing order. */
  details?: string;
  endToEndIdentification?: string;
  /** Members that the product does not have: the bank may have opened them, or refuse the payment. */
  outside: readonly string[];
  /** SHA-256 over service, product and the canonical body. */
  bodyHash: string;
}

/** The service and the product that a payment goes under. */
export type PaymentKind = Pick<PaymentOrder, 'service' | 'product'>;

/** Takes a JSON body as it is: its bytes are sent untouched, its fields are read for confirmation and content check. */
export function readOrder(kind: PaymentKind, bytes: Uint8Array): PaymentOrder {
  const body = readJson(bytes, { code: 'INPUT_INVALID', maxBytes: bytes.length, maxValues: Infinity });
  if (!isJsonObject(body)) {
    throw new ObkError({ code: 'INPUT_INVALID', title: 'The payment is not a JSON object.' });
  }
  const entries = kind.service === 'bulk-payments' ? member(body, 'payments') : undefined;
  const debtorAccount = identifierOf(member(body, 'debtorAccount'));
  const one = Array.isArray(entries) ? undefined : readEntry(body, '');
  const endToEnd = stringMember(body, 'endToEndIdentification');
  const names = Array.isArray(entries) ? entries.flatMap(namesIn) : namesIn(body);
  const details = Array.isArray(entries)
    ? bulkDetails(entries.map((entry, at) => readEntry(entry, `payments[${String(at)}].`)))
    : standingDetails(body);
  return {
    ...kind,
    bytes,
    contentType: 'application/json',
    summary: {
      ...(one === undefined ? details.summary : summaryOf(one)),
      ...defined({ debtorAccount }),
    },
    ...defined({ endToEndIdentification: endToEnd, details: details.details }),
    remittance: one?.remittance ?? '',
    outside: membersOutside(kind, names),
    bodyHash: sha256([kind.service, kind.product, ...canonicalParts(body, entries)]),
  };
}

const namesIn = (value: JsonValue): string[] => (isJsonObject(value) ? Object.keys(value) : []);

function membersOutside({ service, product }: PaymentKind, names: readonly string[]): string[] {
  if (!isJsonProduct(product)) return [];
  const needs: Readonly<Record<string, string>> = fieldsOf(product);
  const also = service === 'periodic-payments' ? standingMembers : [];
  return [...new Set(names)].filter((name) => (needs[name] ?? 'n') === 'n' && !also.includes(name));
}

/** One payment as far as a person knows it by. */
export interface KnownEntry {
  amount?: { currency: string; amount: string };
  creditorName?: string | undefined;
  creditorAccount?: string | undefined;
  remittance?: string | undefined;
}

/** Reads the members of a payment that a person knows it by; throws where its amount is none. `at` is where it stands. */
function readEntry(body: JsonValue, at: string): KnownEntry {
  const amount = member(body, 'instructedAmount');
  const currency = stringMember(amount, 'currency');
  const value = stringMember(amount, 'amount');
  if (amount !== undefined && (currency === undefined || value === undefined)) {
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'The amount of the payment cannot be read.',
      detail: `${at}instructedAmount must be {"currency": "EUR", "amount": "12.50"}: both strings, a dot as decimal sign.`,
    });
  }
  if (currency !== undefined && value !== undefined) {
    const checked = checkPaymentAmount(value, currency);
    if (!checked.ok) {
      throw new ObkError({
        code: 'INPUT_INVALID',
        title: 'The amount of the payment is not valid.',
        detail: `${at}instructedAmount ${JSON.stringify(value)} ${currency}: ${checked.why}`,
      });
    }
  }
  return {
    ...(currency !== undefined && value !== undefined && { amount: { currency, amount: value } }),
    creditorName: stringMember(body, 'creditorName'),
    creditorAccount: identifierOf(member(body, 'creditorAccount')),
    remittance: remittanceOf({
      remittanceInformationUnstructured: stringMember(body, 'remittanceInformationUnstructured'),
      remittanceInformationStructured: referenceIn(member(body, 'remittanceInformationStructured')),
    }),
  };
}

function referenceIn(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : stringMember(value, 'reference');
}

/** What a payment is for: its text and its reference, since two invoices may differ in the second alone. */
export function remittanceOf(payment: {
  remittanceInformationUnstructured?: string | undefined;
  remittanceInformationStructured?: StructuredRemittance | string | undefined;
}): string | undefined {
  const { remittanceInformationUnstructured: text, remittanceInformationStructured: structured } = payment;
  const reference = typeof structured === 'object' ? structured.reference : structured;
  const told = [text, reference].filter((one) => one !== undefined);
  return told.length === 0 ? undefined : told.join(' ');
}

/** A summary by which a person recognises one payment. */
export function summaryOf({ amount, creditorName, creditorAccount }: KnownEntry): PaymentOrder['summary'] {
  return {
    ...amount,
    ...defined({ creditorName, creditorAccount }),
  };
}

/**
 * A summary by which a person recognises many payments, and the details that distinguish them from others of the same
 * sum.
 */
export function bulkDetails(entries: readonly KnownEntry[]): Pick<PaymentOrder, 'summary' | 'details'> {
  const counter = new TotalsCounter();
  const known = entries.map(({ amount, creditorName, creditorAccount, remittance }) => {
    const sum = amount === undefined ? undefined : counter.add(amount);
    return [canonicalIban(creditorAccount), creditorName?.trim(), sum, amount?.currency, remittance?.trim()];
  });
  const { sums } = counter.totals;
  const [only, other] = sums;
  return {
    summary: { count: entries.length, sums, ...(other === undefined ? only : {}) },
    details: sha256Hex(JSON.stringify(known)),
  };
}

const standingMembers = [
  'startDate',
  'endDate',
  'frequency',
  'executionRule',
  'dayOfExecution',
  'monthsOfExecution',
];

/** The details that distinguish a standing order from another of the same amount. */
export function standingDetails(body: JsonValue): Pick<PaymentOrder, 'details'> & { summary?: undefined } {
  const values = standingMembers.map((name) => member(body, name) ?? null);
  return values.every((value) => value === null) ? {} : { details: writeJson(values) };
}

/**
 * SHA-256 over what makes two payments the same to a person: debtor, creditor, amount, currency and remittance, however
 * they are written.
 */
export function fingerprintOf(order: PaymentOrder): string {
  const { debtorAccount, creditorAccount, creditorName, amount = '', currency = '' } = order.summary;
  return sha256([
    canonicalIban(debtorAccount),
    canonicalIban(creditorAccount),
    creditorName?.trim(),
    canonicalAmount(amount, currency),
    currency,
    order.remittance.trim(),
    order.service,
    ...(order.details === undefined ? [] : [order.details]),
  ]);
}

/** SHA-256 in hex over texts, each kept apart from the next. */
export function sha256(texts: readonly (string | undefined)[]): string {
  return sha256Hex(JSON.stringify(texts));
}

function identifierOf(value: JsonValue | undefined): string | undefined {
  return ['iban', 'bban', 'pan', 'maskedPan', 'msisdn']
    .map((key) => stringMember(value, key))
    .find((text) => text !== undefined);
}

/** Many payments are hashed one by one: their text as a whole would be as long as the body. */
function canonicalParts(body: JsonObject, entries: JsonValue | undefined): string[] {
  if (!Array.isArray(entries)) return [canonical(body)];
  return [canonical({ ...body, payments: [] }), ...entries.map((entry) => sha256Hex(canonical(entry)))];
}

/** The text of a document with its members in order of name: white space and order do not make another payment. */
function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isJsonObject(value)) return writeJson(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${writeJson(key)}:${canonical(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}
