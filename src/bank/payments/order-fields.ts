import { defined } from '../../base/defined.ts';
import type { Check } from '../../referee/body/members.ts';
import { pathOf, toldOf } from '../../referee/body/members.ts';
import { bodyFaults } from '../../referee/body/payment.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import { accountIdentifiers, fieldsOf } from '../../standard/xs2a/products.ts';
import type { JsonProduct } from '../../standard/xs2a/products.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { AccountReference, BulkEntry, PaymentInitiation } from '../../standard/xs2a/wire.ts';
import { isOffered } from '../books/order.ts';
import type { Transfer } from '../books/order.ts';
import { formatError, Refusal } from '../rules/refusal.ts';
import type { Scenario } from '../rules/scenario.ts';

/** The rules of a product and of this bank for the members of a payment. */
export interface Demands {
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
export function accountOf(reference: AccountReference): AccountReference {
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
export function refuseOthers(
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
export function executionOf({
  requestedExecutionDate: date,
  requestedExecutionTime: time,
}: Pick<PaymentInitiation, 'requestedExecutionDate' | 'requestedExecutionTime'>): string | undefined {
  if (date !== undefined) return `${date}T00:00:00.000Z`;
  return time === undefined ? undefined : new Date(time).toISOString();
}
