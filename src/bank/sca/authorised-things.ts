import type { AccountReference } from '../../standard/xs2a/wire.ts';
import { transactionMoves } from '../../standard/xs2a/codes.ts';
import { accountsIn, isAskedFor, isBankOffered, offer, referencesOf } from '../stores/access.ts';
import { findBasket, setBasket } from '../stores/basket-store.ts';
import type { Basket } from '../stores/basket-store.ts';
import { findConsent, makeValid, setConsent, setDeleting, updateConsent } from '../stores/consent-store.ts';
import type { Consent } from '../stores/consent-store.ts';
import type { Database } from '../books/database.ts';
import { accountsOf, debtorAccount, referenceOf } from '../books/accounts.ts';
import { findPayment, setStatus, updatePayment } from '../stores/payment-store.ts';
import type { Payment } from '../stores/payment-store.ts';
import { impliedMethod, psuOf, usualApproach, withApproach } from '../rules/psu.ts';
import { scenarioOf } from '../rules/scenario.ts';
import type { Scenario } from '../rules/scenario.ts';
import { othersUntil } from '../books/life-cycle.ts';
import { totalDebit } from '../books/order.ts';
import { nextPerson } from '../books/people.ts';
import type { Approach, LedgerPerson } from '../books/people.ts';
import { centsIn } from '../rules/open-values.ts';
import { accept, end } from '../booking/settlement.ts';

/** The kind of thing that is authorised. */
export type ParentKind = 'payment' | 'cancellation' | 'basket' | 'consent';

/** The thing that is authorised, as the conversation sees it. */
export type Parent = PaymentParent | BasketParent | ConsentParent;

interface AnyParent {
  id: string;
  tpp: string;
  /** Without the prefix. */
  path: string;
  /** The PSU whom the TPP named first. */
  psuId: string | undefined;
  /** The PSU who owns the account. */
  owner: LedgerPerson | undefined;
  /** The PSUs who must all authorise it; empty if the first PSU to log in becomes the owner. */
  authorisers: readonly string[];
  /** How many of them it takes: all, unless the policy goes by the amount. */
  needed: number;
  /** The usual approach of the policy, which goes before that of the PSU. */
  usualApproach: Approach | undefined;
  redirectUri: string | undefined;
  nokRedirectUri: string | undefined;
  redirectPreferred: boolean | undefined;
  decoupledPreferred: boolean | undefined;
  explicitPreferred: boolean | undefined;
  /** Whether it accepts authorisations now, and the status that decides it. */
  takes: boolean;
  status: string;
  /** Authorisations from before then were about something else (ISO 8601). */
  since?: string | undefined;
}

/** One payment or its cancellation. */
export interface PaymentParent extends AnyParent {
  kind: 'payment' | 'cancellation';
  payments: readonly [Payment];
}

/** The members of a basket: payments or consents. */
export interface BasketParent extends AnyParent {
  kind: 'basket';
  payments: readonly Payment[];
  consents: readonly Consent[];
}

/** A consent to account information. */
export interface ConsentParent extends AnyParent {
  kind: 'consent';
  consent: Consent;
}

/** A payment, or its cancellation, as the parent of authorisations. */
export function paymentParent(
  database: Database,
  payment: Payment,
  kind: 'payment' | 'cancellation',
): PaymentParent {
  const owner = ownerOf(database, payment.content.debtor);
  const scenario = scenarioOf(database);
  return {
    kind,
    id: payment.paymentId,
    tpp: payment.tpp,
    path: `/${payment.service}/${payment.product}/${payment.paymentId}`,
    payments: [payment],
    psuId: payment.psuId,
    owner,
    ...mandateFor(database, owner, payment, scenario),
    usualApproach: usualApproach(scenario, payment.product),
    redirectUri: payment.redirectUri,
    nokRedirectUri: payment.nokRedirectUri,
    redirectPreferred: payment.redirectPreferred,
    decoupledPreferred: payment.decoupledPreferred,
    explicitPreferred: payment.explicitPreferred,
    takes: kind === 'payment' ? isUnauthorised(payment) : isCancellable(payment),
    status: payment.status,
  };
}

