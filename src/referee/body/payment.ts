/** The payments in JSON: single, bulk and periodic. */
import { chargeBearers, executionRules, frequencies, valuesIn } from '../../standard/xs2a/code-lists.ts';
import type { JsonObject } from '../../standard/xs2a/json-value.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import {
  currenciesOf,
  fieldsOf,
  isJsonProduct,
  limitsIn,
  payeeCurrenciesOf,
  paymentMembers,
} from '../../standard/xs2a/products.ts';
import type { PaymentService, bulkMembers, standingMembers } from '../../standard/xs2a/products.ts';
import { frameworkFacts } from '../../standard/xs2a/variants.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { Findings } from '../finding.ts';
import { below, codeOf, flag, later, list, may, must, object, tell, text, wrongType } from './members.ts';
import type { Check, Member, Shape } from './members.ts';
import { account, address, anyText, bic, dayFrom, limited, paidAmount } from './values.ts';

/** The payment that a body is for. */
export interface PaymentTerms {
  readonly framework: Framework;
  readonly service: PaymentService;
  readonly product: string;
  /** ISO date. */
  readonly today: string;
}

/** The checks of today: to make one takes longer than to use it. */
const made = new Map<string, Check>();
/** A path may name any product. */
const mostMade = 64;

/** Returns the check of the body of a payment in JSON. */
export function paymentBody(terms: PaymentTerms): Check {
  const key = JSON.stringify([terms.framework, terms.service, terms.product, terms.today]);
  const known = made.get(key);
  if (known !== undefined) return known;
  if (made.size === mostMade) made.clear();
  const check = checkOfBody(terms);
  made.set(key, check);
  return check;
}

function checkOfBody(terms: PaymentTerms): Check {
  if (terms.service === 'bulk-payments') return bulk(terms);
  const shape = transfer(terms, terms.service === 'payments' ? 'payment' : 'periodic payment');
  if (terms.service === 'payments') return object(shape, executionTogether);
  return object({ ...shape, ...standing(terms) }, standingTogether);
}

/** A code of an external list of ISO 20022, which grows without the framework. */
const isoCode = text('body-code', (value) =>
  /^[A-Z0-9]{1,4}$/.test(value) ? { ok: true, value } : { ok: false, why: 'it is no code of ISO 20022' },
);
const remittance = object({
  reference: must(limited(35)),
  referenceType: may(limited(35)),
  referenceIssuer: may(limited(35)),
});
const textOrRemittance: Check = (value, at, found) => {
  (typeof value === 'string' ? limited(140) : remittance)(value, at, found);
};
const dateTime = text('body-date', (value) =>
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T/.test(value) && !Number.isNaN(Date.parse(value))
    ? { ok: true, value }
    : { ok: false, why: 'a time is written such as 2026-11-21T10:00:00Z' },
);
/** A moment whose day is `today` or later. */
const momentFrom = (today: string): Check => {
  const day = dayFrom(today);
  return (value, at, found) => {
    dateTime(value, at, found);
    if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) day(value.slice(0, 10), at, found);
  };
};

function checkOf(name: string, { framework, product, today }: PaymentTerms): Check {
  const limit = (limitsIn(framework) as Readonly<Record<string, number>>)[name];
  switch (name) {
    case 'debtorAccount':
      return account(framework);
    case 'creditorAccount':
      return account(framework, payeeCurrenciesOf(product));
    case 'instructedAmount':
      return paidAmount(currenciesOf(product));
    case 'creditorAgent':
      return bic;
    case 'creditorAddress':
      return address(framework);
    case 'chargeBearer':
      return codeOf(chargeBearers.map(({ code }) => code));
    case 'purposeCode':
    case 'serviceLevel':
      return isoCode;
    case 'currencyOfTransfer':
      return text('body-currency', (value) =>
        /^[A-Z]{3}$/.test(value) ? { ok: true, value } : { ok: false, why: 'it is no currency' },
      );
    case 'remittanceInformationUnstructuredArray':
      return list(limited(140));
    case 'remittanceInformationStructured':
      return frameworkFacts[framework].referenceAsText ? textOrRemittance : remittance;
    case 'remittanceInformationStructuredArray':
      return list(remittance);
    case 'requestedExecutionDate':
      return dayFrom(today);
    case 'requestedExecutionTime':
      return momentFrom(today);
    default:
      return limit === undefined ? anyText : limited(limit);
  }
}

