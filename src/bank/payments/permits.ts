import { declaredHeaders } from '../../standard/xs2a/headers.ts';
import type { AccountReference } from '../../standard/xs2a/wire.ts';
import { nameFromHeader } from '../../standard/xs2a/psu-names.ts';
import { frameworkFacts } from '../../standard/xs2a/variants.ts';
import { basketOf } from '../stores/basket-store.ts';
import type { Call, RunningBank } from '../trust/call.ts';
import { oauthMetadataPath } from '../trust/site.ts';
import { hasTokens } from '../oauth/oauth-tokens.ts';
import { ownerOf, authorisersOf, paymentParent, consentParent } from '../sca/authorised-things.ts';
import type { Parent } from '../sca/authorised-things.ts';
import { findPayment } from '../stores/payment-store.ts';
import type { Payment } from '../stores/payment-store.ts';
import { isShutOut, psuOf } from '../rules/psu.ts';
import type { LedgerPerson } from '../books/people.ts';
import { formatError, Refusal, resourceUnknown, unauthorised } from '../rules/refusal.ts';
import { doDueWork } from '../sca/timers.ts';
import type { Consent } from '../stores/consent-store.ts';
import { findConsent } from '../stores/consent-store.ts';

/** The payment of the path, if this TPP made it under this service and product; throws RESOURCE_UNKNOWN. */
export function requirePayment(bank: RunningBank, call: Call): Payment {
  const { main } = bank.ledger;
  doDueWork(main, call.now);
  const payment = findPayment(main, call.params.paymentId ?? '');
  const mine =
    payment?.tpp === call.tpp &&
    payment.service === call.params['payment-service'] &&
    payment.product === call.params['payment-product'];
  if (!mine) throw resourceUnknown('payment');
  checkToken(bank, call, paymentParent(main, payment, 'payment'));
  return payment;
}

/** A token is for its own resource, or for those of its PSU; scenario and PSU decide whether one is required. */
export function checkToken(
  { ledger: { main } }: RunningBank,
  call: Call,
  resource: Pick<Parent, 'id' | 'psuId' | 'authorisers'>,
): void {
  const { token, scenario } = call;
  if (token === undefined) {
    const concerned = [resource.psuId ?? '', ...resource.authorisers];
    if (concerned.some((one) => psuOf(main, one)?.preStep === true)) throw loginMissing(call);
    // A further authorisation of a resource begins without the token of the one before (guidelines, 7.1 and 7.4).
    const isAnother = /^(start\w*|get\w*)Authorisation$/.test(call.operation.id);
    if (scenario.oauthToken === 'required' && !isAnother && hasTokens(main, resource.id))
      throw unauthorised('TOKEN_UNKNOWN', 'The token of this resource is missing.');
    return;
  }
  if (token.resourceId !== undefined && token.resourceId !== resource.id)
    throw unauthorised('TOKEN_INVALID', 'The token is for another resource.');
  if (token.psuId !== undefined && !hasSay(resource, token.psuId))
    throw unauthorised('TOKEN_INVALID', 'The token is that of a PSU who has no say in this resource.');
}

/** True if this PSU may act on a resource; before its PSUs are known, any PSU may. */
export function hasSay({ psuId, authorisers }: Pick<Parent, 'psuId' | 'authorisers'>, who: string): boolean {
  return (psuId === undefined && authorisers.length === 0) || psuId === who || authorisers.includes(who);
}

/** A call that needs the token of a login ahead: its error body leads to the OAuth server. */
export function loginMissing({ address }: Pick<Call, 'address'>): Refusal {
  const scaOAuth = address + oauthMetadataPath;
  const text = `The PSU must log in before this call (OAuth pre-step); see ${scaOAuth}`;
  return new Refusal(401, 'TOKEN_UNKNOWN', text, { links: { scaOAuth } });
}

/** Throws RESOURCE_BLOCKED if the resource is in a basket whose authorisations have begun. */
export function checkFree({ ledger }: RunningBank, { kind, id }: Pick<Parent, 'kind' | 'id'>): void {
  if (kind === 'basket' || basketOf(ledger.main, id) !== 'PATC') return;
  throw new Refusal(400, 'RESOURCE_BLOCKED', 'It is authorised with its signing basket.');
}

/** The PSU with this PSU-ID; throws PSU_CREDENTIALS_INVALID or SERVICE_BLOCKED. */
export function requirePerson(bank: RunningBank, psuId: string): LedgerPerson {
  const person = psuOf(bank.ledger.main, psuId);
  if (person === undefined) throw unauthorised('PSU_CREDENTIALS_INVALID', 'The bank knows no such PSU-ID.');
  if (isShutOut(person))
    throw new Refusal(403, 'SERVICE_BLOCKED', 'The bank has blocked this service for the PSU.');
  return person;
}

