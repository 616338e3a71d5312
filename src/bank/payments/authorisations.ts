import { defined } from '../../base/defined.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import { wireNames } from '../../standard/xs2a/variants.ts';
import { readAuthBody } from '../sca/auth-body.ts';
import type { Carried } from '../sca/auth-body.ts';
import {
  advanceStored,
  authorisationsOf,
  doneBy,
  saveSca,
  confirmationCode,
} from '../sca/authorisation-store.ts';
import type { Authorisation } from '../sca/authorisation-store.ts';
import type { Call, Handler, Reply, RunningBank } from '../trust/call.ts';
import { requireBasket } from './baskets.ts';
import { requireConsent } from './consents.ts';
import { isFinal, nextLink } from '../sca/conversation.ts';
import type { Move } from '../sca/conversation.ts';
import {
  checkRedirect,
  isAuthenticated,
  startAuthorisation,
  startingOf,
  takesPasswordAtStart,
} from './start-authorisation.ts';
import type { Starting } from './start-authorisation.ts';
import { actingOn, basketParent, concerns, consentParent, paymentParent } from '../sca/authorised-things.ts';
import { feesOf } from './fees.ts';
import type { Parent, ParentKind } from '../sca/authorised-things.ts';
import { checkFree, personOfCall, requirePayment, requirePerson } from './permits.ts';
import type { LedgerPerson } from '../books/people.ts';
import { psuOf } from '../rules/psu.ts';
import { formatError, Refusal, resourceUnknown, unauthorised } from '../rules/refusal.ts';
import { approachHeader, asLinks, pathOf, scaData, scaHrefs, scaStatusIn } from '../sca/sca-reply.ts';

/** The four operations on the authorisations of one kind of parent. */
export function authorisationHandlers(kind: ParentKind) {
  const parentOf = (bank: RunningBank, call: Call): Parent => {
    const { main } = bank.ledger;
    if (kind === 'basket') return basketParent(main, requireBasket(bank, call));
    if (kind === 'consent') return consentParent(main, requireConsent(bank, call));
    return paymentParent(main, requirePayment(bank, call), kind);
  };
  return {
    start: ((bank, call) => start(bank, call, parentOf(bank, call))) satisfies Handler,
    list: ((bank, call) => list(bank, call, parentOf(bank, call))) satisfies Handler,
    status: ((bank, call) => {
      const parent = parentOf(bank, call);
      return { status: 200, body: statusOf(bank, call, parent, find(bank, call, parent)) };
    }) satisfies Handler,
    update: ((bank, call) => update(bank, call, parentOf(bank, call))) satisfies Handler,
  };
}

/** The status of an authorisation, with what later frameworks tell beside it. */
function statusOf(bank: RunningBank, call: Call, parent: Parent, authorisation: Authorisation): object {
  const { psuId, scaStatus } = authorisation;
  const has = (member: string) => hasMember(call.variant.framework, 'scaStatus', member);
  // Also of a PSU whose access is locked: that is not what is asked.
  const psu = psuId === undefined ? undefined : psuOf(bank.ledger.main, psuId);
  const person = psu && actingOn(parent, psu);
  const { psuMessage } = has('psuMessage') ? scaData(call, authorisation, person) : {};
  return {
    scaStatus: scaStatusIn(call.variant, scaStatus),
    ...defined({ psuMessage }),
    ...(has('_links') && { _links: asLinks(scaHrefs(call, parent, authorisation, person)) }),
    ...(person !== undefined && isFinal(scaStatus) && has('psuName') && { psuName: person.name }),
  };
}

/** The authorisation that a call is about. */
interface AuthorisationCall {
  call: Call;
  parent: Parent;
  authorisation: Authorisation;
  person: LedgerPerson | undefined;
}

function start(bank: RunningBank, call: Call, parent: Parent): Reply {
  checkTakes(parent);
  checkFree(bank, parent);
  checkRedirect(call, parent);
  const person = personOf(bank, call, parent);
  const starting = startingOf(call, parent, person);
  const move = firstMove(bank, starting);
  let authorisation = startAuthorisation(bank, starting);
  if (move !== undefined) {
    if (person === undefined) throw formatError('The body needs a PSU-ID in the header.', 'PSU-ID');
    const step = advanceStored(bank.ledger.main, authorisation, move, person);
    authorisation = saveSca(bank.ledger.main, authorisation, step.sca, call.now);
    if (step.refusal !== undefined) return refused({ call, parent, authorisation, person }, step.refusal);
  }
  return {
    status: 201,
    headers: approachHeader(authorisation),
    body: {
      ...reply({ call, parent, authorisation, person }),
      authorisationId: authorisation.authorisationId,
    },
  };
}

