import { checkPaymentAmount } from '../../standard/formats/money/amount.ts';
import {
  asOnWire,
  checkBban,
  checkBic,
  checkIban,
  checkIsoDate,
  checkMax35,
} from '../../standard/xs2a/check.ts';
import { checkText } from '../../standard/xs2a/check-text.ts';
import type { Checked } from '../../standard/xs2a/check.ts';
import { chargeBearers } from '../../standard/xs2a/code-lists.ts';
import { isJsonObject } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import {
  accountIdentifiers,
  addressLimits,
  currenciesOf,
  fieldsOf,
  limitsIn,
} from '../../standard/xs2a/products.ts';
import type { JsonProduct } from '../../standard/xs2a/products.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import { isOffered } from '../books/order.ts';
import { frameworkFacts } from '../../standard/xs2a/variants.ts';
import type { AccountReference, StructuredRemittance } from '../../standard/xs2a/wire.ts';
import type { Transfer } from '../books/order.ts';
import { formatError, Refusal } from '../rules/refusal.ts';
import type { Scenario } from '../rules/scenario.ts';

/** Members of an object from the wire, unchecked. */
export type Fields = Record<string, unknown>;

/** The rules of a product and of this bank for the members of a payment. */
export interface Demands {
  product: JsonProduct;
  framework: Framework;
  /** Members for which the guidelines leave the choice to the bank. */
  scenario: Pick<Scenario, 'conditionalFields' | 'otherFields'>;
  /** Members that the service has beside those of a payment. */
  also: readonly string[];
}

/** Throws unless the value is an object; an empty path stands for the body. */
export function requireObject(value: unknown, path: string): Fields {
  if (isJsonObject(value as JsonValue)) return value as Fields;
  if (path === '') throw formatError('The body is not a JSON object.');
  throw formatError(value === undefined ? `${path} is missing.` : `${path} is not an object.`, path);
}

/** Throws unless the value is a string that passes the check. */
export function requireText(value: unknown, path: string, check: (value: string) => Checked): string {
  if (value === undefined) throw formatError(`${path} is missing.`, path);
  if (typeof value !== 'string') throw formatError(`${path} is not a string.`, path);
  const checked = asOnWire(check)(value);
  if (!checked.ok) throw formatError(`${path}: ${checked.why}.`, path);
  return value;
}

/** Checks one of a list of codes. */
export function oneOf(codes: readonly string[]): (value: string) => Checked {
  return (value) =>
    codes.includes(value) ? { ok: true, value } : { ok: false, why: `it is not one of ${codes.join(', ')}` };
}

/** The kind of number by which a reference names its account, if there is any; throws if there are several. */
function identifierOf(reference: Fields, path: string): (typeof accountIdentifiers)[number] | undefined {
  const [by, ...others] = accountIdentifiers.filter((name) => reference[name] !== undefined);
  if (others.length === 0) return by;
  throw formatError(`${path} does not name exactly one account.`, path);
}

/** Throws unless the object names one account, by any kind of number; whether it exists is checked later. */
export function requireAccount(value: unknown, path: string): AccountReference {
  const reference = requireObject(value, path);
  const by = identifierOf(reference, path);
  const { currency } = reference;
  const kept =
    currency === undefined ? {} : { currency: requireText(currency, `${path}.currency`, currencyCode) };
  if (by === undefined || by === 'iban') return { iban: requireIban(value, path), ...kept };
  const name = requireText(reference[by], `${path}.${by}`, by === 'bban' ? checkBban : checkMax35);
  return { [by]: name, ...kept };
}

/** Throws unless the object is an account with an IBAN in capitals without blanks; returns the IBAN. */
export function requireIban(value: unknown, path: string): string {
  return requireText(requireObject(value, path)['iban'], `${path}.iban`, checkIban);
}

