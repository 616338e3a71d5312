import { exitCodes } from '../../../base/errors.ts';
import type { ExitCode } from '../../../base/errors.ts';
import type { Noun } from '../../../standard/sca/operations.ts';
import type { Parent } from '../../../standard/sca/state.ts';
import { consentStatus, standingOf, transactionStatus } from '../../../standard/xs2a/codes.ts';

/** Which command leads an authorisation, or takes one step of it; it decides what a half-way end means. */
export type Leader = 'init' | 'create' | 'renew' | 'authorise' | 'cancel' | 'delete' | 'step';

/** The leader of an authorisation that goes on: it may be that of the end of a resource. */
export function leaderOf(kind: Parent['kind']): Leader {
  if (kind === 'cancellation') return 'cancel';
  return kind === 'deletion' ? 'delete' : 'authorise';
}

/** How a command that leads an authorisation ended. */
export interface LedEnd {
  noun: Noun;
  /** What the authorisation was of; undefined where none was begun. */
  kind: Parent['kind'] | undefined;
  status: string | undefined;
  /** Undefined while the authorisation is open. */
  success: boolean | undefined;
  timedOut: boolean;
  leader: Leader;
  /** Exit 0 is to mean authorised; false where it is enough that the resource was made. */
  asked: boolean;
}

/** The exit code of a command that leads an authorisation. */
export function exitOfLed({ noun, kind, status, success, timedOut, leader, asked }: LedEnd): ExitCode {
  if (success === false) return exitCodes.declined;
  if (success === undefined) {
    const made = exitOfMade(noun, status);
    return made !== exitCodes.declined && (asked || timedOut) ? exitCodes.pending : made;
  }
  if (leader === 'cancel' || kind === 'cancellation') return exitOfCancellation(status);
  if (leader === 'delete' || kind === 'deletion') return exitOfDeletion(status);
  return exitOfStatus(noun, status, leader);
}

/** The exit code of a resource that was only made: any known status that is not a refusal is good. */
function exitOfMade(noun: Noun, status: string | undefined): ExitCode {
  switch (standingOf(noun, status)) {
    case 'refused':
      return exitCodes.declined;
    case 'unknown':
      return exitCodes.pending;
    default:
      return exitCodes.ok;
  }
}

/** The exit code for a status after SCA; one that is unknown or was not named is neither good nor bad. */
export function exitOfStatus(noun: Noun, status: string | undefined, leader: Leader): ExitCode {
  switch (standingOf(noun, status)) {
    case 'authorised':
      return exitCodes.ok;
    case 'partly':
      return whileOthersMustFollow(leader);
    case 'refused':
      return exitCodes.declined;
    case 'open':
    case 'unknown':
    case undefined:
      return exitCodes.pending;
  }
}

/** Only CANC is a payment that is cancelled; one that is over otherwise cannot be any more. */
export function exitOfCancellation(status: string | undefined): ExitCode {
  if (status === 'CANC') return exitCodes.ok;
  const kind = transactionStatus(status ?? '')?.kind;
  return kind === 'rejected' || kind === 'settled' ? exitCodes.declined : exitCodes.pending;
}

/** A consent that is over is deleted, however it ended; another one waits for the PSU or the bank. */
function exitOfDeletion(status: string | undefined): ExitCode {
  return consentStatus(status ?? '')?.final === true ? exitCodes.ok : exitCodes.pending;
}

/** For a command that authorises, its part is done; a command that creates waits for the whole. */
function whileOthersMustFollow(leader: Leader): ExitCode {
  return leader === 'authorise' || leader === 'step' ? exitCodes.ok : exitCodes.pending;
}
