import type { BankSettings } from '../../settings/records/profile.ts';
import { checkText } from '../../standard/xs2a/check-text.ts';
import { executionRules, frequencies, valuesIn } from '../../standard/xs2a/code-lists.ts';
import { pathOf } from '../../referee/body/members.ts';
import { paymentBody } from '../../referee/body/payment.ts';
import { Findings } from '../../referee/finding.ts';
import { readJson } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import { bulkMembers, standingMembers } from '../../standard/xs2a/products.ts';
import type { JsonProduct, PaymentService } from '../../standard/xs2a/products.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { AccountReference, StandingOrder } from '../../standard/xs2a/wire.ts';
import type { Order } from '../books/order.ts';
import {
  checkDay,
  oneOf,
  readExecution,
  readTransfer,
  refuseOthers,
  requireAccount,
  requireObject,
  requireText,
} from './order-fields.ts';
import type { Demands, Fields } from './order-fields.ts';
import { formatError } from '../rules/refusal.ts';

/** Terms under which a body is read. */
export interface Terms extends Pick<Demands, 'scenario'> {
  framework: Framework;
  service: PaymentService;
  product: JsonProduct;
  /** ISO date of the bank. */
  today: string;
  /** How this bank wants pain.001, and the parts of a form with one, where it departs from the standard. */
  forms?: Pick<NonNullable<BankSettings['payments']>, 'pain' | 'multipartParts'> | undefined;
}

/** Reads a payment of any service in JSON; throws FORMAT_ERROR with the path of the first fault. */
export function readJsonOrder(body: unknown, terms: Terms): Order {
  const order = orderOf(body, terms);
  const found = new Findings(terms.framework, undefined);
  paymentBody(terms)(body as JsonValue, '', found);
  const fault = found.list.find(({ severity }) => severity === 'error');
  if (fault !== undefined) throw formatError(fault.what, pathOf(fault.pointer));
  return order;
}

function orderOf(body: unknown, terms: Terms): Order {
  const fields = requireObject(body, '');
  const { service, today } = terms;
  const debtor = requireAccount(fields['debtorAccount'], 'debtorAccount');
  if (service === 'bulk-payments') return readBulk(fields, debtor, terms);
  const also = service === 'periodic-payments' ? standingMembers : [];
  const transfer = readTransfer(fields, '', { ...terms, also });
  if (service === 'periodic-payments') {
    return { debtor, transfers: [transfer], standing: readStandingOrder(fields, terms) };
  }
  const executeAt = readExecution(fields, today);
  return { debtor, transfers: [transfer], ...(executeAt !== undefined && { executeAt }) };
}

/** paymentInformationId is accepted only if the bank has opened it (guidelines 11.3). */
const bulkFields: readonly string[] = bulkMembers.filter((name) => name !== 'paymentInformationId');

function readBulk(fields: Fields, debtor: AccountReference, terms: Terms): Order {
  refuseOthers(fields, '', terms, (name) => bulkFields.includes(name));
  const entries: unknown = fields['payments'];
  if (entries === undefined) throw formatError('payments is missing.', 'payments');
  if (!Array.isArray(entries)) throw formatError('payments is not a list.', 'payments');
  const transfers = entries.map((entry: unknown, index) => {
    const path = `payments[${String(index)}]`;
    const own = requireObject(entry, path);
    for (const name of ['debtorAccount', 'requestedExecutionDate', 'requestedExecutionTime']) {
      if (own[name] !== undefined)
        throw formatError(`${name} is given once for the whole bulk, not in a payment.`, `${path}.${name}`);
    }
    return readTransfer(own, `${path}.`, { ...terms, also: [] });
  });
  const [first, ...rest] = transfers;
  if (first === undefined) throw formatError('payments is empty.', 'payments');
  const batch = fields['batchBookingPreferred'];
  if (batch !== undefined && typeof batch !== 'boolean') {
    throw formatError('batchBookingPreferred is neither true nor false.', 'batchBookingPreferred');
  }
  const id = fields['paymentInformationId'];
  if (id !== undefined) requireText(id, 'paymentInformationId', (text) => checkText(text, 35));
  const executeAt = readExecution(fields, terms.today);
  return {
    debtor,
    transfers: [first, ...rest],
    ...(batch === true && { batch }),
    ...(executeAt !== undefined && { executeAt }),
    ...(typeof id === 'string' && { paymentInformationId: id }),
  };
}

/** Reads the fields of a standing order (guidelines 5.3.3); throws FORMAT_ERROR or EXECUTION_DATE_INVALID. */
export function readStandingOrder(
  fields: Fields,
  { framework, today }: Pick<Terms, 'framework' | 'today'>,
): StandingOrder {
  const frequency = requireText(fields['frequency'], 'frequency', oneOf(valuesIn(framework, frequencies)));
  const startDate = checkDay(fields['startDate'], 'startDate', today);
  const order: StandingOrder = { startDate, frequency };
  if (fields['endDate'] !== undefined) order.endDate = checkDay(fields['endDate'], 'endDate', startDate);
  if (fields['executionRule'] !== undefined) {
    const rules = executionRules.map(({ code }) => code);
    order.executionRule = requireText(fields['executionRule'], 'executionRule', oneOf(rules));
  }
  if (fields['dayOfExecution'] !== undefined) {
    order.dayOfExecution = requireText(fields['dayOfExecution'], 'dayOfExecution', (text) =>
      /^([1-9]|[12][0-9]|3[01])$/.test(text)
        ? { ok: true, value: text }
        : { ok: false, why: 'it is not a number from 1 to 31 without leading zero' },
    );
  }
  const months = readMonths(fields['monthsOfExecution'], frequency);
  if (months !== undefined) order.monthsOfExecution = months;
  return order;
}

function readMonths(value: unknown, frequency: string): string[] | undefined {
  const path = 'monthsOfExecution';
  if (frequency !== 'MonthlyVariable') {
    if (value === undefined) return undefined;
    throw formatError(`${path} is for the frequency MonthlyVariable only.`, path);
  }
  const months = Array.isArray(value) ? value.filter((month) => typeof month === 'string') : [];
  const right =
    Array.isArray(value) &&
    months.length === value.length &&
    months.every((month) => /^([1-9]|1[0-2])$/.test(month));
  if (!right || months.length === 0 || months.length > 11) {
    throw formatError(`${path} is not a list of 1 to 11 months.`, path);
  }
  return months;
}

/** The JSON of a body, or of a part of it. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return readJson(body, { code: 'INPUT_INVALID', maxBytes: body.length, maxValues: Infinity });
  } catch {
    throw formatError('The body is not JSON.');
  }
}
