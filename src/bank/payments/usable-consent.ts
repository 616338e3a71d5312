import type { RunningBank, Call } from '../trust/call.ts';
import type { Consent } from '../stores/consent-store.ts';
import { findConsent } from '../stores/consent-store.ts';
import { Refusal, unauthorised } from '../rules/refusal.ts';
import { checkToken } from './permits.ts';
import { consentParent } from '../sca/authorised-things.ts';

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
