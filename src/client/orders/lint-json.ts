import type { BankDescriptor } from '../../settings/records/bank-descriptor.ts';
import { aboveSepa, checkPaymentAmount } from '../../standard/formats/money/amount.ts';
import { TotalsCounter } from '../../standard/formats/payments/credit-transfer.ts';
import type { TransferTotals } from '../../standard/formats/payments/credit-transfer.ts';
import {
  checkBic,
  checkCharset,
  checkIban,
  checkIsoDate,
  ibanDoubt,
  outsideSepa,
} from '../../standard/xs2a/check.ts';
import { checkText } from '../../standard/xs2a/check-text.ts';
import type { Checked } from '../../standard/xs2a/check.ts';
import { checkCountry } from '../../standard/xs2a/countries.ts';
import { chargeBearers, executionRules, frequencies, valuesIn } from '../../standard/xs2a/code-lists.ts';
import { isJsonObject, member, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { referenceFault } from '../../standard/xs2a/creditor-reference.ts';
import { identicalPayments, identicalTo, paidBy } from './identical-payments.ts';
import { pathOf } from '../../referee/body/members.ts';
import { paymentBody } from '../../referee/body/payment.ts';
import { Findings } from '../../referee/finding.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import {
  accountIdentifiers,
  addressLimits,
  currenciesOf,
  fieldsOf,
  isJsonProduct,
  isPaymentService,
  limitsIn,
} from '../../standard/xs2a/products.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';

type Add = (severity: LintFinding['severity'], path: string, rule: string, text: string) => void;

const isSepa = (product = '') => product.endsWith('sepa-credit-transfers');

/** Checks a payment in JSON of any service, and counts what it pays. */
export function lintJsonPayment(
  body: JsonValue,
  options: LintOptions,
): TransferTotals & { findings: LintFinding[] } {
  const { findings, add } = collector();
  const counter = new TotalsCounter();
  if (!isJsonObject(body)) {
    add('error', '', 'type', 'it is not a JSON object');
    return { ...counter.totals, findings };
  }
  const service = options.service ?? serviceOf(body);
  lintAccount(body, 'debtorAccount', '', options, add);
  if (service !== 'bulk-payments') lintTransfer(body, '', options, counter, add);
  else lintEntries(body, options, counter, add);
  if (service === 'periodic-payments') findings.push(...lintStandingOrder(body, options));
  lintExecution(body, options, add);
  lintMembers(body, '', service, options, add);
  findings.push(...furtherFaults(body, service, options, findings));
  return { ...counter.totals, findings };
}

/** The faults that the judge of requests finds where nothing stands yet: what a bank refuses by the interface is an error here, too. */
function furtherFaults(
  body: JsonObject,
  service: string,
  { framework, product = '', today }: LintOptions,
  findings: readonly LintFinding[],
): LintFinding[] {
  if (!isPaymentService(service)) return [];
  const found = new Findings(framework, undefined);
  paymentBody({ framework, service, product, today })(body, '', found);
  const places = findings.flatMap(({ path, severity, rule }) =>
    severity === 'error' || rule === 'date' ? [path] : [],
  );
  return found.list.flatMap<LintFinding>(({ rule, severity, pointer, what }) => {
    const path = pathOf(pointer);
    const isKnown = places.some((place) => isWithin(path, place) || isWithin(place, path));
    if (isKnown || severity !== 'error') return [];
    const name = pointer.slice(1);
    const text = (what.startsWith(`${name} `) ? `it${what.slice(name.length)}` : what).replace(/\.$/, '');
    // The day of the bank may be another one.
    if (rule === 'body-date-passed') return [{ path, rule: 'date', text, severity: 'warning' }];
    return [{ path, rule: rule.replace('body-', ''), text, severity: 'error' }];
  });
}

/** Whether a place is another one or inside of it. */
const isWithin = (inner: string, outer: string): boolean =>
  inner.startsWith(outer) && ['', '.', '['].includes(inner.charAt(outer.length));

function collector() {
  const findings: LintFinding[] = [];
  const add: Add = (severity, path, rule, text) => void findings.push({ path, rule, text, severity });
  return { findings, add };
}

function serviceOf(body: JsonObject): string {
  if (body['payments'] !== undefined) return 'bulk-payments';
  return body['startDate'] === undefined && body['frequency'] === undefined
    ? 'payments'
    : 'periodic-payments';
}

function lintEntries(body: JsonObject, options: LintOptions, counter: TotalsCounter, add: Add): void {
  const entries = body['payments'];
  if (!Array.isArray(entries) || entries.length === 0) {
    add('error', 'payments', 'required', 'it is not a list of payments');
    return;
  }
  const earlier = identicalPayments(options.intentHash);
  for (const [at, entry] of entries.entries()) {
    const path = `payments[${String(at)}]`;
    const same = earlier(paidBy(isJsonObject(entry) ? entry : {}));
    if (same !== undefined) add('warning', path, 'identical', identicalTo(`payments[${String(same)}]`));
    if (!isJsonObject(entry)) {
      add('error', path, 'type', 'it is not a JSON object');
      continue;
    }
    lintTransfer(entry, `${path}.`, options, counter, add);
    lintMembers(entry, `${path}.`, 'payments', options, add);
    for (const name of ['debtorAccount', 'requestedExecutionDate', 'requestedExecutionTime']) {
      if (entry[name] !== undefined)
        add('error', `${path}.${name}`, 'unexpected', 'it stands once, before all payments of a bulk');
    }
  }
}

