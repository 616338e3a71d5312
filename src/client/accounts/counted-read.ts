import type { SavedResource } from '../../settings/records/resources.ts';
import type { Header } from '../../settings/records/wire.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { isJsonObject, member } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import type { OperationId, ParamName } from '../../standard/xs2a/operations.ts';
import { withinBudget } from '../consents/budget.ts';
import type { ReadTerms } from '../consents/budget.ts';
import { call } from '../call/call.ts';
import { explainConsent } from '../consents/explain-consent.ts';
import { psuIpHeader } from '../call/psu-headers.ts';
import type { Target } from '../exchange/target.ts';

/** Under which consent account data are read, and what stands behind it. */
export interface AccountRead {
  target: Target;
  /** Undefined where the token alone says which one it is, and nothing more is known here. */
  consent: SavedResource | undefined;
  terms: ReadTerms;
}

/** The read to make: an operation with its parameters. */
export interface ReadTarget {
  operation: OperationId;
  params?: Readonly<Partial<Record<ParamName, string>>>;
  query?: Readonly<Record<string, string>>;
  accept?: string;
  usualAccept?: string;
  /** A link of the bank in place of what is built. */
  href?: string;
  /** Lets an answer stream that is too long for memory, up to so many bytes. */
  stream?: { maxBytes: number };
}

/** Reads account data: counted, with Consent-ID; a refusal for the consent's sake says what is known of it here. */
export async function readAccountData(reading: AccountRead, wanted: ReadTarget): Promise<Answer> {
  const { operation, params = {} } = wanted;
  const of = Object.values(params).join(' ');
  const access = { operation, ...(of !== '' && { of }) };
  const { consent } = reading;
  if (consent === undefined) return readUncounted(reading, wanted);
  return withinBudget({ ...reading, consent, access }, () => readUncounted(reading, wanted));
}

/** As `readAccountData`, for what belongs to an access that was counted before: a page, a download. */
export async function readUncounted(reading: AccountRead, wanted: ReadTarget): Promise<Answer> {
  const { target, consent } = reading;
  try {
    return await call(target, {
      ...wanted,
      headers: readHeaders(reading),
      ...(consent !== undefined && { resource: { consentId: consent.id } }),
    });
  } catch (error) {
    throw consent === undefined ? error : await explainConsent(target, consent, error);
  }
}

/** PSU-IP-Address is a statement about the PSU: sent only where somebody says that the PSU asks for this now. */
function readHeaders({ target, consent, terms }: AccountRead): Header[] {
  const named: Header[] = consent === undefined ? [] : [['Consent-ID', consent.id]];
  return [...named, ...(terms.psuPresent ? [psuIpHeader(target)] : [])];
}

/** One object as banks send it: bare, or wrapped in a member of this name. */
export function unwrapped(json: JsonValue | undefined, wrapper: string): JsonObject {
  const inner = member(json, wrapper);
  if (isJsonObject(inner)) return inner;
  return isJsonObject(json) ? json : {};
}

/** The objects of a list; what is none is left out. */
export function objectsIn(json: JsonValue | undefined, name: string): JsonObject[] {
  const list = member(json, name);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
