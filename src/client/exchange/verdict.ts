import { line } from '../../base/command-line.ts';
import type { BankRefusal, OutcomeUnknown, ObkError, TransportFailure } from '../../base/errors.ts';
import type { HttpAnswer } from '../ports/http.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import type { ErrorBody } from '../../standard/xs2a/tpp-messages.ts';
import type { Toleration } from '../../settings/records/wire.ts';
import type { Tolerated } from '../../standard/xs2a/tolerated.ts';
import { redactText } from '../redaction/redact.ts';
import type { Prepared } from './prepared.ts';

/** How a call ended: with an answer, or with the error to throw; reads that fail are FAILED. */
export type Verdict<A = Answer> =
  | { outcome: 'DONE'; answer: A }
  | { outcome: 'REJECTED'; error: BankRefusal; body: ErrorBody }
  /** `answer` is what the bank seems to have said, where it cannot be believed; `body` how it has refused, where that proves nothing. */
  | { outcome: 'UNKNOWN'; error: OutcomeUnknown; answer?: Answer; body?: ErrorBody }
  | { outcome: 'NOT_SENT'; error: ObkError }
  | { outcome: 'FAILED'; error: ObkError };

/** What the readers of an answer tolerated in it. */
export function toleratedIn(verdict: Verdict): readonly Tolerated[] {
  const { answer, body } = { answer: undefined, body: undefined, ...verdict };
  return (body ?? answer)?.tolerated ?? [];
}

/** What was tolerated as records and findings tell it: without secrets, with the line of the setting that describes it. */
export const toldTolerated = (all: readonly Tolerated[], profile?: string): Toleration[] =>
  all.map(({ at, what, setting }) => {
    const to = profile === undefined ? [] : ['--profile', profile];
    const described =
      setting === undefined ? '' : line`; to describe this bank: obk config set ${[...setting, ...to]}`;
    return { at: redactText(at), what: redactText(what) + described };
  });

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
  tolerated: readonly Toleration[];
  verdict: Verdict<unknown>;
}