function lintTransfer(
  entry: JsonObject,
  at: string,
  options: LintOptions,
  counter: TotalsCounter,
  add: Add,
): void {
  lintAccount(entry, 'creditorAccount', at, options, add);
  lintAmount(entry, at, options, counter, add);
  if (entry['creditorName'] === undefined) add('error', `${at}creditorName`, 'required', 'it is missing');
  for (const [name, limit] of Object.entries(limitsIn(options.framework))) {
    const value = entry[name];
    if (value === undefined) continue;
    if (typeof value !== 'string') add('error', at + name, 'type', 'it is not a string');
    else lintText(value, at + name, limit, add);
  }
  lintValue(entry, 'creditorAgent', at, 'bic', checkBic, add);
  lintValue(entry, 'chargeBearer', at, 'value', oneOf(chargeBearers.map(({ code }) => code)), add);
  lintReference(entry, at, add);
  const address = entry['creditorAddress'];
  if (isJsonObject(address)) lintAddress(address, `${at}creditorAddress.`, add);
  if (address === undefined) return;
  const code = stringMember(address, 'country') ?? '';
  const country = checkCountry(code);
  const severity = /^[A-Z]{2}$/.test(code) ? 'warning' : 'error';
  if (!country.ok) add(severity, `${at}creditorAddress.country`, 'value', country.why);
}

function lintAddress(address: JsonObject, at: string, add: Add): void {
  for (const [name, limit] of Object.entries(addressLimits)) {
    const value = address[name];
    if (typeof value === 'string') lintText(value, at + name, limit, add);
    else if (value !== undefined) add('error', at + name, 'type', 'it is not a string');
  }
}

/** A structured reference is an object, at some banks a text. */
function lintReference(entry: JsonObject, at: string, add: Add): void {
  const structured = entry['remittanceInformationStructured'];
  if (structured === undefined) return;
  const path = `${at}remittanceInformationStructured`;
  const isText = typeof structured === 'string';
  const reference = isText ? structured : stringMember(structured, 'reference');
  if (reference === undefined) {
    add('error', isText ? path : `${path}.reference`, 'required', 'it has no reference');
    return;
  }
  const place = isText ? path : `${path}.reference`;
  lintText(reference, place, isText ? 140 : 35, add);
  const referenceType = stringMember(structured, 'referenceType');
  const iban = stringMember(member(entry, 'creditorAccount'), 'iban');
  const fault = referenceFault({ reference, ...(referenceType !== undefined && { referenceType }) }, iban);
  if (fault !== undefined) add('error', place, 'reference', `${JSON.stringify(reference)}: ${fault}`);
}

function lintText(value: string, path: string, limit: number, add: Add): void {
  const checked = checkText(value, limit);
  if (!checked.ok) add('error', path, value.trim() === '' ? 'empty' : 'length', checked.why);
  const foreign = checkCharset(value);
  if (foreign === undefined) return;
  const character = JSON.stringify(foreign.character);
  add(
    'warning',
    path,
    'charset',
    `character ${String(foreign.at + 1)} is ${character}, outside the set that every bank takes`,
  );
}

function lintAmount(
  entry: JsonObject,
  at: string,
  { product }: LintOptions,
  counter: TotalsCounter,
  add: Add,
): void {
  const path = `${at}instructedAmount`;
  const value = entry['instructedAmount'];
  if (value === undefined) {
    add('error', path, 'required', 'it is missing');
    return;
  }
  const amount = stringMember(value, 'amount');
  const currency = stringMember(value, 'currency');
  if (amount === undefined || currency === undefined) {
    add('error', path, 'type', 'it has a currency and an amount, both strings');
    return;
  }
  const checked = checkPaymentAmount(amount, currency);
  if (!checked.ok) {
    add('error', path, 'amount', `${JSON.stringify(amount)} ${currency}: ${checked.why}`);
    return;
  }
  counter.add({ currency, amount });
  const currencies = currenciesOf(product ?? '');
  if (currencies?.includes(currency) === false)
    add('error', path, 'scheme', `${product ?? ''} are in ${String(currencies)}, not ${currency}`);
  const above = isSepa(product) ? aboveSepa(amount) : undefined;
  if (above !== undefined) add('warning', path, 'scheme', above);
}

