import { defined } from '../../base/defined.ts';
import { isCountryCode, isCurrencyCode } from '../../base/values.ts';
import type { BankDescriptor } from '../../settings/records/bank-descriptor.ts';
import { pathOf, toldOf } from '../../referee/body/members.ts';
import { bodyFaults, paymentBody, standingBody } from '../../referee/body/payment.ts';
import type { PaymentTerms } from '../../referee/body/payment.ts';
import type { RefereeFinding } from '../../referee/finding.ts';
import { aboveSepa, checkPaymentAmount } from '../../standard/formats/money/amount.ts';
import { TotalsCounter } from '../../standard/formats/payments/credit-transfer.ts';
import type { TransferTotals } from '../../standard/formats/payments/credit-transfer.ts';
import { checkCharset, ibanDoubt, outsideSepa } from '../../standard/xs2a/check.ts';
import { checkCountry } from '../../standard/xs2a/countries.ts';
import { isJsonObject, member, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { referenceFault } from '../../standard/xs2a/creditor-reference.ts';
import { identicalPayments, identicalTo, paidBy } from './identical-payments.ts';
import {
  accountIdentifiers,
  addressLimits,
  bulkMembers,
  fieldsOf,
  isJsonProduct,
  isPaymentService,
  paymentMembers,
  standingMembers,
  valueOf,
} from '../../standard/xs2a/products.ts';
import type { PaymentService } from '../../standard/xs2a/products.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';

/** What is collected while the parts of a payment are looked at. */
class JsonLint {
  readonly product: string | undefined;
  readonly counter = new TotalsCounter();
  readonly findings: LintFinding[];

  constructor(product: string | undefined, findings: LintFinding[]) {
    this.product = product;
    this.findings = findings;
  }

  add(severity: LintFinding['severity'], path: string, rule: string, text: string): void {
    this.findings.push({ path, rule, text, severity });
  }
}

const isSepa = (product = '') => product.endsWith('sepa-credit-transfers');

/** Checks a payment in JSON of any service, and counts what it pays: what the referee refuses, and what a payer hardly means. */
export function lintJsonPayment(
  body: JsonValue,
  options: LintOptions,
): TransferTotals & { findings: LintFinding[] } {
  const terms = termsOf(body, options);
  const findings = bodyFaults(terms.framework, paymentBody(terms), body).map((fault) =>
    asLint(fault, body, options),
  );
  const lint = new JsonLint(options.product, findings);
  if (isJsonObject(body)) {
    lintAccount(lint, body, 'debtorAccount', '');
    if (terms.service === 'bulk-payments') lintEntries(lint, body, options.intentHash);
    else lintTransfer(lint, body, '');
    lintMembers(lint, body, '', terms.service);
  }
  return { ...lint.counter.totals, findings };
}

/** Checks when a standing order runs, where this stands by itself. */
export function lintStandingOrder(body: JsonValue, options: LintOptions): LintFinding[] {
  const terms = termsOf(body, options);
  return bodyFaults(terms.framework, standingBody(terms), body).map((fault) => asLint(fault, body, options));
}

function termsOf(body: JsonValue, { service, product = '', framework, today }: LintOptions): PaymentTerms {
  const known = service !== undefined && isPaymentService(service) ? service : serviceOf(body);
  return { framework, service: known, product, today };
}

function serviceOf(body: JsonValue): PaymentService {
  if (member(body, 'payments') !== undefined) return 'bulk-payments';
  return member(body, 'startDate') === undefined && member(body, 'frequency') === undefined
    ? 'payments'
    : 'periodic-payments';
}

/** A finding of the referee in the words of lint, with the value where that is a short text. */
function asLint(fault: RefereeFinding, body: JsonValue, { today }: LintOptions): LintFinding {
  const path = pathOf(fault.pointer);
  const value = valueAt(body, fault.pointer);
  // The day of the bank may be another one.
  if (fault.rule === 'body-date-passed' && path !== 'endDate' && typeof value === 'string')
    return { path, rule: 'date', text: `${value.slice(0, 10)} is before ${today}`, severity: 'warning' };
  const rule = ruleOf(fault, path, value);
  const isShown =
    typeof value === 'string' && value.length <= 60 && !['length', 'empty', 'date'].includes(rule);
  const text = toldOf(fault, isShown ? JSON.stringify(value) : 'it')
    .replace(/^it(?:: | (?=[0-9]))/, '')
    .replace(/\.$/, '');
  return { path, rule, text, severity: 'error' };
}

const valueAt = (body: JsonValue, pointer: string): JsonValue | undefined =>
  pointer
    .split('/')
    .slice(1)
    .reduce<JsonValue | undefined>(
      (value, name) => (Array.isArray(value) ? value[Number(name)] : member(value, name)),
      body,
    );

/** The names that lint has for rules of the referee; the others keep theirs, without `body-`. */
const lintNames: Partial<
  Record<RefereeFinding['rule'], string | ((text: string | undefined, path: string) => string)>
> = {
  'body-member-missing': 'required',
  'body-list': 'required',
  'body-code': 'value',
  'body-date-passed': 'date',
  'body-length': (text) => (text?.trim() === '' ? 'empty' : 'length'),
  'body-currency': (text) => (isCurrencyCode(text ?? '') ? 'scheme' : 'currency'),
  'body-account-reference': (text) => (text === undefined ? 'choice' : 'account-reference'),
  'body-combination': (_, path) => (path.startsWith('payments[') ? 'unexpected' : 'choice'),
};

function ruleOf({ rule }: RefereeFinding, path: string, value: JsonValue | undefined): string {
  const name = lintNames[rule] ?? rule.replace('body-', '');
  return typeof name === 'string' ? name : name(typeof value === 'string' ? value : undefined, path);
}

function lintEntries(lint: JsonLint, body: JsonObject, intentHash: string | undefined): void {
  const entries = body['payments'];
  if (!Array.isArray(entries)) return;
  const earlier = identicalPayments(intentHash);
  for (const [at, entry] of entries.entries()) {
    const path = `payments[${String(at)}]`;
    const same = earlier(paidBy(isJsonObject(entry) ? entry : {}));
    if (same !== undefined) lint.add('warning', path, 'identical', identicalTo(`payments[${String(same)}]`));
    if (!isJsonObject(entry)) continue;
    lintTransfer(lint, entry, `${path}.`);
    lintMembers(lint, entry, `${path}.`, 'payments');
  }
}

function lintTransfer(lint: JsonLint, entry: JsonObject, at: string): void {
  lintAccount(lint, entry, 'creditorAccount', at);
  lintAmount(lint, entry, at);
  for (const name of paymentMembers) if (isText(name)) lintText(lint, entry, name, at);
  lintReference(lint, entry, at);
  const address = entry['creditorAddress'];
  for (const name of Object.keys(addressLimits)) lintText(lint, address, name, `${at}creditorAddress.`);
  const code = stringMember(address, 'country') ?? '';
  const country = checkCountry(code);
  if (isCountryCode(code) && !country.ok)
    lint.add('warning', `${at}creditorAddress.country`, 'value', country.why);
}

const isText = (name: (typeof paymentMembers)[number]): boolean =>
  typeof valueOf(name) === 'number' || valueOf(name) === 'name of an agent';

/** A structured reference is an object, at some banks a text. */
function lintReference(lint: JsonLint, entry: JsonObject, at: string): void {
  const name = 'remittanceInformationStructured';
  const structured = entry[name];
  const isWhole = typeof structured === 'string';
  const [holder, key, place] = isWhole ? [entry, name, at] : [structured, 'reference', `${at}${name}.`];
  const reference = stringMember(holder, key);
  if (reference === undefined) return;
  lintText(lint, holder, key, place);
  const referenceType = stringMember(structured, 'referenceType');
  const iban = stringMember(member(entry, 'creditorAccount'), 'iban');
  const fault = referenceFault({ reference, ...defined({ referenceType }) }, iban);
  if (fault !== undefined)
    lint.add('error', place + key, 'reference', `${JSON.stringify(reference)}: ${fault}`);
}

function lintText(lint: JsonLint, holder: JsonValue | undefined, name: string, at: string): void {
  const foreign = checkCharset(stringMember(holder, name) ?? '');
  if (foreign === undefined) return;
  const character = JSON.stringify(foreign.character);
  lint.add(
    'warning',
    at + name,
    'charset',
    `character ${String(foreign.at + 1)} is ${character}, outside the set that every bank takes`,
  );
}

function lintAmount(lint: JsonLint, entry: JsonObject, at: string): void {
  const amount = stringMember(entry['instructedAmount'], 'amount') ?? '';
  const currency = stringMember(entry['instructedAmount'], 'currency') ?? '';
  if (!checkPaymentAmount(amount, currency).ok) return;
  lint.counter.add({ currency, amount });
  const above = isSepa(lint.product) ? aboveSepa(amount) : undefined;
  if (above !== undefined) lint.add('warning', `${at}instructedAmount`, 'scheme', above);
}

function lintAccount(
  lint: JsonLint,
  body: JsonObject,
  name: 'debtorAccount' | 'creditorAccount',
  at: string,
): void {
  const { product } = lint;
  const account = body[name];
  const path = at + name;
  const iban = stringMember(account, 'iban');
  if (iban === undefined) {
    const isNumbered = accountIdentifiers.some((key) => stringMember(account, key) !== undefined);
    if (isSepa(product) && isNumbered)
      lint.add('warning', path, 'scheme', `it has no IBAN, which ${product ?? ''} are paid by`);
    return;
  }
  const doubt = ibanDoubt(iban);
  if (doubt !== undefined) lint.add('warning', `${path}.iban`, 'iban-national', doubt);
  const outside = isSepa(product) ? outsideSepa(iban) : undefined;
  if (outside !== undefined) lint.add('warning', `${path}.iban`, 'outside-sepa', outside);
}

const besideTransfer: Readonly<Record<PaymentService, readonly string[]>> = {
  payments: [],
  'bulk-payments': Object.keys(bulkMembers),
  'periodic-payments': Object.keys(standingMembers),
};

/** A member unknown to the product is only a warning, since a bank may accept it; one that all core products need is missed in others, too. */
function lintMembers(lint: JsonLint, body: JsonObject, at: string, service: PaymentService): void {
  const { product = '' } = lint;
  const needs: Readonly<Record<string, string>> =
    service === 'bulk-payments' ? {} : fieldsOf(isJsonProduct(product) ? product : 'sepa-credit-transfers');
  if (!isJsonProduct(product)) {
    for (const [name, need] of Object.entries(needs))
      if (need === 'm' && body[name] === undefined && !(at !== '' && name === 'debtorAccount'))
        lint.add('error', at + name, 'required', 'it is missing');
    return;
  }
  for (const name of Object.keys(body)) {
    if ((needs[name] ?? 'n') !== 'n' || besideTransfer[service].includes(name)) continue;
    lint.add('warning', at + name, 'product', `${product} has no ${name}; the bank may refuse it`);
  }
}

/** One thing that is wrong or remarkable in a payment file; line and column from 1 where the file has them. */
export interface LintFinding {
  path: string;
  line?: number | undefined;
  column?: number | undefined;
  rule: string;
  text: string;
  severity: 'error' | 'warning';
}

/** Options of the check. */
export interface LintOptions {
  /** Guessed from the file where it is absent. */
  service?: string | undefined;
  product?: string | undefined;
  framework: Framework;
  /** An ISO date. */
  today: string;
  /** What the bank says of pain.001. */
  pain?: NonNullable<NonNullable<BankDescriptor['payments']>['pain']>;
  /** Every warning is an error. */
  strict: boolean;
  /** How to report characters outside the minimum set in SEPA payments; elsewhere they are a warning. */
  charset?: 'warn' | 'error';
  /** Of a payment that obk writes: the end-to-end ids made from it are none. */
  intentHash?: string;
}
