/** The payments in JSON: single, bulk and periodic. */
import { currenciesOf, payeeCurrenciesOf } from '../../standard/formats/money/amount.ts';
import { chargeBearers, executionRules, frequencies, valuesIn } from '../../standard/xs2a/code-lists.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json-value.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import {
  bulkMembers,
  fieldsOf,
  isJsonProduct,
  paymentMembers,
  standingMembers,
  valueOf,
} from '../../standard/xs2a/products.ts';
import type { PaymentService, PaymentValue } from '../../standard/xs2a/products.ts';
import { frameworkFacts, wireNames } from '../../standard/xs2a/variants.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import { Findings } from '../finding.ts';
import type { CallPlace, RefereeFinding } from '../finding.ts';
import { codeOf, flag, later, list, may, must, object, text, wrongType } from './members.ts';
import type { Check, Member, Shape } from './members.ts';
import { account, address, bic, dayFrom, limited, paidAmount } from './values.ts';

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

/** Returns what a bank refuses of a body, or of a part of one, in the order of its members; empty where it is right. */
export function bodyFaults(framework: Framework, check: Check, body: JsonValue): RefereeFinding[] {
  const found = new Findings(framework, undefined, Infinity);
  check(body, found.at('body'));
  return found.list.filter(({ severity }) => severity === 'error');
}

function checkOfBody(terms: PaymentTerms): Check {
  if (terms.service === 'bulk-payments')
    return object(besideTransfer(bulkMembers, terms, ''), executionTogether);
  if (terms.service === 'payments') return object(transfer(terms, 'payment'), executionTogether);
  return object(
    { ...transfer(terms, 'periodic payment'), ...besideTransfer(standingMembers, terms, 'periodic payment') },
    (fields, at) => {
      executionTogether(fields, at);
      standingTogether(fields, at);
    },
  );
}

/** Returns the check of what a standing order says beside its payment: the JSON part of a form. */
export const standingBody = (terms: PaymentTerms): Check =>
  object(besideTransfer(standingMembers, terms, 'periodic payment'), standingTogether);

/** Returns the check of one payment of a bulk, or of a file of payments. */
export const entryBody = (terms: PaymentTerms): Check =>
  object(transfer(terms, 'entry of a bulk payment'), (fields, at) => {
    for (const name of ['debtorAccount', 'requestedExecutionDate', 'requestedExecutionTime'])
      if (fields[name] !== undefined)
        at.in(name).add('body-combination', `${name} stands in front of all payments.`);
  });

/** A code of an external list of ISO 20022, which grows without the framework. */
const isoCode = text('body-code', (value) =>
  /^[A-Z0-9]{1,4}$/.test(value) ? { ok: true, value } : { ok: false, why: 'it is no code of ISO 20022' },
);
const remittance = object({
  reference: must(limited(35)),
  referenceType: may(limited(35)),
  referenceIssuer: may(limited(35)),
});
const currencyOfTransfer = text('body-currency', (value) =>
  /^[A-Z]{3}$/.test(value) ? { ok: true, value } : { ok: false, why: 'it is no currency' },
);
const textOrRemittance: Check = (value, at) => {
  (typeof value === 'string' ? limited(140) : remittance)(value, at);
};
const dateTime = text('body-date', (value) =>
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T/.test(value) && !Number.isNaN(Date.parse(value))
    ? { ok: true, value }
    : { ok: false, why: 'a time is written such as 2026-11-21T10:00:00Z' },
);
/** A moment whose day is `today` or later. */
const momentFrom = (today: string): Check => {
  const day = dayFrom(today);
  return (value, at) => {
    dateTime(value, at);
    if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) day(value.slice(0, 10), at);
  };
};

const limitedMonths: Check = (value, at) => {
  list(codeOf(Array.from({ length: 12 }, (_, month) => String(month + 1))))(value, at);
  if (!Array.isArray(value)) return;
  if (value.length > 11) at.add('body-number', 'There are more than 11 months.');
  if (new Set(value.map(String)).size !== value.length)
    at.add('body-twice', 'A month comes twice.', { severity: 'error' });
};
const dayOfMonth: Check = (value, at) => {
  if (typeof value !== 'string') wrongType(at, value, 'a text, such as "1"');
  else if (!/^([1-9]|[12][0-9]|3[01])$/.test(value))
    at.add('body-code', 'dayOfExecution is not one of 1 to 31, without a zero in front.');
};

