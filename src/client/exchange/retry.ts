import { BankRefusal, TransportFailure } from '../../base/errors.ts';
import type { TransportReason } from '../../base/errors.ts';
import type { Target } from './target.ts';
import type { Verdict } from './verdict.ts';

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
  const bankNow = target.ports.clock.now().getTime() + target.state.aheadMs;
  const asked = retryAfterMs(error.retryAfter ?? '', bankNow);
  return asked ?? ([429, 503].includes(error.httpStatus) ? attempt * 1000 : undefined);
}

/** Milliseconds until a read that got no answer is tried again, or undefined where that would not help. */
export function pauseAfterLoss({ reason }: TransportFailure, attempt: number): number | undefined {
  return attempt < readAttempts && passing.includes(reason) ? 200 * attempt : undefined;
}

/** Failures that may have passed a moment later; a timeout is not one, since it has used up the time of the call. */
const passing: readonly TransportReason[] = ['dns', 'connect', 'reset', 'truncated'];

const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Milliseconds that Retry-After asks for, from seconds or an HTTP date (RFC 9110 section 10.2.3); `bankNow` is the time by the
 * clock of the bank. Undefined for a text that is neither, and for a time that is over.
 */
export function retryAfterMs(text: string, bankNow: number): number | undefined {
  if (/^\d{1,5}$/.test(text)) return Number(text) * 1000;
  const at = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return at > bankNow ? at - bankNow : undefined;
}
