import { authorisationsOf } from '../sca/authorisation-store.ts';
import type { Call, RunningBank } from '../trust/call.ts';
import { usableConsent } from './usable-consent.ts';

/** For how long after its SCA a consent stands for the first factor of a payment. */
const sessionMs = 20 * 60_000;

/**
 * The PSU who has authorised the consent that a payment names (Consent-ID), where that consent is for a combined service and
 * its SCA is of the same session; throws CONSENT_UNKNOWN, CONSENT_INVALID or CONSENT_EXPIRED for one that cannot be used.
 */
export function psuOfSession(bank: RunningBank, call: Call): string | undefined {
  if (!call.headers.has('consent-id')) return undefined;
  const { consentId, combined } = usableConsent(bank, call);
  const since = new Date(call.now.getTime() - sessionMs).toISOString();
  const done = authorisationsOf(bank.ledger.main, 'consent', consentId).findLast(
    ({ scaStatus, updatedAt }) =>
      (scaStatus === 'finalised' || scaStatus === 'exempted') && updatedAt >= since,
  );
  return combined ? done?.psuId : undefined;
}