/** The check of each kind of value. */
const checks: Readonly<Record<Exclude<PaymentValue, number>, (terms: PaymentTerms) => Check>> = {
  account: ({ framework }) => account(framework),
  'account of the payee': ({ framework, product }) => account(framework, payeeCurrenciesOf(product)),
  address: ({ framework }) => address(framework),
  amount: ({ product }) => paidAmount(currenciesOf(product)),
  BIC: () => bic,
  'charge bearer': () => codeOf(chargeBearers.map(({ code }) => code)),
  'code of ISO 20022': () => isoCode,
  currency: () => currencyOfTransfer,
  day: ({ today }) => dayFrom(today),
  'day of the month': () => dayOfMonth,
  'execution rule': () => codeOf(executionRules.map(({ code }) => code)),
  flag: () => flag,
  frequency: ({ framework }) => codeOf(valuesIn(framework, frequencies)),
  'last day': () => dayFrom(''),
  moment: ({ today }) => momentFrom(today),
  months: () => limitedMonths,
  'name of an agent': ({ framework }) => limited(Number(wireNames[framework].creditorAgentNameLimit)),
  payments: (terms) => list(entryBody(terms)),
  reference: ({ framework }) => (frameworkFacts[framework].referenceAsText ? textOrRemittance : remittance),
  references: () => list(remittance),
  texts: () => list(limited(140)),
};

const checkOf = (value: PaymentValue, terms: PaymentTerms): Check =>
  typeof value === 'number' ? limited(value) : checks[value](terms);

/** The members of a credit transfer; `kind` is its object in the tables of members. */
function transfer(terms: PaymentTerms, kind: string): Shape {
  const { framework, product } = terms;
  const core = product.replace(/^pain\.001-/, '');
  const needs = isJsonProduct(core) ? fieldsOf(core) : undefined;
  const members = paymentMembers.map((name): [string, Member] => {
    const check = checkOf(valueOf(name), terms);
    const elsewhere = kind === 'entry of a bulk payment' && name === 'debtorAccount';
    // A product of the bank's own may have other rules than the core products.
    if (needs?.[name] === 'm' && !elsewhere) return [name, must(check)];
    return [name, hasMember(framework, kind, name) ? may(check) : later(check)];
  });
  return Object.fromEntries(members);
}

/** The members of a bulk or a standing order that are not those of a credit transfer. */
function besideTransfer(
  members: Readonly<Record<string, readonly [value: PaymentValue, need: 'm' | 'o']>>,
  terms: PaymentTerms,
  kind: string,
): Shape {
  return Object.fromEntries(
    Object.entries(members).map(([name, [value, need]]) => {
      const check = checkOf(value, terms);
      return [
        name,
        need === 'm' ? must(check) : hasMember(terms.framework, kind, name) ? may(check) : later(check),
      ];
    }),
  );
}

function executionTogether(fields: JsonObject, at: CallPlace): void {
  if (fields['requestedExecutionDate'] === undefined || fields['requestedExecutionTime'] === undefined)
    return;
  at.in('requestedExecutionTime').add(
    'body-combination',
    'There are an execution date and an execution time.',
  );
}

/** What the members of a standing order say together. */
function standingTogether(fields: JsonObject, at: CallPlace): void {
  const { startDate, endDate, frequency, monthsOfExecution } = fields;
  if (typeof startDate === 'string' && typeof endDate === 'string' && endDate < startDate)
    at.in('endDate').add('body-date-passed', `endDate ${endDate} is before startDate ${startDate}.`);
  if (monthsOfExecution !== undefined && frequency !== 'MonthlyVariable')
    at.in('monthsOfExecution').add('body-combination', 'monthsOfExecution belongs to MonthlyVariable alone.');
  if (monthsOfExecution === undefined && frequency === 'MonthlyVariable')
    at.in('monthsOfExecution').add('body-combination', 'MonthlyVariable comes without monthsOfExecution.');
}
