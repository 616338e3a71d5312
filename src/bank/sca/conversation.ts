import type { ScaStatus } from '../../standard/xs2a/codes.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { LinkName } from '../../standard/xs2a/links.ts';
import type { Approach, LedgerPerson, Method } from '../books/people.ts';
import { attemptsOf } from '../rules/psu.ts';
import { formatError, Refusal } from '../rules/refusal.ts';
import { authenticationTypes, valuesIn } from '../../standard/xs2a/code-lists.ts';

/** The state of one authorisation. */
export interface Sca {
  approach: Approach;
  scaStatus: ScaStatus;
  psuId: string | undefined;
  methodId: string | undefined;
  /** The framework in which it was started. */
  framework: Framework;
  /** Whether the TPP has to confirm the PSU's decision. */
  confirm: boolean;
  /** Whether a token of the PSU (OAuth pre-step) stands for the first factor. */
  byToken: boolean;
  /** How many of the PSU's passwords were right so far. */
  passwords: number;
  /** Wrong passwords and one-time passwords so far. */
  attempts: number;
}

/** An event of an authorisation: sent by the TPP, or done by the PSU on a page. */
export type Move =
  | { kind: 'identify'; psuId: string }
  | { kind: 'token' }
  | { kind: 'password'; which: 'password' | 'additionalPassword'; password: string; encrypted: boolean }
  | { kind: 'select'; methodId: string }
  | { kind: 'otp'; otp: string }
  | { kind: 'login'; password: string }
  | { kind: 'approve' }
  | { kind: 'refuse' }
  | { kind: 'confirm'; right: boolean };

/** The result of a move; with `refusal` it was counted but not accepted. */
export interface ScaMove {
  sca: Sca;
  refusal?: Refusal;
}

const finals: readonly ScaStatus[] = ['finalised', 'failed', 'exempted'];

/** True if a status ends an authorisation. */
export function isFinal(status: ScaStatus): boolean {
  return finals.includes(status);
}

/** True if the PSU still has to decide. */
export function isOpen(status: ScaStatus): boolean {
  return !isFinal(status) && status !== 'unconfirmed';
}

/** True if the PSU authenticates in a browser at the bank. */
export function isInBrowser(approach: Approach): boolean {
  return approach === 'REDIRECT' || approach === 'OAUTH';
}

/** The beginning of an authorisation: the PSU may be known by PSU-ID; a decoupled PSU is asked at once. */
export function startSca(
  approach: Approach,
  psuId: string | undefined,
  terms: { framework: Framework; confirm: boolean },
): Sca {
  const known = approach === 'DECOUPLED' ? 'started' : 'psuIdentified';
  return {
    approach,
    scaStatus: psuId === undefined ? 'received' : known,
    psuId,
    methodId: undefined,
    framework: terms.framework,
    confirm:
      terms.confirm &&
      hasMember(terms.framework, 'confirmation', 'confirmationCode') &&
      isInBrowser(approach),
    byToken: false,
    passwords: 0,
    attempts: 0,
  };
}

/** What a TPP prefers of the approaches; undefined where it leaves that to the bank. */
export interface Preferred {
  redirectPreferred: boolean | undefined;
  decoupledPreferred: boolean | undefined;
}

/** The bank's decision on the approach: the PSU's usual one, unless the TPP's preference leads to another. */
export function chooseApproach(
  person: LedgerPerson,
  { redirectPreferred, decoupledPreferred }: Preferred,
): Approach {
  const [usual, ...others] = person.approaches.filter(
    (approach) => decoupledPreferred !== false || approach !== 'DECOUPLED',
  );
  // Who has no other approach keeps it; a TPP that asks for both leaves the choice to the bank.
  if (usual === undefined) return person.approaches[0];
  if (decoupledPreferred === true && redirectPreferred !== true && person.approaches.includes('DECOUPLED'))
    return 'DECOUPLED';
  // Redirect with OAuth is Redirect as well: both preferences are about the browser.
  if (redirectPreferred === undefined || redirectPreferred === isInBrowser(usual)) return usual;
  return others.find((approach) => isInBrowser(approach) === redirectPreferred) ?? usual;
}

