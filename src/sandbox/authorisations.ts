import type { AuthBody } from '../xs2a/wire.ts';
import { wireNames } from '../xs2a/variants.ts';
import { authorisationsOf, insertAuthorisation, saveSca } from './authorisation-store.ts';
import type { Authorisation, ParentKind } from './authorisation-store.ts';
import type { Call, Handler, Reply, RunningBank } from './call.ts';
import { advance, begin, chooseApproach, nextLink } from './conversation.ts';
import type { Move } from './conversation.ts';
import { flagOf, ownsDebtor, personOfCall, requirePayment, requirePerson } from './payment-lookup.ts';
import type { Payment } from './payment-store.ts';
import { findPerson } from './people.ts';
import type { Approach, LedgerPerson } from './people.ts';
import { formatError, Refusal, resourceUnknown } from './refusal.ts';
import { approachHeader, asLinks, paymentPath, scaData, scaHrefs } from './sca-reply.ts';

/** The four operations on the authorisations of a payment, or of its cancellation. */
export function authorisationHandlers(kind: ParentKind) {
  return {
    start: ((bank, call) => start(bank, call, kind)) satisfies Handler,
    list: ((bank, call) => list(bank, call, kind)) satisfies Handler,
    status: ((bank, call) => ({
      status: 200,
      body: { scaStatus: find(bank, call, requirePayment(bank, call), kind).scaStatus },
    })) satisfies Handler,
    update: ((bank, call) => update(bank, call, kind)) satisfies Handler,
  };
}

function start(bank: RunningBank, call: Call, kind: ParentKind): Reply {
  const payment = requirePayment(bank, call);
  const open =
    kind === 'payment' ? payment.status === 'RCVD' : payment.cancelRequested && payment.status === 'ACTC';
  if (!open) {
    throw new Refusal(
      409,
      'STATUS_INVALID',
      `A payment in status ${payment.status} takes no such authorisation.`,
    );
  }
  checkRedirect(call, payment);
  const person = personOf(bank, call, payment);
  const preferred = flagOf(call, 'tpp-redirect-preferred') ?? payment.redirectPreferred;
  const approach = person ? chooseApproach(person, preferred) : approachOfUnknown(preferred);
  const move = moveOf(call.json);
  if (move !== undefined && approach !== 'EMBEDDED') throw notEmbedded();
  if (move !== undefined && move.kind !== 'password') throw tooEarly();
  const { main } = bank.ledger;
  let authorisation = insertAuthorisation(main, payment, kind, begin(approach, person?.psuId), call.now);
  if (move !== undefined) {
    if (person === undefined) throw formatError('The password came without a PSU-ID.', 'PSU-ID');
    const step = advance(authorisation, move, person);
    authorisation = saveSca(main, authorisation, step.sca, call.now);
    if (step.refusal !== undefined) return refused(call, payment, authorisation, step.refusal);
  }
  return {
    status: 201,
    headers: approachHeader(authorisation),
    body: { ...reply(call, payment, authorisation, person), authorisationId: authorisation.authorisationId },
  };
}

/** Without a PSU-ID the bank redirects, unless the TPP refuses: then the PSU has to be identified first. */
export function approachOfUnknown(redirectPreferred: boolean | undefined): Approach {
  return redirectPreferred === false ? 'EMBEDDED' : 'REDIRECT';
}

/** TPP-Redirect-URI must stay the same for all authorisations of a transaction (guidelines 5.2). */
export function checkRedirect(call: Call, payment: Payment): void {
  const sent = call.headers.get('tpp-redirect-uri');
  if (sent !== null && payment.redirectUri !== undefined && sent !== payment.redirectUri) {
    throw formatError('TPP-Redirect-URI is not that of the payment.', 'TPP-Redirect-URI');
  }
}

function personOf(bank: RunningBank, call: Call, payment: Payment): LedgerPerson | undefined {
  const named = personOfCall(bank, call);
  if (named !== undefined && payment.psuId !== undefined && named.psuId !== payment.psuId) {
    throw new Refusal(401, 'PSU_CREDENTIALS_INVALID', 'The payment belongs to another PSU.');
  }
  if (named !== undefined && !ownsDebtor(bank, payment.fields.debtorAccount.iban, named.psuId)) {
    throw new Refusal(401, 'PSU_CREDENTIALS_INVALID', 'The debtor account belongs to another PSU.');
  }
  return named ?? (payment.psuId === undefined ? undefined : requirePerson(bank, payment.psuId));
}

function list(bank: RunningBank, call: Call, kind: ParentKind): Reply {
  const payment = requirePayment(bank, call);
  const ids = authorisationsOf(bank.ledger.main, kind, payment.paymentId).map((row) => row.authorisationId);
  const name = kind === 'payment' ? 'authorisationIds' : wireNames[call.variant.framework].cancellationList;
  return { status: 200, body: { [name]: ids } };
}

