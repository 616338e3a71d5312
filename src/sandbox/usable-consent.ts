import type { RunningBank, Call } from './call.ts';
import type { Consent } from './consent-store.ts';
import { findConsent } from './consent-store.ts';
import { Refusal, unauthorised } from './refusal.ts';
import { checkToken } from './payment-lookup.ts';
import { consentParent } from './parents.ts';

/** The consent of the header as long as it can be used; throws CONSENT_UNKNOWN, CONSENT_INVALID or CONSENT_EXPIRED. */
export function usableConsent(bank: RunningBank, call: Call): Consent {
  const consent = findConsent(bank.ledger.main, call.headers.get('consent-id') ?? '');
  if (consent?.tpp !== call.tpp)
    throw new Refusal(400, 'CONSENT_UNKNOWN', 'There is no such consent of this TPP.', {
      path: 'Consent-ID',
    });
  checkToken(bank, call, consentParent(bank.ledger.main, consent));
  if (consent.status === 'expired') throw unauthorised('CONSENT_EXPIRED', 'The consent has expired.');
  if (consent.status !== 'valid')
    throw unauthorised('CONSENT_INVALID', `The consent is ${consent.status}; it cannot be used.`);
  return consent;
}
