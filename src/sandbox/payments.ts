import { randomUUID } from 'node:crypto';
import type { LinkName } from '../xs2a/links.ts';
import type { TransactionStatus } from '../xs2a/codes.ts';
import { failOthers, insertAuthorisation, openAuthorisations } from './authorisation-store.ts';
import type { Authorisation, ParentKind } from './authorisation-store.ts';
import { approachOfUnknown, checkRedirect } from './authorisations.ts';
import type { Call, Handler, RunningBank } from './call.ts';
import { begin, chooseApproach, startLink } from './conversation.ts';
import { checkSepaPayment } from './payment-check.ts';
import { flagOf, ownsDebtor, personOfCall, requirePayment } from './payment-lookup.ts';
import { insertPayment, isoDay, setStatus } from './payment-store.ts';
import type { Payment } from './payment-store.ts';
import { findPerson } from './people.ts';
import type { Approach, LedgerPerson } from './people.ts';
import { formatError, Refusal } from './refusal.ts';
import { approachHeader, asLinks, authorisationsPath, paymentPath, scaData, scaHrefs } from './sca-reply.ts';

/** POST payment. */
export const initiatePayment: Handler = (bank, call) => {
  const fields = checkSepaPayment(call.json, isoDay(call.now));
  const person = personOfCall(bank, call);
  if (!ownsDebtor(bank, fields.debtorAccount.iban, person?.psuId)) {
    throw formatError('The debtor account belongs to another PSU.', 'debtorAccount.iban');
  }
  checkRedirectScheme(call);
  const payment: Payment = {
    paymentId: randomUUID(),
    tpp: call.tpp,
    requestId: call.requestId,
    framework: call.variant.framework,
    service: call.params['payment-service'] ?? '',
    product: call.params['payment-product'] ?? '',
    contentType: call.headers.get('content-type') ?? '',
    body: call.body,
    fields,
    status: 'RCVD',
    psuId: person?.psuId,
    redirectUri: call.headers.get('tpp-redirect-uri') ?? undefined,
    nokRedirectUri: call.headers.get('tpp-nok-redirect-uri') ?? undefined,
    redirectPreferred: flagOf(call, 'tpp-redirect-preferred'),
    explicitPreferred: flagOf(call, 'tpp-explicit-authorisation-preferred'),
    executeOn: undefined,
    cancelRequested: false,
    createdAt: call.now.toISOString(),
  };
  insertPayment(bank.ledger.main, payment);
  const opening = open(bank, call, payment, 'payment');
  const self = paymentPath(call.variant, payment);
  return {
    status: 201,
    headers: { Location: self, ...opening.headers },
    body: {
      transactionStatus: payment.status,
      paymentId: payment.paymentId,
      ...opening.data,
      _links: asLinks({ ...opening.hrefs, self, status: `${self}/status` }),
    },
  };
};

/** A browser is sent there: the address of a web page or of an app, never a script. */
function checkRedirectScheme(call: Call): void {
  for (const name of ['TPP-Redirect-URI', 'TPP-Nok-Redirect-URI']) {
    const uri = call.headers.get(name);
    if (uri !== null && !/^[a-z][a-z0-9+.-]*:\/\//i.test(uri))
      throw formatError(`${name} is not a web address.`, name);
  }
}

interface Opening {
  hrefs: Partial<Record<LinkName, string>>;
  headers: Record<string, string>;
  data: object;
}

/** How an authorisation begins: the bank starts it (implicit), or leaves that to the TPP (explicit). */
function open(bank: RunningBank, call: Call, payment: Payment, kind: ParentKind): Opening {
  const person = payment.psuId === undefined ? undefined : findPerson(bank.ledger.main, payment.psuId);
  const preferred = flagOf(call, 'tpp-redirect-preferred') ?? payment.redirectPreferred;
  const approach = person ? chooseApproach(person, preferred) : approachOfUnknown(preferred);
  const path = paymentPath(call.variant, payment);
  if (payment.explicitPreferred === true || person?.start === 'explicit') {
    return {
      hrefs: { [startLink(approach, person !== undefined)]: authorisationsPath(path, kind) },
      headers: approachHeader({ approach, psuId: person?.psuId }),
      data: {},
    };
  }
  const authorisation = started(bank, call, payment, kind, approach, person);
  return {
    hrefs: scaHrefs(call, path, authorisation),
    headers: approachHeader(authorisation),
    data: scaData(call, authorisation, person),
  };
}

function started(
  bank: RunningBank,
  call: Call,
  payment: Payment,
  kind: ParentKind,
  approach: Approach,
  person: LedgerPerson | undefined,
): Authorisation {
  const { main } = bank.ledger;
  const earlier = openAuthorisations(main, payment.paymentId).find(({ parentKind }) => parentKind === kind);
  return earlier ?? insertAuthorisation(main, payment, kind, begin(approach, person?.psuId), call.now);
}

/** GET payment: what was sent, with the status. */
export const getPayment: Handler = (bank, call) => {
  const payment = requirePayment(bank, call);
  return { status: 200, body: { ...payment.fields, transactionStatus: payment.status } };
};

/** GET payment status. */
export const getPaymentStatus: Handler = (bank, call) => ({
  status: 200,
  body: { transactionStatus: requirePayment(bank, call).status },
});

/** DELETE payment: at once while nothing is authorised, through SCA while it waits for its day, else not at all. */
export const cancelPayment: Handler = (bank, call) => {
  const payment = requirePayment(bank, call);
  const { main } = bank.ledger;
  if (payment.status === 'RCVD') {
    setStatus(main, payment, 'CANC', call.now.toISOString());
    failOthers(main, { parentKind: 'payment', parentId: payment.paymentId }, call.now);
    return { status: 204 };
  }
  if (payment.status !== 'ACTC') throw tooLate(payment.status);
  checkRedirect(call, payment);
  main.run('UPDATE payments SET cancelRequested = 1 WHERE paymentId = ?', payment.paymentId);
  const opening = open(bank, call, payment, 'cancellation');
  const self = paymentPath(call.variant, payment);
  return {
    status: 202,
    headers: opening.headers,
    body: {
      transactionStatus: payment.status,
      ...opening.data,
      _links: asLinks({ ...opening.hrefs, self, status: `${self}/status` }),
    },
  };
};

const tooLate = (status: TransactionStatus) =>
  new Refusal(405, 'CANCELLATION_INVALID', `A payment in status ${status} cannot be cancelled.`);
