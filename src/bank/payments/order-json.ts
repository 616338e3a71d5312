import { defined } from '../../base/defined.ts';
import type { BankSettings } from '../../settings/records/profile.ts';
import { paymentBody, bodyFaults } from '../../referee/body/payment.ts';
import { readJson } from '../../standard/xs2a/json.ts';
import { bulkMembers, standingMembers, accountIdentifiers, fieldsOf } from '../../standard/xs2a/products.ts';
import type { JsonProduct, PaymentService } from '../../standard/xs2a/products.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type {
  BulkPaymentInitiation,
  PaymentInitiation,
  PeriodicPaymentInitiation,
  StandingOrder,
  AccountReference,
  BulkEntry,
} from '../../standard/xs2a/wire.ts';
import type { Order, Transfer } from '../books/order.ts';
import { formatError, Refusal } from '../rules/refusal.ts';
import type { Check } from '../../referee/body/members.ts';
import { pathOf, toldOf } from '../../referee/body/members.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import { isOffered } from '../books/order.ts';
import type { Scenario } from '../rules/scenario.ts';

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

/** Reads a payment of any service in JSON; throws FORMAT_ERROR or EXECUTION_DATE_INVALID with the path of the first fault. */
export function readJsonOrder(body: unknown, terms: Terms): Order {
  refuseFaults(body, paymentBody(terms), terms);
  if (terms.service === 'bulk-payments') return readBulk(body as BulkPaymentInitiation, terms);
  const isStanding = terms.service === 'periodic-payments';
  const fields = body as PaymentInitiation;
  const also = isStanding ? Object.keys(standingMembers) : [];
  const debtor = accountOf(fields.debtorAccount);
  const transfers = [readTransfer(fields, '', { ...terms, also })] as const;
  if (isStanding) return { debtor, transfers, standing: standingOf(body as PeriodicPaymentInitiation) };
  const executeAt = executionOf(fields);
  return { debtor, transfers, ...defined({ executeAt }) };
}

function readBulk(fields: BulkPaymentInitiation, terms: Terms): Order {
  // paymentInformationId is accepted only if the bank has opened it (guidelines 11.3).
  const isKnown = (name: string) => name !== 'paymentInformationId' && Object.hasOwn(bulkMembers, name);
  refuseOthers(fields, '', terms, isKnown);
  const [first, ...rest] = fields.payments.map((entry, index) =>
    readTransfer(entry, `payments[${String(index)}].`, { ...terms, also: [] }),
  );
  if (first === undefined) throw formatError('payments is empty.', 'payments');
  const { batchBookingPreferred, paymentInformationId } = fields;
  const executeAt = executionOf(fields);
  return {
    debtor: accountOf(fields.debtorAccount),
    transfers: [first, ...rest],
    ...(batchBookingPreferred === true && { batch: true }),
    ...defined({ executeAt, paymentInformationId }),
  };
}

/** The members of a standing order (guidelines 5.3.3) that the referee takes. */
export const standingOf = (fields: StandingOrder): StandingOrder =>
  Object.fromEntries(
    Object.entries(fields).filter(([name]) => Object.hasOwn(standingMembers, name)),
  ) as unknown as StandingOrder;

/** The JSON of a body, or of a part of it. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return readJson(body, { code: 'INPUT_INVALID', maxBytes: body.length, maxValues: Infinity });
  } catch {
    throw formatError('The body is not JSON.');
  }
}

/** The rules of a product and of this bank for the members of a payment. */
interface Demands {
  product: JsonProduct;
  framework: Framework;
  /** Members for which the guidelines leave the choice to the bank. */
  scenario: Pick<Scenario, 'conditionalFields' | 'otherFields'>;
  /** Members that the service has beside those of a payment. */
  also: readonly string[];
}

/** Throws for the first fault that the referee finds in a value, with FORMAT_ERROR or EXECUTION_DATE_INVALID; `at` stands in front of its path. */
export function refuseFaults(
  value: unknown,
  check: Check,
  { framework }: Pick<Demands, 'framework'>,
  at = '',
): void {
  const [fault] = bodyFaults(framework, check, value as JsonValue);
  if (fault === undefined) return;
  if (fault.pointer === '' && at === '') throw formatError('The body is not a JSON object.');
  const path = at + pathOf(fault.pointer);
  throw new Refusal(400, fault.code, toldOf(fault, path), { path });
}

/** The account that a reference names, with nothing that does not tell it from others. */
function accountOf(reference: AccountReference): AccountReference {
  const names = [...accountIdentifiers, 'other', 'currency'] as const;
  return Object.fromEntries(
    names.flatMap((name) => (reference[name] === undefined ? [] : [[name, reference[name]]])),
  );
}

/** Reads the members of one credit transfer that the referee takes; `at` is the path in front of them (empty, or `payments[0].`). */
export function readTransfer(entry: BulkEntry | PaymentInitiation, at: string, demands: Demands): Transfer {
  checkPresence(entry, at, demands);
  const { currency, amount } = entry.instructedAmount;
  if (!isOffered(currency)) {
    const path = `${at}instructedAmount.currency`;
    throw formatError(`${path}: this bank does not pay in that currency.`, path);
  }
  // The interface leaves the kind of number to the payer.
  const { iban, bban, msisdn, pan, maskedPan, other } = entry.creditorAccount;
  const structured = entry.remittanceInformationStructured;
  return {
    currency,
    amount,
    creditorName: entry.creditorName,
    creditorAccount: iban ?? bban ?? msisdn ?? pan ?? maskedPan ?? other?.identification ?? '',
    ...defined({
      endToEndId: entry.endToEndIdentification,
      remittance: entry.remittanceInformationUnstructured,
    }),
    ...(structured !== undefined && {
      reference: typeof structured === 'string' ? structured : structured.reference,
    }),
  };
}

/** Throws for the first member that is neither in the core product nor in `known`, if the bank refuses such members. */
function refuseOthers(
  fields: object,
  at: string,
  { product, scenario }: Pick<Demands, 'product' | 'scenario'>,
  known: (name: string) => boolean,
): void {
  const other =
    scenario.otherFields === 'accept' ? undefined : Object.keys(fields).find((name) => !known(name));
  if (other !== undefined) throw formatError(`${at}${other} is not accepted with ${product}.`, at + other);
}

/** Checks what the matrix of the product leaves to the bank: conditional members, and the further ones that this bank accepts. */
function checkPresence(fields: object, at: string, { product, scenario, also }: Demands): void {
  const needs: Readonly<Record<string, string>> = fieldsOf(product);
  const isDue = (name: string) => needs[name] === 'c' && scenario.conditionalFields === 'required';
  const missing = Object.keys(needs).find((name) => isDue(name) && !Object.hasOwn(fields, name));
  if (missing !== undefined) throw formatError(`${at}${missing} is missing.`, at + missing);
  const known = (name: string) => also.includes(name) || (needs[name] ?? 'n') !== 'n';
  refuseOthers(fields, at, { product, scenario }, known);
}

/** When a payment shall be executed, as an instant (ISO 8601, UTC). */
function executionOf({
  requestedExecutionDate: date,
  requestedExecutionTime: time,
}: Pick<PaymentInitiation, 'requestedExecutionDate' | 'requestedExecutionTime'>): string | undefined {
  if (date !== undefined) return `${date}T00:00:00.000Z`;
  return time === undefined ? undefined : new Date(time).toISOString();
}