function checkTakes(parent: Parent): void {
  if (parent.status === 'expired') throw unauthorised('CONSENT_EXPIRED', 'The consent has expired.');
  if (!parent.takes) {
    throw new Refusal(
      409,
      'STATUS_INVALID',
      `A ${parent.kind} in status ${parent.status} takes no such authorisation.`,
    );
  }
}

/** What the body of a start already carries, as far as this bank takes it there. */
function firstMove(bank: RunningBank, { call, parent, person, approach }: Starting): Move | undefined {
  const move = readAuthBody(bank, call.json);
  if (move !== undefined && approach !== 'EMBEDDED') throw notEmbedded();
  if (move?.kind === 'code') throw tooEarly();
  const withPassword = takesPasswordAtStart(bank);
  if (move === undefined && withPassword && approach === 'EMBEDDED' && !isAuthenticated(call, parent, person))
    throw formatError('The password goes with the start at this bank.', 'psuData');
  if (move?.kind === 'password' && move.encrypted && parent.kind === 'cancellation' && !withPassword)
    throw formatError('A cancellation is not started with an encrypted password.', 'psuData');
  return move;
}

/** The PSU whom a call is about: named by it, or the one of the parent where there is only one. */
function personOf(bank: RunningBank, call: Call, parent: Parent): LedgerPerson | undefined {
  const named = personOfCall(bank, call);
  const only = parent.needed > 1 ? undefined : parent.psuId;
  const person = named ?? (only === undefined ? undefined : requirePerson(bank, only));
  if (person === undefined) return undefined;
  if (!concerns(parent, person.psuId)) {
    const what = parent.kind === 'consent' ? 'accounts belong' : 'debtor account belongs';
    throw new Refusal(401, 'PSU_CREDENTIALS_INVALID', `The ${what} to another PSU.`);
  }
  if (parent.takes && doneBy(bank.ledger.main, parent).has(person.psuId)) {
    throw new Refusal(409, 'STATUS_INVALID', 'This PSU has authorised it already.');
  }
  return actingOn(parent, person);
}

function list(bank: RunningBank, call: Call, parent: Parent): Reply {
  const ids = authorisationsOf(bank.ledger.main, parent.kind, parent.id).map((row) => row.authorisationId);
  const cancels = parent.kind === 'cancellation';
  const name = cancels ? wireNames[call.variant.framework].cancellationList : 'authorisationIds';
  return { status: 200, body: { [name]: ids } };
}

function find(bank: RunningBank, call: Call, parent: Parent): Authorisation {
  const wanted = call.params.authorisationId;
  const found = authorisationsOf(bank.ledger.main, parent.kind, parent.id).find(
    ({ authorisationId }) => authorisationId === wanted,
  );
  if (found === undefined) throw resourceUnknown('authorisation');
  return found;
}

function update(bank: RunningBank, call: Call, parent: Parent): Reply {
  const authorisation = find(bank, call, parent);
  const { psuId } = authorisation;
  const own = psuId === undefined ? undefined : actingOn(parent, requirePerson(bank, psuId));
  try {
    return take(bank, { call, parent, authorisation, person: own });
  } catch (error) {
    const again = error instanceof Refusal && retryable.has(error.code) && nextLink(authorisation, own);
    if (!again) throw error;
    throw withLinks(error, { call, parent, authorisation, person: own });
  }
}

/** Refusals of the PSU's input, which may be corrected: their error bodies link to the same step. */
const retryable: ReadonlySet<string> = new Set(['PSU_CREDENTIALS_INVALID', 'SCA_METHOD_UNKNOWN']);

