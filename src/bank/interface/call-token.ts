import type { AuthMode } from '../../settings/records/bank-descriptor.ts';
import type { BankSettings } from '../../settings/records/profile.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import type { RunningBank, Token } from '../trust/call.ts';
import type { Caller } from '../trust/caller.ts';
import { findConsent, insertConsent, newestConsent } from '../stores/consent-store.ts';
import type { Consent } from '../stores/consent-store.ts';
import type { Database } from '../books/database.ts';
import { readToken } from '../oauth/oauth-tokens.ts';
import { usualFramework } from '../../standard/xs2a/variants.ts';
import { isoDay } from '../books/life-cycle.ts';
import { nextId } from '../books/made.ts';
import { insertAuthorisation, saveSca } from '../sca/authorisation-store.ts';
import { startSca } from '../sca/conversation.ts';
import { consentParent } from '../sca/authorised-things.ts';
import { hasSay, loginMissing } from '../payments/permits.ts';
import { unauthorised } from '../rules/refusal.ts';
import { withHeader } from '../../referee/request-headers.ts';
import type { RequestHeaders } from '../../referee/request-headers.ts';
import type { Scenario } from '../rules/scenario.ts';

/** Scopes of a login that allow an operation of each service. */
const scopesOf = { PIS: ['PIS'], AIS: ['AIS'], SBS: ['PIS', 'AIS'], PIIS: ['PIIS'] } as const;

/** The facts of a request that decide whether its token fits. */
interface Asking {
  headers: RequestHeaders;
  operation: Operation;
  scenario: Scenario;
  address: string;
}

/** The operations that begin something, before which there is no token of a PSU. */
const beginning: readonly string[] = ['initiatePayment', 'createConsent', 'createSigningBasket'];

/** The token that an operation wants by the description; undefined where that does not say it. */
function tokenModeOf({ auth }: BankSettings, { id }: Operation): AuthMode | undefined {
  const own = auth?.operations?.[id];
  if (own !== undefined || auth?.mode !== 'clientCredentials') return own;
  return beginning.includes(id) ? auth.mode : undefined;
}

/**
 * Checks the token of a call: one is required where every PSU logs in ahead, and a login allows certain services only.
 */
export function tokenOfCall(
  { ledger: { main }, dialect }: RunningBank,
  { headers, operation, scenario, address }: Asking,
  who: Caller,
  now: Date,
): Token | undefined {
  const bearer = headers.get('authorization');
  // A confirmation of funds is requested without the PSU.
  const isForPsu = operation.parent !== 'funds';
  const mode = dialect && tokenModeOf(dialect.settings, operation);
  const needsLogin =
    isForPsu && (mode === undefined ? scenario.oauthPreStep === 'required' : mode === 'preStep');
  if (bearer === null) {
    if (needsLogin) throw loginMissing({ address });
    if (mode === 'clientCredentials')
      throw unauthorised('TOKEN_UNKNOWN', 'The token of the TPP itself is missing (client credentials).');
    return undefined;
  }
  const token = readToken(main, bearer, who, now);
  const isOfTpp = token.psuId === undefined && token.resourceId === undefined;
  if (mode === 'clientCredentials' && !isOfTpp)
    throw unauthorised('TOKEN_INVALID', 'The token is not that of the TPP itself.');
  if (needsLogin && isOfTpp) throw loginMissing({ address });
  const words = token.scope.split(' ');
  const isLogin = token.psuId !== undefined;
  if (isForPsu && isLogin && !scopesOf[operation.service].some((word) => words.includes(word)))
    throw unauthorised('TOKEN_INVALID', `The token is for ${token.scope} only.`);
  return token;
}

/** The token decides on the consent: its own, or one of its PSU; a Consent-ID in the request must match it. */
export function withConsentOf(
  { ledger: { main }, dialect }: RunningBank,
  { headers, operation }: Asking,
  token: Token | undefined,
  now: Date,
): RequestHeaders {
  if (token === undefined || !operation.headers.includes('CIDm')) return headers;
  const place = dialect?.settings.auth?.consent ?? 'both';
  const sent = place === 'token' ? null : headers.get('consent-id');
  if (place === 'header' && sent === null) return headers;
  if (sent !== null) {
    checkConsent(main, token, findConsent(main, sent));
    return headers;
  }
  if (dialect?.settings.consent?.none === true) openConsent(main, token, now);
  const consent = consentOf(main, token);
  if (consent === undefined) return headers;
  return withHeader(headers, 'Consent-ID', consent.consentId);
}

/** At a bank without consents the token of a login opens the accounts of its PSU. */
function openConsent(database: Database, { psuId, tpp }: Token, now: Date): void {
  if (psuId === undefined || newestConsent(database, psuId, tpp) !== undefined) return;
  const consent: Consent = {
    ...{ consentId: nextId(database, 'consent'), tpp, psuId },
    ...{ access: { allPsd2: 'allAccounts' }, recurring: true, frequencyPerDay: Number.MAX_SAFE_INTEGER },
    ...{ validUntil: '9999-12-31', combined: false, status: 'received', lastActionDate: isoDay(now) },
    ...{ redirectUri: undefined, nokRedirectUri: undefined, redirectPreferred: undefined },
    ...{ decoupledPreferred: undefined, explicitPreferred: undefined },
  };
  database.atomically(() => {
    insertConsent(database, consent, undefined);
    const sca = startSca('REDIRECT', psuId, { framework: usualFramework, confirm: false });
    const begun = insertAuthorisation(database, consentParent(database, consent), sca, now);
    saveSca(database, begun, { ...sca, scaStatus: 'finalised' }, now);
  });
}

function consentOf(database: Database, { tpp, psuId, resourceId }: Token): Consent | undefined {
  if (psuId === undefined) return resourceId === undefined ? undefined : findConsent(database, resourceId);
  const newest = newestConsent(database, psuId, tpp);
  if (newest !== undefined) return newest;
  throw unauthorised('CONSENT_INVALID', 'The PSU of the token has no usable consent.');
}

function checkConsent(database: Database, token: Token, sent: Consent | undefined): void {
  const own = token.resourceId === undefined ? undefined : findConsent(database, token.resourceId);
  if (own !== undefined && own.consentId !== sent?.consentId)
    throw unauthorised('CONSENT_INVALID', 'Consent-ID is not the consent of the token.');
  if (token.psuId === undefined || sent === undefined) return;
  if (!hasSay(consentParent(database, sent), token.psuId))
    throw unauthorised('CONSENT_INVALID', 'Consent-ID is not a consent of the PSU of the token.');
}
