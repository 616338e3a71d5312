import type { BankMessage } from '../../base/errors.ts';
import type { CaseFinding } from './check-run.ts';

/** How something ended: `unknown` where a write left and its outcome is not known; `skipped` where a step did not run. */
export type Verdict = 'passed' | 'failed' | 'unknown' | 'skipped';

/** One thing that was expected, and what was found. */
export interface Check {
  /** Such as `exit`, `body transactionStatus` or `within`. */
  what: string;
  expected: string;
  is: string;
  ok: boolean;
}

/** A call as the report shows it, without secrets. */
export interface CallSeen {
  method: string;
  url: string;
  status: number | null;
  requestId: string;
  durationMs: number;
  /** The whole exchange. */
  facts: object;
}

/** The same under load, where no exchange is kept. */
export interface CallHeard extends CallSeen {
  operation: string;
  /** Why it failed: the code of the bank, the HTTP status or the reason of the transport; null where it did not. */
  code: string | null;
  /** When it ended, by the monotonic clock. */
  endedAt: number;
}

/** How a command line within a journey ended. */
export interface CommandEnd {
  exit: number;
  /** The document that `--json` prints. */
  document: () => unknown;
  error: (NonNullable<StepResult['error']> & { resource?: unknown }) | undefined;
  calls: readonly CallSeen[];
}

/** How a step went. */
export interface StepResult {
  name: string;
  /** Line of the file. */
  line: number;
  /** The command line, as a person would type it; without a value that is a secret. */
  commandLine: string;
  verdict: Verdict;
  /** Why it was skipped, could not be run, or came to another end than the one expected. */
  why?: string;
  exit: number | null;
  durationMs: number;
  tries: number;
  checks: readonly Check[];
  /** The error of the command as `--json` prints it. */
  error?: { code: string; title: string; detail: string | null; tppMessages?: readonly BankMessage[] };
  /** What the referee has against its calls, both sides; of a step that passed only where it expects any. */
  findings?: readonly CaseFinding[];
  calls: readonly CallSeen[];
}

/** How a journey went with one profile. */
export interface JourneyResult {
  journey: string;
  file: string;
  profile: string;
  tags: readonly string[];
  verdict: Verdict;
  /** Why it was left out. */
  why?: string;
  /** The run was interrupted before its last step had ended; those that run always have run. */
  interrupted?: true;
  /** ISO 8601, UTC. */
  at: string;
  durationMs: number;
  steps: readonly StepResult[];
}
