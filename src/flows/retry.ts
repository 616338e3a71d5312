import type { Target } from './target.ts';
import type { Verdict } from './verdict.ts';
import { BankRefusal, TransportFailure } from '../errors.ts';
import { retryAfterMs } from './retry-after.ts';
import type { TransportReason } from '../errors.ts';

export const readAttempts = 3;

/** Milliseconds until a read is tried again, or undefined where that would not help. */
export function retryPause(
  target: Target,
  verdict: Exclude<Verdict, { outcome: 'DONE' }>,
  attempt: number,
): number | undefined {
  const { error } = verdict;
  if (!(error instanceof BankRefusal)) {
    return error.cause instanceof TransportFailure ? pauseAfterLoss(error.cause, attempt) : undefined;
  }
  // The day's accesses of a consent do not come back while a call waits.
  if (error.bankCode === 'ACCESS_EXCEEDED') return undefined;
  const bankNow = target.ports.clock.now().getTime() + target.aheadMs;
  const asked = retryAfterMs(error.retryAfter ?? '', bankNow);
  return asked ?? ([429, 503].includes(error.httpStatus) ? attempt * 1000 : undefined);
}

/** Milliseconds until a read that got no answer is tried again, or undefined where that would not help. */
export function pauseAfterLoss({ reason }: TransportFailure, attempt: number): number | undefined {
  return attempt < readAttempts && passing.includes(reason) ? 200 * attempt : undefined;
}

/** What may be gone a moment later; a timeout has used up the time of the call. */
const passing: readonly TransportReason[] = ['dns', 'connect', 'reset', 'truncated'];
