import { transactionMoves } from '../xs2a/codes.ts';
import type { Database } from './database.ts';
import { findAccount } from './ledger.ts';
import { findPayment, setStatus, updatePayment } from './payment-store.ts';
import type { Payment } from './payment-store.ts';
import { findPerson } from './people.ts';
import type { LedgerPerson, Method } from './people.ts';
import { accept, end } from './settlement.ts';

/** What an authorisation is for. */
export type ParentKind = 'payment' | 'cancellation';

/** What an authorisation is for, as the conversation sees it. */
export interface Parent {
  kind: ParentKind;
  id: string;
  tpp: string;
  /** Without the prefix. */
  path: string;
  /** What it is about, for the pages. */
  payment: Payment;
  /** The PSU whom the TPP named first. */
  psuId: string | undefined;
  /** The PSU whose account it is. */
  owner: LedgerPerson | undefined;
  /** The PSUs who must all authorise it. */
  authorisers: readonly string[];
  redirectUri: string | undefined;
  nokRedirectUri: string | undefined;
  redirectPreferred: boolean | undefined;
  explicitPreferred: boolean | undefined;
  /** Whether it takes authorisations now, and the status that says why. */
  takes: boolean;
  status: string;
}

/** A payment, or its cancellation, as the parent of authorisations. */
export function paymentParent(database: Database, payment: Payment, kind: ParentKind): Parent {
  const owner = ownerOf(database, payment.content.debtorIban);
  return {
    kind,
    id: payment.paymentId,
    tpp: payment.tpp,
    path: `/${payment.service}/${payment.product}/${payment.paymentId}`,
    payment,
    psuId: payment.psuId,
    owner,
    authorisers: authorisersOf(owner),
    redirectUri: payment.redirectUri,
    nokRedirectUri: payment.nokRedirectUri,
    redirectPreferred: payment.redirectPreferred,
    explicitPreferred: payment.explicitPreferred,
    takes: kind === 'payment' ? isUnauthorised(payment) : payment.cancelRequested && isWaiting(payment),
    status: payment.status,
  };
}

/** The parent of this kind and id. */
export function findParent(database: Database, kind: ParentKind, id: string): Parent | undefined {
  const payment = findPayment(database, id);
  return payment && paymentParent(database, payment, kind);
}

/** The PSU whose account this is. */
export function ownerOf(database: Database, iban: string): LedgerPerson | undefined {
  const psuId = findAccount(database, iban)?.psuId ?? undefined;
  return psuId === undefined ? undefined : findPerson(database, psuId);
}

/** The PSUs who must all authorise what concerns the accounts of this one. */
export function authorisersOf(owner: LedgerPerson | undefined): readonly string[] {
  return owner === undefined ? [] : (owner.authorisers ?? [owner.psuId]);
}

/** Whether a payment waits for authorisations. */
export function isUnauthorised({ status }: Payment): boolean {
  return status === 'RCVD' || status === 'PATC';
}

/** Whether an accepted payment, or what is left of it, can still be stopped. */
export function isWaiting({ status, stages }: Payment): boolean {
  return stages.length > 0 && transactionMoves[status].includes('CANC');
}

const implied: Method = { id: 'sms', type: 'SMS_OTP', name: 'SMS to +49 151 *** 42' };

/** A PSU as this parent meets them: a standing order is never exempted from SCA (guidelines 5.3.3). */
export function actingOn(parent: Parent, person: LedgerPerson): LedgerPerson {
  const exempt = person.methods.length === 0 && person.approaches[0] === 'EMBEDDED';
  return exempt && parent.payment.content.standing !== undefined ? { ...person, methods: [implied] } : person;
}

/** How the authorisations of a parent stand after one of them has ended. */
export type Outcome = 'authorised' | 'partly' | 'failed';

/** Moves the parent on after an authorisation has ended. */
export function conclude(
  database: Database,
  { kind, payment }: Parent,
  outcome: Outcome,
  psuId: string | undefined,
  now: Date,
): void {
  const at = now.toISOString();
  if (kind === 'cancellation') {
    if (outcome === 'authorised') end(database, payment, 'CANC', at);
    return;
  }
  if (payment.psuId === undefined && psuId !== undefined) updatePayment(database, payment, { psuId });
  if (outcome === 'authorised') accept(database, payment, now);
  else if (outcome === 'failed') end(database, payment, 'RJCT', at);
  else {
    if (payment.status !== 'PATC') setStatus(database, payment, 'PATC', at);
    updatePayment(database, payment, { dueAt: new Date(now.getTime() + othersMs).toISOString() });
  }
}

/** For how long the other PSUs may take their time. */
const othersMs = 7 * 86_400_000;