/** The number of the payee's account, of whatever kind: the interface leaves the kind to the payer. */
function creditorAccount(value: unknown, path: string): string {
  const { other } = requireObject(value, path);
  if (other !== undefined && identifierOf(requireObject(value, path), path) === undefined)
    return requireText(
      requireObject(other, `${path}.other`)['identification'],
      `${path}.other.identification`,
      checkMax35,
    );
  const { iban, bban, msisdn, pan, maskedPan } = requireAccount(value, path);
  return iban ?? bban ?? msisdn ?? pan ?? maskedPan ?? '';
}

function instructedAmount(value: unknown, path: string, product: JsonProduct) {
  const instructed = requireObject(value, path);
  const currency = requireText(instructed['currency'], `${path}.currency`, (text) =>
    currenciesOf(product)?.includes(text) === false
      ? { ok: false, why: `${product} are in ${String(currenciesOf(product))}` }
      : isOffered(text)
        ? { ok: true, value: text }
        : { ok: false, why: 'this bank does not pay in that currency' },
  );
  const amount = requireText(instructed['amount'], `${path}.amount`, (text) => {
    const checked = checkPaymentAmount(text, currency);
    return checked.ok ? { ok: true, value: text } : checked;
  });
  return { currency, amount };
}

/** Reads the members of one credit transfer; `at` is the path in front of them (empty, or `payments[0].`). */
export function readTransfer(fields: Fields, at: string, demands: Demands): Transfer {
  const { product } = demands;
  checkPresence(fields, at, demands);
  const { currency, amount } = instructedAmount(fields['instructedAmount'], `${at}instructedAmount`, product);
  const account = creditorAccount(fields['creditorAccount'], `${at}creditorAccount`);
  for (const [name, limit] of Object.entries(limitsIn(demands.framework))) {
    if (fields[name] !== undefined) requireText(fields[name], at + name, (text) => checkText(text, limit));
  }
  for (const [name, check] of Object.entries(memberChecks)) {
    if (fields[name] !== undefined) check(fields[name], at + name, demands);
  }
  const text = (name: string) => fields[name] as string | undefined;
  const endToEndId = text('endToEndIdentification');
  const remittance = text('remittanceInformationUnstructured');
  const structured = fields['remittanceInformationStructured'] as StructuredRemittance | string | undefined;
  return {
    currency,
    amount,
    creditorName: requireText(fields['creditorName'], `${at}creditorName`, (name) => checkText(name, 70)),
    creditorAccount: account,
    ...(endToEndId !== undefined && { endToEndId }),
    ...(remittance !== undefined && { remittance }),
    ...(structured !== undefined && {
      reference: typeof structured === 'string' ? structured : structured.reference,
    }),
  };
}

/** Throws for the first member that is neither in the core product nor in `known`, if the bank refuses such members. */
export function refuseOthers(
  fields: Fields,
  at: string,
  { product, scenario }: Pick<Demands, 'product' | 'scenario'>,
  known: (name: string) => boolean,
): void {
  const other =
    scenario.otherFields === 'accept' ? undefined : Object.keys(fields).find((name) => !known(name));
  if (other !== undefined) throw formatError(`${at}${other} is not accepted with ${product}.`, at + other);
}

/** Checks the matrix of the product: mandatory members, and the further ones that this bank accepts. */
function checkPresence(fields: Fields, at: string, { product, scenario, also }: Demands): void {
  const needs: Readonly<Record<string, string>> = fieldsOf(product);
  for (const [name, need] of Object.entries(needs)) {
    const required = need === 'm' || (need === 'c' && scenario.conditionalFields === 'required');
    const elsewhere = at !== '' && name === 'debtorAccount';
    if (required && !elsewhere && fields[name] === undefined)
      throw formatError(`${at}${name} is missing.`, at + name);
  }
  const known = (name: string) => also.includes(name) || (needs[name] ?? 'n') !== 'n';
  refuseOthers(fields, at, { product, scenario }, known);
}

/** Checks a list of at least one item, each with its index. */
function checkList(value: unknown, path: string, check: (item: unknown, at: string) => unknown): void {
  if (!Array.isArray(value) || value.length === 0)
    throw formatError(`${path} is not a list of at least one item.`, path);
  for (const [index, item] of value.entries()) check(item, `${path}[${String(index)}]`);
}

