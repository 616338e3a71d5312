import { takeWish } from '../notifications/wishes.ts';
import { failOthers, authorisationsOf } from '../sca/authorisation-store.ts';
import { nextId } from '../books/made.ts';
import type { Order } from '../books/order.ts';
import type { Call, Handler, RunningBank } from '../trust/call.ts';
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
  usableConsent,
} from './permits.ts';
import { findPayment, hasEqualPayment, insertPayment, updatePayment } from '../stores/payment-store.ts';
import type { Payment } from '../stores/payment-store.ts';
import { formatError, Refusal } from '../rules/refusal.ts';
import { asLinks, pathOf } from '../sca/sca-reply.ts';
import { end, hasFunds } from '../booking/settlement.ts';
import { readJson, writeJson } from '../../standard/xs2a/json.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import { isXmlProduct } from '../../standard/xs2a/products.ts';
import { findPerson } from '../books/people.ts';
import { prefersXml } from '../../referee/request-headers.ts';
import { xml } from '../../standard/formats/xml/xml-writer.ts';

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
function readablePayment(bank: RunningBank, call: Call): Payment {
  const payment = requirePayment(bank, call);
  checkReadable(call, payment);
  return payment;
}

/** For how long after its SCA a consent stands for the first factor of a payment. */
const sessionMs = 20 * 60_000;

/**
 * The PSU who has authorised the consent that a payment names (Consent-ID), where that consent is for a combined service and
 * its SCA is of the same session; throws CONSENT_UNKNOWN, CONSENT_INVALID or CONSENT_EXPIRED for one that cannot be used.
 */
function psuOfSession(bank: RunningBank, call: Call): string | undefined {
  if (!call.headers.has('consent-id')) return undefined;
  const { consentId, combined } = usableConsent(bank, call);
  const since = new Date(call.now.getTime() - sessionMs).toISOString();
  const done = authorisationsOf(bank.ledger.main, 'consent', consentId).findLast(
    ({ scaStatus, updatedAt }) =>
      (scaStatus === 'finalised' || scaStatus === 'exempted') && updatedAt >= since,
  );
  return combined ? done?.psuId : undefined;
}

/** GET payment: what was sent, with the status where that is JSON. */
export const getPayment: Handler = (bank, call) => {
  const payment = readablePayment(bank, call);
  if (isXmlProduct(payment.product)) {
    return { status: 200, content: { type: payment.contentType, bytes: payment.body } };
  }
  const sent = readJson(payment.body, { maxBytes: payment.body.length, maxValues: Infinity }) as object;
  const text = writeJson({ ...sent, transactionStatus: payment.status });
  return { status: 200, content: { type: 'application/json', bytes: Buffer.from(text) } };
};

/** GET payment status, as JSON or (for pain.001 payments) as pain.002. */
export const getPaymentStatus: Handler = (bank, call) => {
  const payment = readablePayment(bank, call);
  if (wantsXml(call, payment)) {
    const bytes = Buffer.from(pain002(payment, call.now));
    return { status: 200, content: { type: 'application/xml', bytes } };
  }
  const { main } = bank.ledger;
  const has = (member: string) => hasMember(call.variant.framework, 'status of a payment', member);
  const owner = ownerOf(main, payment.content.debtor);
  const tellsFunds =
    has('fundsAvailable') &&
    ['ACTC', 'ACWC', 'ACCP'].includes(payment.status) &&
    payment.booked === 0 &&
    owner !== undefined;
  const psu = payment.psuId === undefined ? undefined : findPerson(main, payment.psuId);
  const self = pathOf(call.variant, paymentParent(main, payment, 'payment'));
  const message = tellRejected(payment);
  return {
    status: 200,
    body: {
      transactionStatus: payment.status,
      ...(tellsFunds && { fundsAvailable: hasFunds(main, payment) }),
      ...(message !== undefined && has('psuMessage') && { psuMessage: message }),
      ...(owner !== undefined && has('ownerNames') && { ownerNames: [{ name: owner.name }] }),
      ...(psu !== undefined && has('psuName') && { psuName: psu.name }),
      ...(has('_links') && { _links: asLinks({ self }) }),
    },
  };
};

function wantsXml({ headers, scenario }: Call, { product }: Payment): boolean {
  if (!isXmlProduct(product) || scenario.statusFormat === 'json') return false;
  return scenario.statusFormat === 'xml' || prefersXml(headers.get('accept') ?? '');
}

const reasons: Readonly<Record<string, string>> = {
  AM04: 'the funds do not suffice',
  AC04: 'the account of the payee is closed',
};

/** The words for the PSU about transfers that were not made. */
function tellRejected({ rejected, content }: Payment): string | undefined {
  if (rejected.length === 0) return undefined;
  const several = content.transfers.length > 1;
  const what = several ? 'Not executed' : content.standing === undefined ? 'Not executed' : 'Left out';
  const told = rejected.slice(0, 5).map(({ part, reason }) => {
    const id = content.transfers[part]?.endToEndId;
    const entry = several ? `entry ${String(part + 1)}${id === undefined ? '' : ` (${id})`}: ` : '';
    return entry + (reasons[reason] ?? reason);
  });
  const more = rejected.length > told.length ? `; and ${String(rejected.length - told.length)} more` : '';
  return `${what}: ${told.join('; ')}${more}.`;
}

const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.002.001.03';

/** The status of a payment as pain.002.001.03, with every transfer that was not made and its reason. */
function pain002(payment: Payment, now: Date): string {
  const { content, status, rejected, paymentId } = payment;
  const messageId = content.messageId ?? 'NOTPROVIDED';
  const transactions = rejected.map(({ part, reason }) => {
    const endToEndId = content.transfers[part]?.endToEndId ?? 'NOTPROVIDED';
    return xml`<TxInfAndSts><OrgnlEndToEndId>${endToEndId}</OrgnlEndToEndId><TxSts>RJCT</TxSts>
<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf></TxInfAndSts>
`;
  });
  const group = content.paymentInformationId ?? messageId;
  const entries =
    transactions.length > 0 &&
    xml`<OrgnlPmtInfAndSts><OrgnlPmtInfId>${group}</OrgnlPmtInfId><PmtInfSts>${status}</PmtInfSts>
${transactions}</OrgnlPmtInfAndSts>
`;
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${namespace}"><CstmrPmtStsRpt>
<GrpHdr><MsgId>${paymentId.replaceAll('-', '')}</MsgId><CreDtTm>${now.toISOString()}</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId>
<GrpSts>${status}</GrpSts></OrgnlGrpInfAndSts>
${entries === false ? undefined : entries}</CstmrPmtStsRpt></Document>
`.text;
}
