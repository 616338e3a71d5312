import type { BankRefusal, OutcomeUnknown, ObkError, TransportFailure } from '../../errors.ts';
import type { HttpAnswer } from '../../ports/http.ts';
import type { Answer } from '../../xs2a/answer.ts';
import type { ErrorBody } from '../../xs2a/tpp-messages.ts';
import type { Prepared } from './prepared.ts';

/** How a call ended: with an answer, or with the error to throw; reads that fail are FAILED. */
export type Verdict<A = Answer> =
  | { outcome: 'DONE'; answer: A }
  | { outcome: 'REJECTED'; error: BankRefusal; body: ErrorBody }
  /** `answer` is what the bank seems to have said, where it cannot be believed. */
  | { outcome: 'UNKNOWN'; error: OutcomeUnknown; answer?: Answer }
  | { outcome: 'NOT_SENT'; error: ObkError }
  | { outcome: 'FAILED'; error: ObkError };

/** The outcome of a complete answer as the journal writes it. */
export function journalOutcome({ outcome }: Verdict<unknown>): 'DONE' | 'REJECTED' | 'UNKNOWN' {
  return outcome === 'DONE' || outcome === 'UNKNOWN' ? outcome : 'REJECTED';
}

/**
 * One ended exchange, as observers see it. Only the bodies of requests are redacted. A streamed answer is there with its
 * beginning only.
 */
export interface EndedExchange {
  prepared: Prepared;
  startedAt: Date;
  durationMs: number;
  /** The same, not rounded. */
  tookMs: number;
  answer?: HttpAnswer;
  failure?: TransportFailure;
  verdict: Verdict<unknown>;
}
