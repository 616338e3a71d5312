import { InteractionNeeded, ObkError } from '../errors.ts';
import { checkPaymentAmount, parseAmount } from '../formats/amount.ts';
import type { SavedResource } from '../ports.ts';
import { sha256Hex } from '../signing/digest.ts';
import { checkCreditorName, checkCurrency, checkIban, checkMax35, checkMax140 } from '../xs2a/check.ts';
import { isJsonObject, member, readJson, stringMember, writeJson } from '../xs2a/json.ts';
import type { JsonValue } from '../xs2a/json.ts';
import {
  allowsEndToEndIdentification,
  isPaymentService,
  isXmlProduct,
  paymentServices,
  products,
} from '../xs2a/products.ts';
import type { PaymentInitiation } from '../xs2a/wire.ts';

/** The fields of a single payment as typed by a person or a script. */
export interface PaymentFields {
  debtor?: string;
  creditorAccount?: string;
  creditorName?: string;
  amount?: string;
  currency?: string;
  remittance?: string;
  endToEndId?: string;
}

/** A payment order ready to be claimed and sent: the exact bytes and what a person recognises them by. */
export interface PaymentOrder {
  service: string;
  product: string;
  bytes: Uint8Array;
  contentType: string;
  summary: NonNullable<SavedResource['summary']>;
  remittance: string;
  endToEndIdentification?: string;
  /** SHA-256 over service, product and the canonical body. */
  bodyHash: string;
}

/** Which field is asked by which flag; the order in which a person is asked. */
export const fieldFlags = {
  debtor: '--debtor',
  creditorName: '--creditor-name',
  creditorAccount: '--creditor-account',
  amount: '--amount',
  currency: '--currency',
  remittance: '--remittance',
  endToEndId: '--end-to-end-id',
} as const satisfies Record<keyof PaymentFields, string>;

const mandatory = ['debtor', 'creditorName', 'creditorAccount', 'amount'] as const;

/** The mandatory fields that are not there yet. */
export function missingFields(fields: PaymentFields): (keyof PaymentFields)[] {
  return mandatory.filter((name) => (fields[name] ?? '') === '');
}

/** Tells why a field cannot be sent, or undefined; the amount is judged in the currency of the fields. */
export function fieldFault(name: keyof PaymentFields, value: string, currency = 'EUR'): string | undefined {
  const checked = checkers[name](value, currency);
  return checked.ok ? undefined : checked.why;
}

type Check = (value: string, currency: string) => { ok: true } | { ok: false; why: string };

const checkers: Record<keyof PaymentFields, Check> = {
  debtor: checkIban,
  creditorAccount: checkIban,
  creditorName: checkCreditorName,
  amount: (value, currency) => checkPaymentAmount(value, currency.toUpperCase()),
  currency: checkCurrency,
  remittance: checkMax140,
  endToEndId: checkMax35,
};

/** Throws USAGE for a service or product that the interface does not know, naming the choices. */
export function checkProduct(service: string, product: string): void {
  if (!isPaymentService(service)) throw unknownChoice('payment service', service, paymentServices);
  if (!(products as readonly string[]).includes(product))
    throw unknownChoice('payment product', product, products);
}

function unknownChoice(what: string, value: string, choices: readonly string[]): ObkError {
  return new ObkError({
    code: 'USAGE',
    title: `There is no ${what} ${JSON.stringify(value)}.`,
    detail: `Known: ${choices.join(', ')}.`,
  });
}

/**
 * Builds the JSON body of a single payment; every fault of the fields is told at once. `intentHash` gives the payment its
 * endToEndIdentification where the product allows one and none was given, so that it can be found again.
 */
