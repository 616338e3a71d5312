import { takeWish } from '../notifications/wishes.ts';
import { failOthers } from '../sca/authorisation-store.ts';
import { nextId } from '../books/made.ts';
import type { Order } from '../books/order.ts';
import type { Call, Handler, RunningBank } from '../trust/call.ts';
import { psuOfSession } from './combined-session.ts';
import { feesOf } from './fees.ts';
import { checkRedirect, checkRedirectScheme, startOrOffer } from './start-authorisation.ts';
import type { AuthorisationStart } from './start-authorisation.ts';
import { isUnauthorised, isWaiting, ownerOf, paymentParent } from '../sca/authorised-things.ts';
import type { Parent } from '../sca/authorised-things.ts';
import {
  checkFree,
  flagOf,
  debtorPath,
  maySpend,
  personOfCall,
  preferenceOf,
  requirePayment,
  requirePerson,
  unnamedPsu,
} from './permits.ts';
import { findPayment, hasEqualPayment, insertPayment, updatePayment } from '../stores/payment-store.ts';
import type { Payment } from '../stores/payment-store.ts';
import { formatError, Refusal } from '../rules/refusal.ts';
import { asLinks, pathOf } from '../sca/sca-reply.ts';
import { end } from '../stores/settlement.ts';

/** For how long a payment waits for its authorisation. */
const unauthorisedMs = 24 * 3_600_000;

/** POST payment. */
export const initiatePayment: Handler = (bank, call) => {
  const { order } = call;
  if (order === undefined) throw new Error('the body of a payment was not read');
  const sessionPsuId = psuOfSession(bank, call);
  const known = personOfCall(bank, call);
  const person =
    known ??
    (sessionPsuId === undefined
      ? unnamedPsu(bank, call, ownerOf(bank.ledger.main, order.debtor))
      : requirePerson(bank, sessionPsuId));
  if (!maySpend(bank, order.debtor, person?.psuId)) {
    throw formatError('The debtor account belongs to another PSU.', debtorPath(order.debtor));
  }
  checkRedirectScheme(call);
  checkDuplicate(bank, call, order);
  const payment: Payment = {
    paymentId: nextId(bank.ledger.main, 'payment'),
    tpp: call.tpp,
    requestId: call.requestId,
    framework: call.variant.framework,
    service: call.params['payment-service'] ?? '',
    product: call.params['payment-product'] ?? '',
    contentType: call.headers.get('content-type') ?? '',
    body: call.body,
    content: order,
    status: 'RCVD',
    psuId: person?.psuId,
    sessionPsuId,
    redirectUri: call.headers.get('tpp-redirect-uri') ?? undefined,
    nokRedirectUri: call.headers.get('tpp-nok-redirect-uri') ?? undefined,
    redirectPreferred: preferenceOf(call, 'redirect'),
    decoupledPreferred: preferenceOf(call, 'decoupled'),
    explicitPreferred: preferenceOf(call, 'explicit'),
    noFundsPreferred: flagOf(call, 'tpp-rejection-nofunds-preferred'),
    stages: [],
    rejected: [],
    booked: 0,
    cancelRequested: false,
    createdAt: call.now.toISOString(),
    dueAt: new Date(call.now.getTime() + unauthorisedMs).toISOString(),
  };
  insertPayment(bank.ledger.main, payment);
  const parent = paymentParent(bank.ledger.main, payment, 'payment');
  const notifying = takeWish(bank, call, parent);
  const opening = startOrOffer(bank, call, parent);
  return {
    status: 201,
    headers: { Location: pathOf(call.variant, parent), ...opening.headers, ...notifying },
    body: {
      paymentId: payment.paymentId,
      ...feesOf(call, parent, person, 'initiation'),
      ...opened(bank, call, parent, opening),
    },
  };
};

/** Some banks refuse a payment that is equal to another of the last minutes. */
function checkDuplicate({ ledger, dialect }: RunningBank, { tpp, now }: Call, order: Order): void {
  const minutes = dialect?.settings.payments?.duplicateWindowMin;
  if (minutes === undefined) return;
  const since = new Date(now.getTime() - minutes * 60_000).toISOString();
  if (hasEqualPayment(ledger.main, { tpp, order, since }))
    throw new Refusal(
      400,
      'PAYMENT_FAILED',
      `An equal payment was made within the last ${String(minutes)} minutes.`,
    );
}

/** If a token of the PSU was all that was needed, the status has already changed. */
function opened(bank: RunningBank, call: Call, parent: Parent, opening: AuthorisationStart): object {
  const status = findPayment(bank.ledger.main, parent.id)?.status ?? parent.status;
  const self = pathOf(call.variant, parent);
  return {
    transactionStatus: status,
    ...opening.data,
    _links: asLinks({ ...opening.hrefs, self, status: `${self}/status` }),
  };
}

/**
 * DELETE payment: by default at once while nothing is authorised, through SCA while it waits for its day, else not at all.
 */
export const cancelPayment: Handler = (bank, call) => {
  const { main } = bank.ledger;
  const payment = requirePayment(bank, call);
  const rule = ownerOf(main, payment.content.debtor)?.cancellation;
  const early = isUnauthorised(payment);
  checkFree(bank, { kind: 'payment', id: payment.paymentId });
  if (rule === 'impossible' || (!early && !isWaiting(payment))) throw tooLate(call, payment);
  if (rule === 'free' || (early && call.scenario.cancellation !== 'always-sca')) {
    end(main, payment, 'CANC', call.now.toISOString());
    failOthers(main, { parentKind: 'payment', parentId: payment.paymentId }, call.now);
    return { status: 204 };
  }
  checkRedirect(call, payment);
  updatePayment(main, payment, { cancelRequested: true });
  const parent = withPreference(paymentParent(main, payment, 'cancellation'), call);
  const opening = startOrOffer(bank, call, parent);
  return { status: 202, body: opened(bank, call, parent, opening) };
};

/** From 1.3.6 on the cancellation has a preference of its own. */
function withPreference(parent: Parent, call: Call): Parent {
  const explicitly = preferenceOf(call, 'explicit');
  return explicitly === undefined ? parent : { ...parent, explicitPreferred: explicitly };
}

function tooLate({ scenario }: Call, { status }: Payment): Refusal {
  return new Refusal(
    scenario.cancellationRefusal === 'http-400' ? 400 : 405,
    'CANCELLATION_INVALID',
    `A payment in status ${status} cannot be cancelled.`,
    { allow: ['GET'] },
  );
}

/** Throws RESOURCE_UNKNOWN or RESOURCE_EXPIRED for a cancelled payment that may no longer be read. */
function checkReadable(call: Call, payment: Payment): void {
  const { afterCancellation } = call.scenario;
  if (payment.status !== 'CANC' || afterCancellation === 'status') return;
  throw afterCancellation === 'http-404'
    ? new Refusal(404, 'RESOURCE_UNKNOWN', 'The payment was cancelled and deleted.')
    : new Refusal(403, 'RESOURCE_EXPIRED', 'The payment was cancelled and deleted.');
}

/** Returns the payment of the path, if it may be read. */
export function readablePayment(bank: RunningBank, call: Call): Payment {
  const payment = requirePayment(bank, call);
  checkReadable(call, payment);
  return payment;
}
