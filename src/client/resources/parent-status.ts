import { BankRefusal } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { idNames, nounOf, parentStatus, scaParams } from '../../standard/sca/operations.ts';
import type { Parent } from '../../standard/sca/state.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { isFinalConsent, standingOf } from '../../standard/xs2a/codes.ts';
import { isXmlProduct } from '../../standard/xs2a/products.ts';
import { call } from '../call/call.ts';
import { stateOf } from './payment-state.ts';
import type { Target } from '../exchange/target.ts';

/** The status in which a payment or consent is that was ended. */
export const endedStatus = { cancellation: 'CANC', deletion: 'terminatedByTpp' } as const;

/** A transactionStatus or consentStatus as it was read. */
export interface ParentStatus {
  answer: Answer;
  status: string | undefined;
}

/** Reads the status of a payment, consent or basket; that of a pain.001 may come as pain.002. */
export async function readParentStatus(
  target: Target,
  parent: Parent,
  how: { pain002?: boolean } = {},
): Promise<ParentStatus> {
  const answer = await call(target, {
    operation: parentStatus[parent.kind],
    params: scaParams(parent),
    ...(how.pain002 === true
      ? { accept: 'application/xml, application/json;q=0.5' }
      : { usualAccept: usualStatus(target, parent) }),
    resource: { [idNames[nounOf[parent.kind]]]: parent.id },
  });
  const status =
    nounOf[parent.kind] === 'consent' ? answer.consentStatus : (await stateOf(answer)).transactionStatus;
  return { answer, status };
}

/** JSON says most to a person, pain.002 which payments of a pain.001 were rejected. */
export function usualStatus({ profile }: Target, { product = '' }: Pick<Parent, 'product'>): string {
  if (profile.payments?.statusFormat === 'pain.002') return 'application/xml, application/json;q=0.5';
  return isXmlProduct(product) ? 'application/json, application/xml;q=0.5' : 'application/json';
}

/** True if the bank says that there is no such payment or consent: some banks delete what was ended. */
export function isGone(error: unknown, kind: Parent['kind'] = 'cancellation'): error is BankRefusal {
  if (!(error instanceof BankRefusal) || ![403, 404].includes(error.httpStatus)) return false;
  const { bankCode } = error;
  return (
    bankCode === undefined ||
    bankCode === 'RESOURCE_UNKNOWN' ||
    bankCode === 'RESOURCE_EXPIRED' ||
    (kind === 'deletion' && bankCode === 'CONSENT_UNKNOWN')
  );
}

/**
 * Returns whether a status of the parent ends its authorisations: true for success, false for failure, undefined while
 * one may still be needed.
 */
export function endOf(kind: Parent['kind'], status: string | undefined): boolean | undefined {
  if (status === undefined) return undefined;
  switch (kind) {
    case 'cancellation':
      return status === 'CANC' ? true : undefined;
    case 'deletion':
      return isFinalConsent(status) ? true : undefined;
    case 'payment':
    case 'consent':
    case 'basket': {
      const standing = standingOf(kind, status);
      if (standing === 'authorised') return true;
      return standing === 'refused' ? false : undefined;
    }
  }
}

/**
 * Whether the last that the bank said of a resource is a status that obk does not know: nothing more is done by itself then, and no
 * link is shown, until the bank says one that is known.
 */
export function isUnknown({ noun, status }: Pick<SavedResource, 'noun' | 'status'>): boolean {
  return standingOf(noun, status) === 'unknown';
}