function find(bank: RunningBank, call: Call, payment: Payment, kind: ParentKind): Authorisation {
  const wanted = call.params.authorisationId;
  const found = authorisationsOf(bank.ledger.main, kind, payment.paymentId).find(
    ({ authorisationId }) => authorisationId === wanted,
  );
  if (found === undefined) throw resourceUnknown('authorisation');
  return found;
}

function update(bank: RunningBank, call: Call, kind: ParentKind): Reply {
  const payment = requirePayment(bank, call);
  const authorisation = find(bank, call, payment, kind);
  try {
    return take(bank, call, payment, authorisation);
  } catch (error) {
    const again = error instanceof Refusal && retryable.has(error.code) && nextLink(authorisation);
    if (!again) throw error;
    throw withLinks(error, call, payment, authorisation);
  }
}

/** Refusals of what the PSU said, who may say it better: their error bodies lead back to the same step. */
const retryable: ReadonlySet<string> = new Set(['PSU_CREDENTIALS_INVALID', 'SCA_METHOD_UNKNOWN']);

function take(bank: RunningBank, call: Call, payment: Payment, before: Authorisation): Reply {
  const { main } = bank.ledger;
  const named = personOf(bank, call, payment);
  const person = named ?? (before.psuId === undefined ? undefined : findPerson(main, before.psuId));
  if (person === undefined) throw formatError('The PSU is not known yet: PSU-ID is missing.', 'PSU-ID');
  const move = moveOf(call.json);
  const moves: Move[] = [{ kind: 'identify', psuId: person.psuId }];
  if (move !== undefined) moves.push(move);
  let authorisation = before;
  for (const next of moves) {
    if (next.kind !== 'identify' && authorisation.approach !== 'EMBEDDED') throw notEmbedded();
    const step = advance(authorisation, next, person);
    authorisation = saveSca(main, authorisation, step.sca, call.now);
    if (step.refusal !== undefined) return refused(call, payment, authorisation, step.refusal);
  }
  return {
    status: 200,
    headers: approachHeader(authorisation),
    body: reply(call, payment, authorisation, person),
  };
}

/** What the body asks for: undefined for an identification, which travels in the headers. */
function moveOf(body: unknown): Move | undefined {
  const fields = (body ?? {}) as Partial<Record<string, unknown>> & AuthBody;
  const keys = Object.keys(fields);
  if (typeof fields !== 'object' || keys.length > 1)
    throw formatError('The body is none of the known forms.');
  const take = (value: unknown, path: string): string => {
    if (typeof value === 'string' && value !== '') return value;
    throw formatError(`${path} is not a string.`, path);
  };
  switch (keys[0]) {
    case undefined:
      return undefined;
    case 'psuData': {
      const psuData = (fields as { psuData?: Record<string, unknown> | null }).psuData ?? {};
      if ('encryptedPassword' in psuData)
        throw formatError('Encrypted passwords are not taken here.', 'psuData');
      return { kind: 'password', password: take(psuData['password'], 'psuData.password') };
    }
    case 'authenticationMethodId':
      return { kind: 'select', methodId: take(fields.authenticationMethodId, 'authenticationMethodId') };
    case 'scaAuthenticationData':
      return { kind: 'otp', otp: take(fields.scaAuthenticationData, 'scaAuthenticationData') };
    default:
      throw formatError('The body is none of the known forms.', keys[0]);
  }
}

const notEmbedded = () =>
  new Refusal(400, 'SERVICE_INVALID', 'The PSU authenticates at the bank, not through the TPP.');
const tooEarly = () => new Refusal(400, 'SERVICE_INVALID', 'The PSU must be authenticated first.');

function reply(call: Call, payment: Payment, authorisation: Authorisation, person: LedgerPerson | undefined) {
  return {
    scaStatus: authorisation.scaStatus,
    ...scaData(call, authorisation, person),
    _links: asLinks(scaHrefs(call, paymentPath(call.variant, payment), authorisation)),
  };
}

/** A refusal that counts: its error body leads on for as long as there is a next try. */
function refused(call: Call, payment: Payment, authorisation: Authorisation, refusal: Refusal): Reply {
  const goesOn = nextLink(authorisation) !== undefined;
  return refusalReply(goesOn ? withLinks(refusal, call, payment, authorisation) : refusal);
}

function withLinks(refusal: Refusal, call: Call, payment: Payment, authorisation: Authorisation): Refusal {
  const links = scaHrefs(call, paymentPath(call.variant, payment), authorisation);
  return new Refusal(refusal.status, refusal.code, refusal.message, { ...refusal.detail, links });
}

/** The error body of a refusal (guidelines 4.13). */
export function refusalReply(refusal: Refusal): Reply {
  const { status, code, message, detail } = refusal;
  if (code === '') return { status };
  const tppMessage = {
    category: 'ERROR',
    code,
    ...(detail.path !== undefined && { path: detail.path }),
    text: message,
  };
  return {
    status,
    body: { tppMessages: [tppMessage], ...(detail.links && { _links: asLinks(detail.links) }) },
  };
}