/** Makes one move of a PSU. A move that the status does not allow is thrown as Refusal 400 or 409 and changes nothing. */
export function advance(sca: Sca, move: Move, person: LedgerPerson): ScaMove {
  if (isFinal(sca.scaStatus)) throw overBefore(sca.scaStatus);
  if (sca.scaStatus === 'unconfirmed') allow(sca, move, [], ['confirm', 'identify', 'token']);
  switch (move.kind) {
    case 'identify':
      return identify(sca, person);
    case 'token':
      return takeToken(sca, person);
    case 'password':
      allow(sca, move, ['psuIdentified']);
      return takePassword(sca, move, person);
    case 'select':
      allow(sca, move, ['psuAuthenticated']);
      return select(sca, move.methodId, person);
    case 'otp':
      allow(sca, move, ['scaMethodSelected', 'started']);
      return move.otp === person.otp ? succeed(sca) : wrong(sca, 'one-time password', person);
    case 'login':
      return login(sca, move.password, person);
    case 'approve':
      return succeed(sca);
    case 'refuse':
      return to(sca, 'failed');
    case 'confirm':
      allow(sca, move, ['unconfirmed']);
      return to(sca, move.right ? 'finalised' : 'failed');
  }
}

const to = (sca: Sca, scaStatus: ScaStatus): ScaMove => ({ sca: { ...sca, scaStatus } });
const succeed = (sca: Sca): ScaMove => to(sca, sca.confirm ? 'unconfirmed' : 'finalised');

/** Whoever is identified through the TPP stays there. */
const afterIdentification: Preferred = { redirectPreferred: false, decoupledPreferred: undefined };

function identify(sca: Sca, person: LedgerPerson): ScaMove {
  if (sca.psuId !== undefined && sca.psuId !== person.psuId) {
    throw new Refusal(401, 'PSU_CREDENTIALS_INVALID', 'The authorisation belongs to another PSU.');
  }
  if (sca.scaStatus !== 'received') return { sca };
  const approach = isInBrowser(sca.approach) ? sca.approach : chooseApproach(person, afterIdentification);
  return { sca: startSca(approach, person.psuId, sca) };
}

/** The token stands for the first factor; a decoupled PSU has been asked already. */
function takeToken(sca: Sca, person: LedgerPerson): ScaMove {
  return sca.scaStatus === 'psuIdentified' ? authenticated({ ...sca, byToken: true }, person) : { sca };
}

function takePassword(sca: Sca, move: Extract<Move, { kind: 'password' }>, person: LedgerPerson): ScaMove {
  const path = `psuData.${move.which}`;
  if (move.encrypted !== (person.encrypted === true)) {
    const how = move.encrypted ? 'as it is' : 'encrypted';
    throw formatError(`The bank accepts the password of this PSU ${how}.`, path);
  }
  const due = sca.passwords === 0 ? 'password' : 'additionalPassword';
  if (move.which !== due) throw formatError(`The bank asks for the ${due} here.`, path);
  if (move.password !== person[due]) return wrong(sca, 'password', person);
  const passed = { ...sca, passwords: sca.passwords + 1 };
  return passed.passwords < passwordsOf(person) ? { sca: passed } : authenticated(passed, person);
}

/** The additional password came with the errata of March 2019, so the file of either variant has it. */
function passwordsOf(person: LedgerPerson): number {
  return person.additional === true ? 2 : 1;
}

/** On a page the PSU may log in again, from another browser, without going back in the authorisation. */
function login(sca: Sca, password: string, person: LedgerPerson): ScaMove {
  if (password !== person.password) return wrong(sca, 'password', person);
  return sca.scaStatus === 'psuIdentified' ? authenticated(sca, person) : { sca };
}

function authenticated(sca: Sca, person: LedgerPerson): ScaMove {
  const [only, ...others] = offered(sca, person);
  if (only === undefined) return to(sca, sca.approach === 'EMBEDDED' ? 'exempted' : 'psuAuthenticated');
  if (others.length > 0) return to(sca, 'psuAuthenticated');
  return chosen(sca, only);
}

/** On a page of the bank, which no framework describes, the PSU has all methods. */
const offered = (sca: Sca, person: LedgerPerson): readonly Method[] =>
  isInBrowser(sca.approach) ? person.methods : methodsIn(sca.framework, person);

function select(sca: Sca, methodId: string, person: LedgerPerson): ScaMove {
  const method = offered(sca, person).find(({ id }) => id === methodId);
  if (method === undefined || method.withdrawn === true) {
    throw new Refusal(400, 'SCA_METHOD_UNKNOWN', 'This PSU has no such method.', {
      path: 'authenticationMethodId',
    });
  }
  return chosen(sca, method);
}

/** A method is chosen, by the PSU or because there is no other. */
function chosen(sca: Sca, { id: methodId, turns }: Method): ScaMove {
  if (turns === undefined || sca.approach !== 'EMBEDDED')
    return { sca: { ...sca, scaStatus: 'scaMethodSelected', methodId } };
  return { sca: { ...sca, scaStatus: 'started', methodId, approach: turns } };
}

