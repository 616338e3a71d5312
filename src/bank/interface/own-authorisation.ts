import type { Operation } from '../../standard/xs2a/operations.ts';
import type { PathParams } from '../../standard/xs2a/request.ts';
import { authorisationsOf } from '../sca/authorisation-store.ts';
import type { ParentKind } from '../sca/authorised-things.ts';
import type { RunningBank } from '../trust/call.ts';

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