/** A signing basket as the parent of authorisations. */
export function basketParent(database: Database, basket: Basket): BasketParent {
  const payments = basket.paymentIds.flatMap((id) => findPayment(database, id) ?? []);
  const consents = basket.consentIds.flatMap((id) => findConsent(database, id) ?? []);
  const owners = [
    ...payments.map(({ content }) => ownerOf(database, content.debtor)),
    ...consents.map((consent) => consentParent(database, consent, basket.psuId).owner),
  ];
  const owner = owners.find((one) => one !== undefined);
  const scenario = scenarioOf(database);
  // The member that needs most PSUs decides.
  const [mandate = mandateOf(owner)] = payments
    .map((payment) => mandateFor(database, owner, payment, scenario))
    .sort((one, other) => other.needed - one.needed);
  // Payments that are all authorised alike are so together, too.
  const [own, ...others] = new Set(payments.map(({ product }) => usualApproach(scenario, product)));
  return {
    kind: 'basket',
    id: basket.basketId,
    tpp: basket.tpp,
    path: `/signing-baskets/${basket.basketId}`,
    payments,
    consents,
    psuId: basket.psuId,
    owner,
    ...mandate,
    usualApproach: others.length === 0 && own !== undefined ? own : usualApproach(scenario, undefined),
    redirectUri: basket.redirectUri,
    nokRedirectUri: basket.nokRedirectUri,
    redirectPreferred: basket.redirectPreferred,
    decoupledPreferred: undefined,
    explicitPreferred: true,
    takes: basket.status === 'RCVD' || basket.status === 'PATC',
    status: basket.status,
  };
}

/** A consent as the parent of authorisations; `acting` becomes its owner if it has none yet. */
export function consentParent(database: Database, consent: Consent, acting?: string): ConsentParent {
  const [account] = accountsIn(database, referencesOf(consent.access), consent.psuId ?? acting);
  const psuId = account?.psuId ?? consent.psuId ?? acting;
  const owner = psuId === undefined ? undefined : psuOf(database, psuId);
  return {
    kind: 'consent',
    id: consent.consentId,
    tpp: consent.tpp,
    path: `/consents/${consent.consentId}`,
    consent,
    psuId: consent.psuId,
    owner,
    ...mandateOf(owner),
    usualApproach: usualApproach(scenarioOf(database), undefined),
    redirectUri: consent.redirectUri,
    nokRedirectUri: consent.nokRedirectUri,
    redirectPreferred: consent.redirectPreferred,
    decoupledPreferred: consent.decoupledPreferred,
    explicitPreferred: consent.explicitPreferred,
    takes:
      consent.status === 'received' ||
      consent.status === 'partiallyAuthorised' ||
      consent.deletingSince !== undefined,
    since: consent.deletingSince,
    status: consent.status,
  };
}

/** The parent of this kind and id; `acting` as for a consent. */
export function findParent(
  database: Database,
  kind: ParentKind,
  id: string,
  acting?: string,
): Parent | undefined {
  if (kind === 'consent') {
    const consent = findConsent(database, id);
    return consent && consentParent(database, consent, acting);
  }
  if (kind === 'basket') {
    const basket = findBasket(database, id);
    return basket && basketParent(database, basket);
  }
  const payment = findPayment(database, id);
  return payment && paymentParent(database, payment, kind);
}

/** The PSU whose account this is. */
export function ownerOf(database: Database, account: AccountReference): LedgerPerson | undefined {
  const psuId = debtorAccount(database, account)?.psuId ?? undefined;
  return psuId === undefined ? undefined : psuOf(database, psuId);
}

/** The PSUs who must all authorise what concerns the accounts of this one. */
export function authorisersOf(owner: LedgerPerson | undefined): readonly string[] {
  return owner === undefined ? [] : (owner.authorisers ?? [owner.psuId]);
}

type Mandate = Pick<Parent, 'authorisers' | 'needed'>;

function mandateOf(owner: LedgerPerson | undefined): Mandate {
  const authorisers = authorisersOf(owner);
  return { authorisers, needed: authorisers.length };
}

/** The PSUs who authorise a payment: all of its account, or by its amount in euros one or at least two. */
function mandateFor(
  database: Database,
  owner: LedgerPerson | undefined,
  { content }: Payment,
  { multilevel }: Scenario,
): Mandate {
  const mandate = mandateOf(owner);
  if (owner === undefined || multilevel === 'by-account') return mandate;
  if (totalDebit(content) < centsIn(multilevel)) return { ...mandate, needed: 1 };
  if (mandate.needed > 1) return mandate;
  const second = nextPerson(database, owner.psuId);
  return second === undefined ? mandate : { authorisers: [owner.psuId, second], needed: 2 };
}