/** Returns the PSU of the token, or the one in the header PSU-ID, if it was sent. */
export function personOfCall(bank: RunningBank, call: Call): LedgerPerson | undefined {
  const sent = nameFromHeader(call.headers.get('psu-id') ?? '');
  const named = sent === '' ? undefined : sent;
  const loggedIn = call.token?.psuId;
  if (loggedIn !== undefined) {
    checkBesideLogin(bank, call, named);
    if (named !== undefined && named !== loggedIn)
      throw unauthorised('PSU_CREDENTIALS_INVALID', 'PSU-ID is not the PSU of the token.');
    return requirePerson(bank, loggedIn);
  }
  const person = named === undefined ? undefined : requirePerson(bank, named);
  checkCorporateId(call, person);
  if (person?.preStep === true) throw loginMissing(call);
  return person;
}

/** Throws FORMAT_ERROR where PSU-ID must be sent beside the token of a login and is not, or the other way round. */
function checkBesideLogin(bank: RunningBank, call: Call, named: string | undefined): void {
  const { framework } = call.variant;
  const wantsBoth = bank.dialect?.settings.auth?.psuIdFrom !== undefined;
  if (wantsBoth && named === undefined)
    throw formatError('PSU-ID is missing, and this bank needs it beside the token.', 'PSU-ID');
  if (named !== undefined && !wantsBoth && !frameworkFacts[framework].psuIdBesideLogin)
    throw formatError(`PSU-ID must not be sent where the token names the PSU (${framework}).`, 'PSU-ID');
}

/** Throws CORPORATE_ID_INVALID where the PSU acts for another company than the call says, or for one that it leaves out. */
function checkCorporateId(call: Call, person: LedgerPerson | undefined): void {
  const sent = nameFromHeader(call.headers.get('psu-corporate-id') ?? '');
  if (person?.corporateId === undefined || sent === person.corporateId) return;
  const text =
    sent === ''
      ? 'This PSU acts for a company: PSU-Corporate-ID is missing.'
      : 'This PSU does not act for the company of PSU-Corporate-ID.';
  throw unauthorised('CORPORATE_ID_INVALID', text);
}

/**
 * The PSU of a new resource whom the call does not name: nobody, or where the policy goes by the account the one owner of
 * it; throws FORMAT_ERROR if the policy needs a PSU-ID.
 */
export function unnamedPsu(
  bank: RunningBank,
  call: Call,
  owner: LedgerPerson | undefined,
): LedgerPerson | undefined {
  const { psuId: policy } = call.scenario;
  if (policy === 'required') throw formatError('PSU-ID is missing, and this bank needs it.', 'PSU-ID');
  if (policy === 'optional' || owner === undefined || authorisersOf(owner).length > 1) return undefined;
  if (owner.preStep === true) throw loginMissing(call);
  return requirePerson(bank, owner.psuId);
}

/**
 * True if this PSU may authorise payments from the debtor's account; throws FORMAT_ERROR if no PSU of this bank has the
 * account.
 */
export function maySpend(bank: RunningBank, debtor: AccountReference, psuId: string | undefined): boolean {
  const owner = ownerOf(bank.ledger.main, debtor);
  if (owner === undefined) {
    throw formatError('The debtor account is not kept at this bank.', debtorPath(debtor));
  }
  return psuId === undefined || authorisersOf(owner).includes(psuId);
}

/** The path of the debtor account in the body of a payment. */
export function debtorPath(debtor: AccountReference): string {
  return `debtorAccount.${Object.keys(debtor).find((name) => name !== 'currency') ?? ''}`;
}

/** What the TPP prefers, unless the policy ignores it. */
export function preferenceOf(call: Call, what: 'redirect' | 'decoupled' | 'explicit'): boolean | undefined {
  const { redirectPreferred, explicitPreferred } = call.scenario;
  // An older framework has no such header, and the bank does not read what it does not know.
  if (what === 'decoupled' && !declares(call, 'TPP-Decoupled-Preferred')) return undefined;
  if (what !== 'explicit')
    return redirectPreferred === 'ignored' ? undefined : flagOf(call, `tpp-${what}-preferred`);
  return explicitPreferred === 'ignored' ? undefined : flagOf(call, 'tpp-explicit-authorisation-preferred');
}

const declares = ({ variant, operation }: Call, header: string): boolean =>
  declaredHeaders(variant, operation).some(({ name }) => name === header);

/** The value of a boolean header, which the gate has checked. */
export function flagOf(call: Call, name: string): boolean | undefined {
  const value = call.headers.get(name);
  return value === null ? undefined : value === 'true';
}

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