function wrong(sca: Sca, what: string, person: LedgerPerson): ScaMove {
  const attempts = sca.attempts + 1;
  const left = attemptsOf(person) - attempts;
  const text =
    left > 0 ? `The ${what} is wrong; attempts left: ${String(left)}.` : `The ${what} was wrong too often.`;
  return {
    sca: { ...sca, attempts, scaStatus: left > 0 ? sca.scaStatus : 'failed' },
    refusal: new Refusal(401, 'PSU_CREDENTIALS_INVALID', text),
  };
}

function allow(
  sca: Sca,
  move: Move,
  statuses: readonly ScaStatus[],
  moves: readonly Move['kind'][] = [],
): void {
  if (statuses.includes(sca.scaStatus) || moves.includes(move.kind)) return;
  throw new Refusal(400, 'SERVICE_INVALID', `${sayings[move.kind]} does not fit scaStatus ${sca.scaStatus}.`);
}

const sayings: Readonly<Record<Move['kind'], string>> = {
  identify: 'Identifying the PSU',
  token: 'A token',
  password: 'A password',
  select: 'Selecting a method',
  otp: 'A one-time password',
  login: 'Logging in',
  approve: 'Approving',
  refuse: 'Refusing',
  confirm: 'A confirmation',
};

function overBefore(status: ScaStatus): Refusal {
  return status === 'failed'
    ? new Refusal(400, 'SCA_INVALID', 'The authorisation has failed before.')
    : new Refusal(409, 'STATUS_INVALID', `The authorisation is ${status} already.`);
}

/** The method of a PSU with this id. */
export function methodOf(person: LedgerPerson, methodId: string | undefined): Method | undefined {
  return person.methods.find(({ id }) => id === methodId);
}

/** The link of the next step, if the TPP has one to do; `scaStatus` and `confirmation` are added by the caller. */
export function nextLink(sca: Sca, person: LedgerPerson | undefined): LinkName | undefined {
  if (!isOpen(sca.scaStatus)) return undefined;
  if (sca.approach === 'REDIRECT') return 'scaRedirect';
  if (sca.approach === 'OAUTH') return 'scaOAuth';
  if (sca.scaStatus === 'received') return 'updatePsuIdentification';
  if (sca.approach === 'DECOUPLED') return undefined;
  if (sca.scaStatus === 'psuIdentified') return passwordLink(sca, person?.encrypted === true);
  if (sca.scaStatus === 'psuAuthenticated') return 'selectAuthenticationMethod';
  return 'authoriseTransaction';
}

function passwordLink({ passwords }: Sca, encrypted: boolean): LinkName {
  if (passwords > 0)
    return encrypted ? 'updateAdditionalEncryptedPsuAuthentication' : 'updateAdditionalPsuAuthentication';
  return encrypted ? 'updateEncryptedPsuAuthentication' : 'updatePsuAuthentication';
}

/** The link with which the TPP starts an authorisation that the bank did not start itself. */
export function startLink(
  approach: Approach,
  person: LedgerPerson | undefined,
  kind: 'payment' | 'cancellation' | 'basket' | 'consent',
  { byToken, framework }: { byToken: boolean; framework: Framework },
): LinkName {
  if (byToken || isInBrowser(approach)) return 'startAuthorisation';
  if (person === undefined) return 'startAuthorisationWithPsuIdentification';
  if (approach === 'DECOUPLED') return 'startAuthorisation';
  if (person.passwordless === true) return passwordlessStart(methodsIn(framework, person));
  if (person.encrypted !== true) return 'startAuthorisationWithPsuAuthentication';
  // Starting a cancellation never accepts the encrypted form.
  return kind === 'cancellation' ? 'startAuthorisation' : 'startAuthorisationWithEncryptedPsuAuthentication';
}

/**
 * If no password is due, the TPP starts with the next step: the choice of a method, or the one-time password of the
 * only one.
 */
function passwordlessStart(methods: readonly Method[]): LinkName {
  if (methods.length > 1) return 'startAuthorisationWithAuthenticationMethodSelection';
  return methods.length === 1 ? 'startAuthorisationWithTransactionAuthorisation' : 'startAuthorisation';
}

/**
 * The methods of a PSU that a TPP is told of: those whose type the framework of the call has. A PSU who has no other is told of all
 * the same, since nobody is exempted for want of a word.
 */
export function methodsIn(framework: Framework, { methods }: LedgerPerson): readonly Method[] {
  const types = valuesIn(framework, authenticationTypes);
  const known = methods.filter(({ type }) => types.includes(type));
  return known.length === 0 ? methods : known;
}
