import type { SavedResource } from '../../settings/records/resources.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { isJsonObject, member, stringMember } from '../../standard/xs2a/json.ts';
import type { OperationId, ParamName } from '../../standard/xs2a/operations.ts';
import { withinBudget } from '../../client/consents/budget.ts';
import { tryCall } from '../../client/call/call.ts';
import type { Called } from '../../client/call/call.ts';
import { readAccountData } from '../../client/accounts/counted-read.ts';
import { usualReport } from '../../client/accounts/report-query.ts';
import { psuIpHeader } from '../../client/call/psu-headers.ts';
import type { CallInput } from '../../client/exchange/prepared.ts';
import type { Target } from '../../client/exchange/target.ts';

/** The ids that earlier cases found for later ones. */
export interface Known {
  account?: string;
  transaction?: string;
  card?: string;
  /** Why a list of the bank gave no id. */
  readonly missing: { account?: string; transaction?: string; card?: string };
  /** A consent that a case has deleted. */
  endedConsent?: string;
}

/** What the cases of one check share. */
export interface Course {
  readonly target: Target;
  /** The consent under which accounts are read, where there is a valid one. */
  readonly consent: SavedResource | undefined;
  /** Why there is none. */
  readonly noConsent: string;
  /** The newest consent that has ended: expired, revoked or deleted. */
  readonly ended: SavedResource | undefined;
  readonly payment: SavedResource | undefined;
  readonly basket: SavedResource | undefined;
  readonly known: Known;
  /** Accounts to pay between, where they were given. */
  readonly debtor: string | undefined;
  readonly creditor: string | undefined;
}

/** Why a case could not be tried. */
export class NotTested extends Error {}

/** The value, or the reason why a case cannot be tried without it. */
export function needed<T>(value: T | undefined, missing: string): T {
  if (value === undefined) throw new NotTested(missing);
  return value;
}

/** The consent under which accounts are read. */
export const consentOf = ({ consent, noConsent }: Course): SavedResource => needed(consent, noConsent);

type FoundId = keyof Known['missing'];

/** The id that an earlier case has found. */
export const foundId = ({ known }: Course, of: FoundId): string =>
  needed(known[of], known.missing[of] ?? `no ${of} has an id`);

/** Keeps the first id of a list for later cases, or why there is none. */
export function keepFirst({ known }: Course, of: FoundId, answer: Answer, list: readonly string[]): void {
  const name = of === 'transaction' ? 'transactionId' : 'resourceId';
  const [listed, id] = firstOf(answer, list, name);
  if (id !== undefined) known[of] = id;
  else if (answer.json === undefined) known.missing[of] = `the list with ${list.join('.')} is not JSON`;
  else
    known.missing[of] = listed
      ? `the first of ${list.join('.')} has no ${name}`
      : `the bank listed nothing in ${list.join('.')}`;
}

const terms = { psuPresent: false, overBudget: false };

/** Reads account data under the consent of the course, counted as any other access. */
export function read(
  course: Course,
  operation: OperationId,
  params: Readonly<Partial<Record<ParamName, string>>> = {},
  query: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { target } = course;
  const wanted = { operation, params, query, ...formatsOf(target, operation) };
  return readAccountData({ target, consent: consentOf(course), terms }, wanted);
}

/** Entries are asked for as they usually are: a bank need not have them in JSON. */
const formatsOf = ({ profile }: Target, operation: OperationId): { usualAccept?: string } =>
  operation === 'getTransactionList'
    ? { usualAccept: usualReport(profile, 'account') }
    : operation === 'getCardAccountTransactionList'
      ? { usualAccept: usualReport(profile, 'card') }
      : {};

/** Makes a read of account data that must be refused, counted as one that the bank takes. */
export function misread(
  course: Course,
  { operation, params = {}, query = {} }: Pick<CallInput, 'operation' | 'params' | 'query'>,
): Promise<Called> {
  const consent = consentOf(course);
  const access = { operation, of: Object.values(params).join(' ') };
  const headers = [['Consent-ID', consent.id]] as const;
  return withinBudget({ target: course.target, consent, access, terms }, () =>
    tried(course, { operation, params, query, headers, ...formatsOf(course.target, operation) }),
  );
}

/** The same course for calls that remove what was created: they are made where the run is interrupted, too. */
export function cleaning(course: Course): Course {
  const { signal: _, ...run } = course.target.run;
  return { ...course, target: { ...course.target, run } };
}

/** Makes one call; a refusal is no error. */
export function tried({ target }: Course, input: CallInput, spoil?: Target['run']['spoil']): Promise<Called> {
  const run = spoil === undefined ? target.run : { ...target.run, spoil };
  return tryCall({ ...target, run }, input);
}

/** Path parameters of a saved payment. */
export const paymentParams = ({ id, service = 'payments', product = '' }: SavedResource) => ({
  'payment-service': service,
  'payment-product': product,
  paymentId: id,
});

/** The first id of a list of authorisations; undefined for an empty one. */
export const firstAuthorisation = (called: Called): string | undefined =>
  called.ok ? called.answer.authorisationIds?.[0] : undefined;

/** Whether a list in an answer has an element, and a text of the first. */
function firstOf({ json }: Answer, list: readonly string[], name: string): [boolean, string | undefined] {
  let value = json;
  for (const step of list) value = member(value, step);
  const [first] = Array.isArray(value) ? value : [];
  return [first !== undefined, isJsonObject(first) ? stringMember(first, name) : undefined];
}

/** The header with the address of the PSU, for calls that create something. */
export const ofPsu = ({ target }: Course) => psuIpHeader(target);