/** A structured remittance of a payment is an object (guidelines 11.1), in some frameworks also a text. */
function checkTextOrRemittance(value: unknown, path: string, { framework }: Demands): void {
  if (typeof value === 'string' && frameworkFacts[framework].referenceAsText)
    requireText(value, path, (text) => checkText(text, 140));
  else checkRemittance(value, path);
}

function checkRemittance(value: unknown, path: string): void {
  const { reference, referenceType, referenceIssuer } = requireObject(value, path);
  const upTo35 = (text: string) => checkText(text, 35);
  requireText(reference, `${path}.reference`, upTo35);
  if (referenceType !== undefined) requireText(referenceType, `${path}.referenceType`, upTo35);
  if (referenceIssuer !== undefined) requireText(referenceIssuer, `${path}.referenceIssuer`, upTo35);
}

/** A code of an external list of ISO 20022, which grows without the framework. */
const isoCode = (value: string): Checked =>
  /^[A-Z0-9]{1,4}$/.test(value) ? { ok: true, value } : { ok: false, why: 'it is not a code of ISO 20022' };

const currencyCode = (value: string): Checked =>
  /^[A-Z]{3}$/.test(value) ? { ok: true, value } : { ok: false, why: 'it is not a currency' };

/** Checks of members beyond their length. Source: guidelines 11.1. */
const memberChecks: Readonly<Record<string, (value: unknown, path: string, demands: Demands) => unknown>> = {
  creditorAgent: (value, path) => requireText(value, path, checkBic),
  creditorAddress: checkAddress,
  chargeBearer: (value, path) => requireText(value, path, oneOf(chargeBearers.map(({ code }) => code))),
  currencyOfTransfer: (value, path) => requireText(value, path, currencyCode),
  purposeCode: (value, path) => requireText(value, path, isoCode),
  serviceLevel: (value, path) => requireText(value, path, isoCode),
  remittanceInformationUnstructuredArray: (value, path) => {
    checkList(value, path, (item, at) => requireText(item, at, (text) => checkText(text, 140)));
  },
  remittanceInformationStructured: checkTextOrRemittance,
  remittanceInformationStructuredArray: (value, path) => {
    checkList(value, path, checkRemittance);
  },
};

function checkAddress(value: unknown, path: string): void {
  const address = requireObject(value, path);
  requireText(address['country'], `${path}.country`, (text) =>
    /^[A-Z]{2}$/.test(text) ? { ok: true, value: text } : { ok: false, why: 'it is not a country code' },
  );
  for (const [name, limit] of Object.entries(addressLimits)) {
    if (address[name] !== undefined)
      requireText(address[name], `${path}.${name}`, (text) => checkText(text, limit));
  }
}

/** Reads when a payment shall be executed, as an instant (ISO 8601, UTC); throws EXECUTION_DATE_INVALID for a day that has passed. */
export function readExecution(fields: Fields, today: string): string | undefined {
  const { requestedExecutionDate: date, requestedExecutionTime: time } = fields;
  if (date !== undefined && time !== undefined) {
    throw formatError('There is both an execution date and an execution time.', 'requestedExecutionTime');
  }
  if (date !== undefined) return `${checkDay(date, 'requestedExecutionDate', today)}T00:00:00.000Z`;
  if (time === undefined) return undefined;
  const at = requireText(time, 'requestedExecutionTime', (text) =>
    /^[0-9]{4}-[0-9]{2}-[0-9]{2}T/.test(text) && !Number.isNaN(Date.parse(text))
      ? { ok: true, value: text }
      : { ok: false, why: 'it is not a date and time' },
  );
  checkDay(at.slice(0, 10), 'requestedExecutionTime', today);
  return new Date(at).toISOString();
}

/** Throws unless the value is an ISO date of today or later. */
export function checkDay(value: unknown, path: string, today: string): string {
  const day = requireText(value, path, checkIsoDate);
  if (day >= today) return day;
  throw new Refusal(400, 'EXECUTION_DATE_INVALID', `${path} has passed.`, { path });
}