/** The members of a credit transfer; `kind` is its object in the tables of members. */
function transfer(terms: PaymentTerms, kind: string): Shape {
  const { framework, product } = terms;
  const core = product.replace(/^pain\.001-/, '');
  const needs = isJsonProduct(core) ? fieldsOf(core) : undefined;
  const members = paymentMembers.map((name): [string, Member] => {
    const check = checkOf(name, terms);
    const elsewhere = kind === 'entry of a bulk payment' && name === 'debtorAccount';
    // A product of the bank's own may have other rules than the core products.
    if (needs?.[name] === 'm' && !elsewhere) return [name, must(check)];
    return [name, hasMember(framework, kind, name) ? may(check) : later(check)];
  });
  return Object.fromEntries(members);
}

function executionTogether(fields: JsonObject, at: string, found: Findings): void {
  if (fields['requestedExecutionDate'] === undefined || fields['requestedExecutionTime'] === undefined)
    return;
  const pointer = below(at, 'requestedExecutionTime');
  tell(found, 'body-combination', pointer, 'There are an execution date and an execution time.');
}

const inFront = ['debtorAccount', 'requestedExecutionDate', 'requestedExecutionTime'] as const;

function bulk(terms: PaymentTerms): Check {
  const entry = object(transfer(terms, 'entry of a bulk payment'), (fields, at, found) => {
    for (const name of inFront)
      if (fields[name] !== undefined)
        tell(found, 'body-combination', below(at, name), `${name} stands in front of all payments.`);
  });
  const checks: Readonly<Record<(typeof bulkMembers)[number], Member>> = {
    debtorAccount: must(account(terms.framework)),
    batchBookingPreferred: may(flag),
    requestedExecutionDate: may(dayFrom(terms.today)),
    requestedExecutionTime: may(momentFrom(terms.today)),
    paymentInformationId: may(limited(35)),
    payments: must(list(entry)),
  };
  return object(checks, executionTogether);
}

/** The members of a standing order. */
export function standing({ framework, today }: Pick<PaymentTerms, 'framework' | 'today'>): Shape {
  const months: Check = (value, at, found) => {
    list(codeOf(monthCodes))(value, at, found);
    if (!Array.isArray(value)) return;
    if (value.length > 11) tell(found, 'body-number', at, 'There are more than 11 months.');
    if (new Set(value.map(String)).size !== value.length)
      tell(found, 'body-twice', at, 'A month comes twice.', { severity: 'error' });
  };
  const hasMonths = valuesIn(framework, frequencies).includes('MonthlyVariable');
  const checks: Readonly<Record<(typeof standingMembers)[number], Member>> = {
    startDate: must(dayFrom(today)),
    endDate: may(dayFrom('')),
    frequency: must(codeOf(valuesIn(framework, frequencies))),
    executionRule: may(codeOf(executionRules.map(({ code }) => code))),
    dayOfExecution: may(dayOfExecution),
    monthsOfExecution: hasMonths ? may(months) : later(months),
  };
  return checks;
}

const monthCodes = Array.from({ length: 12 }, (_, at) => String(at + 1));
const dayOfExecution: Check = (value, at, found) => {
  if (typeof value !== 'string') wrongType(found, at, value, 'a text, such as "1"');
  else if (!/^([1-9]|[12][0-9]|3[01])$/.test(value))
    tell(found, 'body-code', at, 'dayOfExecution is not one of 1 to 31, without a zero in front.');
};

/** What the members of a standing order say together. */
export function standingTogether(fields: JsonObject, at: string, found: Findings): void {
  const { startDate, endDate, frequency, monthsOfExecution } = fields;
  if (typeof startDate === 'string' && typeof endDate === 'string' && endDate < startDate)
    tell(
      found,
      'body-date-passed',
      below(at, 'endDate'),
      `endDate ${endDate} is before startDate ${startDate}.`,
    );
  if (monthsOfExecution !== undefined && frequency !== 'MonthlyVariable')
    tell(
      found,
      'body-combination',
      below(at, 'monthsOfExecution'),
      'monthsOfExecution belongs to MonthlyVariable alone.',
    );
  if (monthsOfExecution === undefined && frequency === 'MonthlyVariable')
    tell(
      found,
      'body-combination',
      below(at, 'monthsOfExecution'),
      'MonthlyVariable comes without monthsOfExecution.',
    );
}
