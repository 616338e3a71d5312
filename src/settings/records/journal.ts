import type { BankMessage, ErrorResource, ExitCode, TransportReason } from '../../base/errors.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Environment } from './profile.ts';
import type { SavedResource } from './resources.ts';
import type { Header, TlsFacts, Toleration } from './wire.ts';

/** The outcome of a write. */
export type WriteOutcome = 'NOT_SENT' | 'DONE' | 'REJECTED' | 'UNKNOWN';

/** A journal record; all text in it is redacted before it reaches the port. Times are ISO 8601, UTC. */
export type JournalRecord =
  | {
      type: 'run';
      at: string;
      version: string;
      command: string;
      profile: string;
      environment: Environment;
      /** The framework of the profile; an earlier obk does not say. */
      framework?: Framework;
      pid: number;
      /** The certificates of the bank were not checked (--insecure). */
      insecure?: true;
    }
  | {
      type: 'prepared';
      at: string;
      exchange: string;
      operation: string;
      method: string;
      url: string;
      headers: readonly Header[];
      body: string;
      /** The account numbers that are masked in `body`, in their order, for a report that the bank verifies. */
      accounts?: readonly string[];
      bodySha256: string;
      requestId: string;
      write: boolean;
      signingString?: string;
      intent?: string;
      /** The resource that a sub-resource call concerns. */
      resource?: ErrorResource;
      /** Exact headers and body (secrets cut out), kept apart until the write is resolved. */
      exact?: { headers: readonly Header[]; body: string };
    }
  | { type: 'sending'; at: string; exchange: string }
  | {
      type: 'answered';
      at: string;
      exchange: string;
      outcome: Exclude<WriteOutcome, 'NOT_SENT'>;
      status: number;
      headers: readonly Header[];
      body: string;
      durationMs: number;
      tls?: TlsFacts;
      messages?: readonly BankMessage[];
      tolerated?: readonly Toleration[];
      /** Why the answer to a write cannot be believed, though it could be read. */
      doubt?: string;
    }
  | {
      type: 'failed';
      at: string;
      exchange: string;
      outcome: 'NOT_SENT' | 'UNKNOWN';
      reason: TransportReason;
      detail: string;
      durationMs: number;
      partial?: { status: number; headers: readonly Header[] };
    }
  | {
      type: 'resolved';
      at: string;
      exchange: string;
      resolution: 'created' | 'not-created' | 'done' | 'not-done';
      by: 'bank' | 'person';
      reason?: string;
      resource?: ErrorResource;
    }
  | { type: 'ended'; at: string; exit: ExitCode };

/** One run as listed. */
export interface JournalRun {
  run: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  /** The host that it was on, in a journal of several machines; null where that is not known. */
  host?: string | null;
  /** There where it is of another machine, or of another home of this one. */
  elsewhere?: true;
}

/** The summary of an ended run, for finding some runs among many. */
export interface EndedRun {
  profile: string;
  /** True if it sent anything but reads. */
  writes: boolean;
  /** True once nothing needs the run any more; that never changes back. */
  free?: boolean;
  /** Its exit code; a summary by an earlier obk does not say. */
  exit?: number;
  calls: readonly {
    operation: string;
    /** HTTP status of the answer, or of its head. */
    status: number | null;
    outcome: WriteOutcome | null;
    resolved: boolean;
  }[];
}

/** The right to send one payment: who claimed it, for which content. */
export interface Intent {
  schemaVersion: 1;
  /** SHA-256 over profile and key, hex. */
  hash: string;
  profile: string;
  key: string;
  /** SHA-256 over the exact body and its target; the same key with another body is refused. */
  bodyHash: string;
  /** SHA-256 over debtor, creditor, amount, currency and remittance: the content check. */
  fingerprint: string;
  /** Whether the caller chose the key (different chosen keys are never duplicates). */
  chosen: boolean;
  /** It was begun in production, whatever its profile says by now. */
  production?: true;
  run: string;
  createdAt: string;
  /** The fields that a person recognises the payment by. */
  summary: NonNullable<SavedResource['summary']>;
  service: string;
  product: string;
  endToEndIdentification?: string;
  resourceId?: string;
  /**
   * Whether its run was allowed to send: false proves that nothing left. Absent where an older obk wrote it; then the journal
   * of the run alone can prove that.
   */
  sent?: boolean;
  /** Its run has recorded that nothing came of its request. */
  nothing?: true;
  /** The end as a person found it out, or as pruning read it from the run; it overrides the journal of the run. */
  settled?: IntentEnd;
}

/** How an intent ended: it made the payment of its `resourceId`, or nothing. */
export interface IntentEnd {
  created: boolean;
  /** ISO 8601, UTC. */
  at: string;
  by: 'person' | 'pruning';
  reason: string;
}

/** The remains of an intent that is damaged or gone. */
export interface BrokenIntent {
  hash: string;
  /** Where it was. */
  path: string;
  /** Present where it can still be read. */
  profile?: string;
  fingerprint?: string;
  createdAt?: string;
}

/** A resource that a call has created, with the conversation that its answer opens. */
export interface Made {
  resource: SavedResource;
  conversation: Conversation;
}

/** A write that is not over: its answer is missing, or cannot be believed. */
export interface OpenWrite {
  run: string;
  exchange: string;
  /** The fields from here to `resource` come from the mark of the write: absent where it is damaged. */
  operation?: string;
  profile?: string;
  at?: string;
  requestId?: string;
  bodySha256?: string;
  intent?: string;
  resource?: ErrorResource;
  /** True if the process that made the call may still be running. */
  alive: boolean;
  /** The host of the process that made the call, in a journal of several machines. */
  host?: string;
}