export function buildPayment(
  service: string,
  product: string,
  fields: PaymentFields,
  intentHash: string,
): PaymentOrder {
  if (service !== 'payments' || isXmlProduct(product)) {
    throw new ObkError({
      code: 'USAGE',
      title: `A payment of ${service}/${product} is not made from single fields.`,
      hint: ['--input FILE   # the whole payment'],
    });
  }
  const missing = missingFields(fields);
  if (missing.length > 0) throw new InteractionNeeded(missing.map((name) => fieldFlags[name]));
  const currency = (fields.currency ?? 'EUR').toUpperCase();
  const faults = (Object.keys(fieldFlags) as (keyof PaymentFields)[]).flatMap((name) => {
    const value = fields[name];
    const why = value === undefined ? undefined : fieldFault(name, value, currency);
    return why === undefined ? [] : [`${fieldFlags[name]} ${JSON.stringify(value)}: ${why}`];
  });
  if (faults.length > 0) {
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'The payment cannot be sent as it is.',
      detail: faults.join('\n'),
    });
  }
  const endToEnd =
    fields.endToEndId ??
    (allowsEndToEndIdentification(product) ? `OBK${intentHash.slice(0, 29).toUpperCase()}` : undefined);
  const body: PaymentInitiation = {
    ...(endToEnd === undefined ? {} : { endToEndIdentification: endToEnd }),
    debtorAccount: { iban: canonicalIban(fields.debtor) },
    instructedAmount: { currency, amount: canonicalAmount(fields.amount ?? '', currency) },
    creditorAccount: { iban: canonicalIban(fields.creditorAccount) },
    creditorName: fields.creditorName ?? '',
    ...(fields.remittance === undefined ? {} : { remittanceInformationUnstructured: fields.remittance }),
  };
  return readOrder(service, product, Buffer.from(JSON.stringify(body), 'utf8'));
}

/** Takes a JSON body as it is: its bytes are sent untouched, its fields are read for confirmation and content check. */
export function readOrder(service: string, product: string, bytes: Uint8Array): PaymentOrder {
  const body = readJson(bytes, { code: 'INPUT_INVALID' });
  if (!isJsonObject(body)) {
    throw new ObkError({ code: 'INPUT_INVALID', title: 'The payment is not a JSON object.' });
  }
  const amount = member(body, 'instructedAmount');
  const currency = stringMember(amount, 'currency');
  const value = stringMember(amount, 'amount');
  if (amount !== undefined && (currency === undefined || value === undefined)) {
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'The amount of the payment cannot be read.',
      detail:
        'instructedAmount must be {"currency": "EUR", "amount": "12.50"}: both strings, a dot as decimal sign.',
    });
  }
  if (currency !== undefined && value !== undefined) {
    const checked = checkPaymentAmount(value, currency);
    if (!checked.ok) {
      throw new ObkError({
        code: 'INPUT_INVALID',
        title: 'The amount of the payment is not valid.',
        detail: `instructedAmount ${JSON.stringify(value)} ${currency}: ${checked.why}`,
      });
    }
  }
  const summary = {
    ...(value === undefined ? {} : { amount: value }),
    ...(currency === undefined ? {} : { currency }),
    ...named('creditorName', stringMember(body, 'creditorName')),
    ...named('creditorAccount', accountOf(member(body, 'creditorAccount'))),
    ...named('debtorAccount', accountOf(member(body, 'debtorAccount'))),
  };
  const endToEnd = stringMember(body, 'endToEndIdentification');
  return {
    service,
    product,
    bytes,
    contentType: 'application/json',
    summary,
    ...(endToEnd === undefined ? {} : { endToEndIdentification: endToEnd }),
    remittance: stringMember(body, 'remittanceInformationUnstructured') ?? '',
    bodyHash: sha256([service, product, writeJson(sorted(body))]),
  };
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
  ]);
}

/** SHA-256 in hex over texts, each kept apart from the next. */
export function sha256(texts: readonly (string | undefined)[]): string {
  return sha256Hex(JSON.stringify(texts));
}

function accountOf(value: JsonValue | undefined): string | undefined {
  return ['iban', 'bban', 'pan', 'maskedPan', 'msisdn']
    .map((key) => stringMember(value, key))
    .find((text) => text !== undefined);
}

function named(key: 'creditorName' | 'creditorAccount' | 'debtorAccount', value: string | undefined) {
  return value === undefined ? {} : { [key]: value };
}

function canonicalIban(text = ''): string {
  const checked = checkIban(text);
  return checked.ok ? checked.value : text;
}

/** With all digits of the currency: 12.5 EUR is 12.50. */
function canonicalAmount(text: string, currency: string): string {
  const parsed = parseAmount(text, currency);
  return parsed.ok ? parsed.value.amount : text;
}

/** The same document with its members in order of name: white space and order do not make another payment. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}
