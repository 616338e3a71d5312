import type { ScaStatus } from '../xs2a/codes.ts';
import type { LinkName } from '../xs2a/links.ts';
import type { Approach, LedgerPerson, Method } from './people.ts';
import { Refusal } from './refusal.ts';

/** Where one authorisation stands. */
export interface Sca {
  approach: Approach;
  scaStatus: ScaStatus;
  psuId: string | undefined;
  methodId: string | undefined;
  /** Wrong passwords and one-time passwords so far. */
  attempts: number;
}

/** What happens to an authorisation: the TPP carries it here, or the PSU does it on a page. */
export type Move =
  | { kind: 'identify'; psuId: string }
  | { kind: 'password'; password: string }
  | { kind: 'select'; methodId: string }
  | { kind: 'otp'; otp: string }
  | { kind: 'login'; password: string }
  | { kind: 'approve' }
  | { kind: 'refuse' };

/** Where a move leads; with `refusal` it was counted but not accepted. */
export interface Step {
  sca: Sca;
  refusal?: Refusal;
}

/** How many wrong secrets end an authorisation. */
export const maxAttempts = 5;

const finals: readonly ScaStatus[] = ['finalised', 'failed', 'exempted'];

/** Whether a status is the end of an authorisation. */
export function isFinal(status: ScaStatus): boolean {
  return finals.includes(status);
}

/** The beginning of an authorisation: the PSU may be known by PSU-ID; a decoupled PSU is asked at once. */
export function begin(approach: Approach, psuId: string | undefined): Sca {
  const known = approach === 'DECOUPLED' ? 'started' : 'psuIdentified';
  return {
    approach,
    scaStatus: psuId === undefined ? 'received' : known,
    psuId,
    methodId: undefined,
    attempts: 0,
  };
}

/** The bank's decision on the approach: the PSU's usual one, unless the TPP's preference leads to another. */
export function chooseApproach(person: LedgerPerson, redirectPreferred: boolean | undefined): Approach {
  const [usual, ...others] = person.approaches;
  if (redirectPreferred === true && others.includes('REDIRECT')) return 'REDIRECT';
  if (redirectPreferred === false && usual === 'REDIRECT') return others[0] ?? usual;
  return usual;
}

/** Makes one move of a PSU. A move that the status does not allow is thrown as Refusal 400 or 409 and changes nothing. */
export function advance(sca: Sca, move: Move, person: LedgerPerson): Step {
  if (isFinal(sca.scaStatus)) throw overBefore(sca.scaStatus);
  switch (move.kind) {
    case 'identify':
      return identify(sca, person);
    case 'password':
      allow(sca, move, ['psuIdentified']);
      return move.password === person.password ? authenticated(sca, person) : wrong(sca, 'password');
    case 'select':
      allow(sca, move, ['psuAuthenticated']);
      return select(sca, move.methodId, person);
    case 'otp':
      allow(sca, move, ['scaMethodSelected', 'started']);
      return move.otp === person.otp ? to(sca, 'finalised') : wrong(sca, 'one-time password');
    case 'login':
      return login(sca, move.password, person);
    case 'approve':
      return to(sca, 'finalised');
    case 'refuse':
      return to(sca, 'failed');
  }
}

const to = (sca: Sca, scaStatus: ScaStatus): Step => ({ sca: { ...sca, scaStatus } });

function identify(sca: Sca, person: LedgerPerson): Step {
  if (sca.psuId !== undefined && sca.psuId !== person.psuId) {
    throw new Refusal(401, 'PSU_CREDENTIALS_INVALID', 'The authorisation belongs to another PSU.');
  }
  if (sca.scaStatus !== 'received') return { sca };
  const approach = sca.approach === 'REDIRECT' ? sca.approach : chooseApproach(person, false);
  return { sca: begin(approach, person.psuId) };
}

/** On a page the PSU may log in again, from another browser, without going back in the authorisation. */
function login(sca: Sca, password: string, person: LedgerPerson): Step {
  if (password !== person.password) return wrong(sca, 'password');
  return sca.scaStatus === 'psuIdentified' ? authenticated(sca, person) : { sca };
}

function authenticated(sca: Sca, person: LedgerPerson): Step {
  const [only, ...others] = person.methods;
  if (only === undefined) return to(sca, sca.approach === 'EMBEDDED' ? 'exempted' : 'psuAuthenticated');
  if (others.length > 0) return to(sca, 'psuAuthenticated');
  return { sca: { ...sca, scaStatus: 'scaMethodSelected', methodId: only.id } };
}

function select(sca: Sca, methodId: string, person: LedgerPerson): Step {
  if (methodOf(person, methodId) === undefined) {
    throw new Refusal(400, 'SCA_METHOD_UNKNOWN', 'This PSU has no such method.', {
      path: 'authenticationMethodId',
    });
  }
  return { sca: { ...sca, scaStatus: 'scaMethodSelected', methodId } };
}

function wrong(sca: Sca, what: string): Step {
  const attempts = sca.attempts + 1;
  const left = maxAttempts - attempts;
  const text =
    left > 0 ? `The ${what} is wrong; ${left} more may be tried.` : `The ${what} was wrong too often.`;
  return {
    sca: { ...sca, attempts, scaStatus: left > 0 ? sca.scaStatus : 'failed' },
    refusal: new Refusal(401, 'PSU_CREDENTIALS_INVALID', text),
  };
}

function allow(sca: Sca, move: Move, statuses: readonly ScaStatus[]): void {
  if (statuses.includes(sca.scaStatus)) return;
  throw new Refusal(400, 'SERVICE_INVALID', `${sayings[move.kind]} does not fit scaStatus ${sca.scaStatus}.`);
}

const sayings: Readonly<Record<Move['kind'], string>> = {
  identify: 'Identifying the PSU',
  password: 'A password',
  select: 'Selecting a method',
  otp: 'A one-time password',
  login: 'Logging in',
  approve: 'Approving',
  refuse: 'Refusing',
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

/** The link that leads on from here, if the TPP has something to do; `scaStatus` is added by the caller. */
export function nextLink(sca: Sca): LinkName | undefined {
  if (isFinal(sca.scaStatus)) return undefined;
  if (sca.approach === 'REDIRECT') return 'scaRedirect';
  if (sca.scaStatus === 'received') return 'updatePsuIdentification';
  if (sca.approach === 'DECOUPLED') return undefined;
  if (sca.scaStatus === 'psuIdentified') return 'updatePsuAuthentication';
  if (sca.scaStatus === 'psuAuthenticated') return 'selectAuthenticationMethod';
  return 'authoriseTransaction';
}

/** The link with which the TPP starts an authorisation that the bank did not start itself. */
export function startLink(approach: Approach, psuKnown: boolean): LinkName {
  if (approach === 'REDIRECT') return 'startAuthorisation';
  if (!psuKnown) return 'startAuthorisationWithPsuIdentification';
  return approach === 'EMBEDDED' ? 'startAuthorisationWithPsuAuthentication' : 'startAuthorisation';
}
