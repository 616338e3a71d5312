import type { BankDescriptor } from '../../settings/records/bank-descriptor.ts';
import type { Profile } from '../../settings/records/profile.ts';
import { declaredHeaders } from '../../standard/xs2a/headers.ts';
import type { Operation, OperationId, QueryRule } from '../../standard/xs2a/operations.ts';
import { frameworkFacts, inVariant } from '../../standard/xs2a/variants.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';

const paging: readonly QueryRule[] = ['pageIndex', 'itemsPerPage'].map((name) => ({
  name,
  type: 'integer',
  need: 'o',
}));

/** The operation of the table with the headers and query parameters that the bank has beside those of its framework. */
export function opened(
  { profile, variant }: { profile: BankDescriptor; variant: Variant },
  op: Operation,
): Operation {
  const redirects =
    op.id === 'cancelPayment' &&
    profile.payments?.redirectOnCancel === true &&
    declaredHeaders(variant, op).every(({ name }) => name !== 'TPP-Redirect-URI');
  if (redirects) return { ...op, headers: [...op.headers, 'RED'] };
  if (op.id !== 'getTransactionList' || profile.reports?.paging !== 'index') return op;
  const known = new Set(inVariant(variant, op).query.map(({ name }) => name));
  return { ...op, query: [...op.query, ...paging.filter(({ name }) => !known.has(name))] };
}

/** The setting by which a bank does not have an operation of its framework; undefined where it has it. */
export function withheldBy(
  { spec, ais, payments, consent, sca }: BankDescriptor,
  { id, parent }: Operation,
): string | undefined {
  if (spec?.operations?.[id]?.supported === false) return `spec.operations.${id}.supported`;
  if (parent === 'card-account' && ais?.cardAccounts === false) return 'ais.cardAccounts';
  if (id === 'cancelPayment' && payments?.cancel?.allowed === false) return 'payments.cancel.allowed';
  if (parent === 'consent' && consent?.none === true) return 'consent.none';
  return sca?.startMode === 'skip' && /^start\w+Authorisation$/.test(id) ? 'sca.startMode' : undefined;
}

/** A setting that says how the body of an operation is written, by its key. */
export interface BodyForm {
  setting: string;
  value: string;
}

/** How the bank wants the body of an operation written where it departs from the standard; for people. */
export function bodyForms({ profile }: { profile: Profile }, id: OperationId): BodyForm[] {
  const { consent, payments, framework } = profile;
  const form = (setting: string, value: string | boolean | undefined): BodyForm[] =>
    value === undefined ? [] : [{ setting, value: String(value) }];
  if (id === 'createConsent' && frameworkFacts[framework].balanceAccessForms.length > 1)
    return form('consent.withBalances', consent?.withBalances);
  if (id !== 'initiatePayment') return [];
  return [
    ...form('payments.members', payments?.members?.join(', ')),
    ...form('payments.remittanceStructured', payments?.remittanceStructured),
    ...form('payments.plainText', payments?.plainText),
  ];
}
