import type { Database } from '../books/database.ts';
import { listAuthorisations, findAuthorisation } from '../sca/authorisation-store.ts';
import type { Authorisation } from '../sca/authorisation-store.ts';
import { doDueWork } from '../sca/timers.ts';
import { findBasket } from '../stores/basket-store.ts';
import { findConsent, listConsents } from '../stores/consent-store.ts';
import type { Consent } from '../stores/consent-store.ts';
import { findPayment, historyOf, listPayments } from '../stores/payment-store.ts';
import type { Payment } from '../stores/payment-store.ts';
import { noPage } from '../steering/decide.ts';
import { steerAny } from '../steering/steering.ts';
import type { AnySteering } from '../steering/steering.ts';
import type { ControlCall, ControlHandler } from './control-call.ts';
import { mostTransfers, shownOrder } from './shown-order.ts';
import { isOwnLink } from '../trust/tenants.ts';
import { badRequest, notThere, Problem } from './problem.ts';

interface Decision {
  id: string;
  decision: 'approve' | 'refuse' | 'revoke';
  psuId?: string;
}

/** Payments, consents, authorisations, and the hand of the PSU. */
export const resources = {
  listPayments(call) {
    const main = duly(call);
    const brief = call.given['brief'] === 'true';
    const payments = listPayments(main, pageOf(call)).map((one) => shownPayment(main, one, brief));
    return { status: 200, body: { payments } };
  },
  getPayment(call) {
    const main = duly(call);
    const id = call.path['paymentId'] ?? '';
    const payment = findPayment(main, id);
    if (payment === undefined) throw notThere('payment', id, 'payments');
    return { status: 200, body: shownPayment(main, payment) };
  },
  listConsents: (call) => ({
    status: 200,
    body: { consents: listConsents(duly(call), pageOf(call)).map(shownConsent) },
  }),
  getConsent(call) {
    const id = call.path['consentId'] ?? '';
    const consent = findConsent(duly(call), id);
    if (consent === undefined) throw notThere('consent', id, 'consents');
    return { status: 200, body: shownConsent(consent) };
  },
  listAuthorisations(call) {
    const main = duly(call);
    const page = { ...pageOf(call), open: call.given['open'] === 'true' };
    const authorisations = listAuthorisations(main, page).map((one) => shownAuthorisation(main, one));
    return { status: 200, body: { authorisations } };
  },
  decide,
} as const satisfies Readonly<Record<string, ControlHandler>>;

async function decide(call: ControlCall) {
  const { id, decision, psuId } = call.body as Decision;
  const { recording } = call.bank;
  const told = decision === 'revoke' ? undefined : recording?.decided(id, decision);
  if (told !== undefined) return { status: 201, body: { id, decision, ...told } };
  const main = duly(call);
  const isLink = /^https?:\/\//.test(id);
  const known = isLink || isKnown(main, id);
  if (!known) throw notThere('authorisation, payment, consent or basket', id, 'authorisations');
  if (decision === 'revoke' && (isLink || findConsent(main, id) === undefined))
    throw badRequest('/decision does not take revoke.', 'Only a consent is revoked.', '/decision');
  const hand = psuId === undefined ? {} : { psuId };
  const command: AnySteering =
    decision === 'revoke' ? { do: 'revoke', id, ...hand } : { do: 'decide', decision, id, ...hand };
  const { ledger, wallClock } = call.bank;
  // The pages of two tenants with the same data have the same tokens.
  const answer =
    isLink && !isOwnLink(call.bank, id)
      ? { refused: noPage.title, detail: noPage.detail }
      : await steerAny({ ledger, clock: wallClock }, command);
  if ('refused' in answer)
    throw new Problem(409, {
      title: answer.refused,
      detail: ('detail' in answer && answer.detail) || 'What it is about does not allow it.',
      next: ['GET /sandbox/api/authorisations?open=true'],
    });
  const { consentId: _consentId, ...done } = answer.result as Record<string, unknown>;
  return { status: 201, body: { id, decision, ...done } };
}

const isKnown = (main: Database, id: string): boolean =>
  [findAuthorisation, findPayment, findConsent, findBasket].some((find) => find(main, id) !== undefined);

/** The ledger with all done that is due. */
function duly({ books }: ControlCall): Database {
  doDueWork(books.ledger.main, books.clock.now());
  return books.ledger.main;
}

const pageOf = ({ given }: ControlCall) => ({
  after: given['after'] === undefined ? undefined : String(given['after']),
  limit: Number(given['limit']),
  newest: given['newest'] === 'true',
});

function shownPayment(main: Database, payment: Payment, brief = false) {
  const { paymentId, service, product, status, requestId, tpp, psuId = null, createdAt } = payment;
  const history = historyOf(main, paymentId).map((one) => ({ status: one.status, at: one.at }));
  const order = shownOrder(payment, brief ? mostTransfers.brief : mostTransfers.one);
  const body = brief ? {} : { body: Buffer.from(payment.body).toString('utf8') };
  return { paymentId, service, product, status, requestId, tpp, psuId, createdAt, order, ...body, history };
}

function shownConsent(consent: Consent) {
  const { consentId, status, tpp, psuId = null, recurring, frequencyPerDay, validUntil, access } = consent;
  return { consentId, status, tpp, psuId, recurring, frequencyPerDay, validUntil, access };
}

function shownAuthorisation(main: Database, authorisation: Authorisation) {
  const { authorisationId, parentKind, parentId, approach, scaStatus, psuId = null } = authorisation;
  const { createdAt, updatedAt } = authorisation;
  const about = shownParent(main, authorisation);
  return {
    authorisationId,
    parentKind,
    parentId,
    approach,
    scaStatus,
    psuId,
    createdAt,
    updatedAt,
    ...about,
  };
}

/** What the PSU is asked to authorise. */
function shownParent(main: Database, { parentKind, parentId }: Authorisation) {
  if (parentKind === 'consent') return { access: findConsent(main, parentId)?.access };
  if (parentKind === 'basket') {
    const { paymentIds = [], consentIds = [] } = findBasket(main, parentId) ?? {};
    return { basket: { paymentIds, consentIds } };
  }
  const payment = findPayment(main, parentId);
  return payment && { order: shownOrder(payment, mostTransfers.brief) };
}