function take(bank: RunningBank, before: AuthorisationCall): Reply {
  const { call, parent } = before;
  const caller = personOfCall(bank, call);
  const person = before.person ?? personOf(bank, call, parent);
  if (person === undefined) throw formatError('The PSU is not known yet: PSU-ID is missing.', 'PSU-ID');
  if (caller !== undefined && caller.psuId !== person.psuId) throw otherPsu();
  const moves: Move[] = [{ kind: 'identify', psuId: person.psuId }];
  if (isAuthenticated(call, parent, person)) moves.push({ kind: 'token' });
  const carried = asMove(bank, before, readAuthBody(bank, call.json));
  if (carried !== undefined) moves.push(carried);
  let authorisation = before.authorisation;
  for (const next of moves) {
    const embedded = ofAnyApproach.has(next.kind) || authorisation.approach === 'EMBEDDED';
    if (!embedded) throw notEmbedded();
    const step = advanceStored(bank.ledger.main, authorisation, next, person);
    authorisation = saveSca(bank.ledger.main, authorisation, step.sca, call.now);
    if (step.refusal !== undefined) return refused({ call, parent, authorisation, person }, step.refusal);
  }
  const place = { call, parent, authorisation, person };
  if (carried?.kind === 'confirm') return confirmed(place);
  // The answer to a one-time password has no members for fees.
  const fees = carried?.kind === 'otp' ? {} : feesOf(call, parent, person, 'answers');
  return { status: 200, headers: approachHeader(authorisation), body: { ...fees, ...reply(place) } };
}

const ofAnyApproach: ReadonlySet<Move['kind']> = new Set(['identify', 'token', 'confirm']);

/** A confirmation is the code that the redirect brought back, or the token obtained with it. */
function asMove(
  { ledger }: RunningBank,
  { call, authorisation }: AuthorisationCall,
  carried: Carried | undefined,
) {
  if (carried?.kind === 'code') {
    return { kind: 'confirm', right: carried.code === confirmationCode(ledger, authorisation) } as const;
  }
  const byToken = carried === undefined && authorisation.approach === 'OAUTH' && call.token !== undefined;
  if (byToken && authorisation.scaStatus === 'unconfirmed') return { kind: 'confirm', right: true } as const;
  return carried;
}

function confirmed({ call, parent, authorisation }: AuthorisationCall): Reply {
  const self = pathOf(call.variant, parent);
  const { scaStatus } = scaHrefs(call, parent, authorisation, undefined);
  return {
    status: 200,
    headers: approachHeader(authorisation),
    body: {
      scaStatus: authorisation.scaStatus,
      _links: asLinks({ ...defined({ scaStatus }), status: `${self}/status` }),
    },
  };
}

const notEmbedded = () =>
  new Refusal(400, 'SERVICE_INVALID', 'The PSU authenticates at the bank, not through the TPP.');
const tooEarly = () => new Refusal(400, 'SERVICE_INVALID', 'The PSU must be authenticated first.');
const otherPsu = () =>
  new Refusal(401, 'PSU_CREDENTIALS_INVALID', 'The authorisation belongs to another PSU.');

function reply({ call, parent, authorisation, person }: AuthorisationCall) {
  return {
    scaStatus: scaStatusIn(call.variant, authorisation.scaStatus),
    ...scaData(call, authorisation, person),
    _links: asLinks(scaHrefs(call, parent, authorisation, person)),
  };
}

/** A refusal that counts as an attempt: its error body links to the step as long as attempts are left. */
function refused(place: AuthorisationCall, refusal: Refusal): Reply {
  const goesOn = nextLink(place.authorisation, place.person) !== undefined;
  return refusalReply(goesOn ? withLinks(refusal, place) : refusal);
}

function withLinks(refusal: Refusal, { call, parent, authorisation, person }: AuthorisationCall): Refusal {
  const links = scaHrefs(call, parent, authorisation, person);
  return new Refusal(refusal.status, refusal.code, refusal.message, { ...refusal.detail, links });
}

/** The error body of a refusal (guidelines 4.13). */
export function refusalReply(refusal: Refusal): Reply {
  const { status, code, message, detail } = refusal;
  const headers = detail.allow && { Allow: detail.allow.join(', ') };
  if (code === '') return { status };
  const tppMessage = {
    category: 'ERROR',
    code,
    ...defined({ path: detail.path }),
    text: message,
  };
  return {
    status,
    ...(headers && { headers }),
    body: { tppMessages: [tppMessage], ...(detail.links && { _links: asLinks(detail.links) }) },
  };
}