/** True if a PSU may authorise a parent. */
export function concerns({ authorisers }: Parent, psuId: string): boolean {
  return authorisers.length === 0 || authorisers.includes(psuId);
}

/** True if a payment waits for authorisations. */
export function isUnauthorised({ status }: Payment): boolean {
  return status === 'RCVD' || status === 'PATC';
}

/** True if a cancellation of a payment waits for authorisations. */
function isCancellable(payment: Payment): boolean {
  return payment.cancelRequested && (isUnauthorised(payment) || isWaiting(payment));
}

/** True if an accepted payment, or the rest of it, can still be stopped. */
export function isWaiting({ status, stages }: Payment): boolean {
  return stages.length > 0 && transactionMoves[status].includes('CANC');
}

/**
 * The PSU with the behaviour for this parent: with the usual approach of the policy, and never exempted from SCA for a
 * standing order (guidelines 5.3.3).
 */
export function actingOn(parent: Parent, psu: LedgerPerson): LedgerPerson {
  const person = parent.usualApproach === undefined ? psu : withApproach(psu, parent.usualApproach);
  const exempt = person.methods.length === 0 && person.approaches[0] === 'EMBEDDED';
  const standing =
    parent.kind !== 'consent' && parent.payments.some(({ content }) => content.standing !== undefined);
  return exempt && standing ? { ...person, methods: [impliedMethod] } : person;
}

/** The state of the authorisations of a parent after one of them has ended. */
type Outcome = 'authorised' | 'partly' | 'failed';

/** How the authorisation of a parent has ended: by the PSU, where one has logged in. */
export interface Ending {
  outcome: Outcome;
  psuId: string | undefined;
  now: Date;
}

/** Moves the parent on after an authorisation has ended. */
export function conclude(database: Database, parent: Parent, ending: Ending): void {
  if (parent.kind === 'consent') {
    concludeConsent(database, parent.consent, ending);
    return;
  }
  if (parent.kind === 'basket') {
    concludeBasket(database, parent, ending);
    return;
  }
  const [payment] = parent.payments;
  if (parent.kind === 'payment') concludePayment(database, payment, ending);
  else if (ending.outcome === 'authorised') end(database, payment, 'CANC', ending.now.toISOString());
}

function concludePayment(database: Database, payment: Payment, { outcome, psuId, now }: Ending): void {
  const at = now.toISOString();
  if (payment.psuId === undefined && psuId !== undefined) updatePayment(database, payment, { psuId });
  if (outcome === 'authorised') accept(database, payment, now);
  else if (outcome === 'failed') end(database, payment, 'RJCT', at);
  else {
    if (payment.status !== 'PATC') setStatus(database, payment, 'PATC', at);
    updatePayment(database, payment, { dueAt: othersUntil(now) });
  }
}

/** The members of a failed basket can be authorised one by one. */
function concludeBasket(database: Database, { id, payments, consents }: BasketParent, ending: Ending): void {
  const { outcome, now } = ending;
  if (outcome === 'partly') setBasket(database, id, 'PATC', othersUntil(now));
  else setBasket(database, id, outcome === 'failed' ? 'RJCT' : 'ACTC');
  for (const payment of payments) {
    if (outcome === 'authorised' && isUnauthorised(payment)) concludePayment(database, payment, ending);
    else if (outcome === 'partly') updatePayment(database, payment, { dueAt: othersUntil(now) });
  }
  if (outcome === 'failed') return;
  for (const consent of consents) concludeConsent(database, consent, ending);
}

function concludeConsent(database: Database, consent: Consent, { outcome, psuId, now }: Ending): void {
  if (consent.deletingSince !== undefined) {
    if (outcome === 'partly') return;
    setDeleting(database, consent, undefined);
    if (outcome === 'authorised') setConsent(database, consent, 'terminatedByTpp', now);
    return;
  }
  if (outcome === 'failed') {
    setConsent(database, consent, 'rejected', now);
    return;
  }
  if (consent.psuId === undefined && psuId !== undefined) updateConsent(database, consent, { psuId });
  if (isBankOffered(consent.access)) {
    const owner = consentParent(database, consent).owner?.psuId ?? '';
    const all = accountsOf(database, owner)
      .filter((account) => isAskedFor(consent.access, account))
      .map(referenceOf);
    updateConsent(database, consent, { access: offer(consent.access, all) });
  }
  if (outcome === 'authorised') makeValid(database, consent, now);
  else setConsent(database, consent, 'partiallyAuthorised', now);
}
