import { nameFromHeader } from '../../standard/xs2a/psu-names.ts';
import { isJsonObject, readJson, writeJson } from '../../standard/xs2a/json.ts';
import { jsonIn } from '../dialect/requests.ts';
import { accountsOf, referenceOf } from '../books/accounts.ts';
import type { Call, RunningBank } from '../trust/call.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import type { PathParams } from '../../standard/xs2a/request.ts';
import { authorisationsOf } from '../sca/authorisation-store.ts';
import type { ParentKind } from '../sca/authorised-things.ts';

/**
 * The body of a payment in JSON with the account that it is paid from: a bank that does not ask for it takes the first one of
 * the PSU. Where nobody knows the PSU either, the body stays as it is.
 */
export function withDebtor({ dialect, ledger }: RunningBank, call: Call, body: Uint8Array): Uint8Array {
  if (dialect?.settings.payments?.debtorAccount !== 'optional') return body;
  const psuId = call.token?.psuId ?? nameFromHeader(call.headers.get('psu-id') ?? '');
  const [account] = psuId === '' ? [] : accountsOf(ledger.main, psuId);
  const json = account === undefined ? undefined : jsonIn(body);
  if (account === undefined || json === undefined || !isJsonObject(json) || 'debtorAccount' in json)
    return body;
  const debtorAccount = readJson(Buffer.from(JSON.stringify(referenceOf(account))));
  return Buffer.from(writeJson({ ...json, debtorAccount }));
}

const kinds: readonly string[] = ['payment', 'cancellation', 'basket', 'consent'] satisfies ParentKind[];

/** The id of the payment, consent or basket that a path is about. */
export const resourceIn = ({ paymentId, consentId, basketId }: PathParams): string | undefined =>
  paymentId ?? consentId ?? basketId;

/** The parameters of a path at a bank that calls an authorisation by the id of its resource: the newest one is meant. */
export function withOwnAuthorisation(
  { dialect, ledger }: RunningBank,
  { parent }: Operation,
  params: PathParams,
): PathParams {
  if (dialect?.settings.sca?.authorisationIdFrom !== 'resourceId') return params;
  const { authorisationId } = params;
  if (authorisationId === undefined) return params;
  const id = resourceIn(params);
  const newest =
    id === authorisationId && kinds.includes(parent)
      ? authorisationsOf(ledger.main, parent as ParentKind, id).at(-1)
      : undefined;
  return { ...params, authorisationId: newest?.authorisationId ?? 'unknown' };
}