function lintAccount(
  body: JsonObject,
  name: 'debtorAccount' | 'creditorAccount',
  at: string,
  { product, framework }: LintOptions,
  add: Add,
): void {
  const path = at + name;
  const account = body[name];
  if (account === undefined) {
    add('error', path, 'required', 'it is missing');
    return;
  }
  const iban = member(account, 'iban');
  const names = hasMember(framework, 'reference to an account', 'other')
    ? [...accountIdentifiers, 'other']
    : accountIdentifiers;
  if (names.filter((key) => member(account, key) !== undefined).length !== 1)
    add('error', path, 'choice', `it has one of ${names.join(', ')}`);
  else if (iban === undefined && isSepa(product))
    add('warning', path, 'scheme', `it has no IBAN, which ${product ?? ''} are paid by`);
  if (iban !== undefined && isJsonObject(account)) lintIban(account, path, isSepa(product), add);
}

function lintIban(account: JsonObject, path: string, sepa: boolean, add: Add): void {
  lintValue(account, 'iban', `${path}.`, 'iban', checkIban, add);
  const iban = account['iban'];
  const doubt = typeof iban === 'string' ? ibanDoubt(iban) : undefined;
  if (doubt !== undefined) add('warning', `${path}.iban`, 'iban-national', doubt);
  const outside = sepa && typeof iban === 'string' ? outsideSepa(iban) : undefined;
  if (outside !== undefined) add('warning', `${path}.iban`, 'outside-sepa', outside);
}

/** Checks a string member, if it is there: its value, and whether it is written as the interface wants it. */
function lintValue(
  body: JsonObject,
  name: string,
  at: string,
  rule: string,
  check: (text: string) => Checked,
  add: Add,
): void {
  const value = body[name];
  if (value === undefined) return;
  if (typeof value !== 'string') {
    add('error', at + name, 'type', 'it is not a string');
    return;
  }
  const checked = check(value);
  if (!checked.ok) add('error', at + name, rule, `${JSON.stringify(value)}: ${checked.why}`);
  else if (checked.value !== value) add('error', at + name, rule, `it must be written ${checked.value}`);
}

function oneOf(codes: readonly string[]): (value: string) => Checked {
  return (value) =>
    codes.includes(value) ? { ok: true, value } : { ok: false, why: `it is not one of ${codes.join(', ')}` };
}

function lintExecution(body: JsonObject, { today }: LintOptions, add: Add): void {
  lintDay(body, 'requestedExecutionDate', today, add);
  if (body['requestedExecutionDate'] !== undefined && body['requestedExecutionTime'] !== undefined)
    add('error', 'requestedExecutionTime', 'choice', 'there is an execution date, too');
}

function lintDay(
  body: JsonObject,
  name: string,
  earliest: string,
  add: Add,
  severity: LintFinding['severity'] = 'warning',
): void {
  lintValue(body, name, '', 'date', checkIsoDate, add);
  const day = body[name];
  if (typeof day === 'string' && checkIsoDate(day).ok && day < earliest)
    add(severity, name, 'date', `${day} is before ${earliest}`);
}

/** Checks when a standing order runs. */
export function lintStandingOrder(body: JsonValue, { framework, today }: LintOptions): LintFinding[] {
  const { findings, add } = collector();
  if (!isJsonObject(body)) {
    add('error', '', 'type', 'it is not a JSON object');
    return findings;
  }
  for (const name of ['startDate', 'frequency'])
    if (body[name] === undefined) add('error', name, 'required', 'it is missing');
  lintDay(body, 'startDate', today, add);
  lintDay(body, 'endDate', stringMember(body, 'startDate') ?? today, add, 'error');
  lintValue(body, 'frequency', '', 'value', oneOf(valuesIn(framework, frequencies)), add);
  lintValue(body, 'executionRule', '', 'value', oneOf(executionRules.map(({ code }) => code)), add);
  lintValue(
    body,
    'dayOfExecution',
    '',
    'value',
    (value) =>
      /^([1-9]|[12][0-9]|3[01])$/.test(value)
        ? { ok: true, value }
        : { ok: false, why: 'it is not one of 1 to 31' },
    add,
  );
  const isVariable = body['frequency'] === 'MonthlyVariable';
  if (isVariable !== (body['monthsOfExecution'] !== undefined))
    add('error', 'monthsOfExecution', 'choice', 'it is for the frequency MonthlyVariable only');
  return findings;
}

const besideTransfer: Readonly<Record<string, readonly string[]>> = {
  'bulk-payments': [
    'payments',
    'debtorAccount',
    'batchBookingPreferred',
    'requestedExecutionDate',
    'requestedExecutionTime',
    'paymentInformationId',
  ],
  'periodic-payments': [
    'startDate',
    'frequency',
    'endDate',
    'executionRule',
    'dayOfExecution',
    'monthsOfExecution',
  ],
};

/** A member unknown to the product is only a warning, since a bank may accept it. */
function lintMembers(
  body: JsonObject,
  at: string,
  service: string,
  { product }: LintOptions,
  add: Add,
): void {
  if (product === undefined || !isJsonProduct(product)) return;
  const needs: Readonly<Record<string, string>> = service === 'bulk-payments' ? {} : fieldsOf(product);
  const also = besideTransfer[service] ?? [];
  for (const name of Object.keys(body)) {
    if ((needs[name] ?? 'n') !== 'n' || also.includes(name)) continue;
    add('warning', at + name, 'product', `${product} has no ${name}; the bank may refuse it`);
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
