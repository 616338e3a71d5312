import type { EndedRun, JournalRecord, JournalRun, OpenWrite } from '../../settings/records/journal.ts';
import type { Header } from '../../settings/records/wire.ts';

/** Runs, read as far as somebody looks: to be gone through with `for await`. */
export type Runs = Iterable<JournalRun> | AsyncIterable<JournalRun>;

/** How the journal is followed. */
export interface FollowOptions {
  /** Its abort ends the waiting. */
  signal: AbortSignal;
  /** Tells a person, once each, what makes it slower than usual. */
  say: (what: string) => void;
}

/** What is written to the journal, by this process and others, as it is committed: nothing is left out, however late. */
export interface JournalFollower {
  /** Resolves when something may have been written; rejects with the reason of the signal. */
  wait(): Promise<void>;
  /** The runs in which something was written since the last time. */
  changed(): Promise<readonly JournalRun[]>;
  close(): Promise<void>;
}

/**
 * The write-ahead log. A journal that cannot be written means that nothing is sent (STATE_NOT_WRITTEN). What must be durable before
 * what, whichever driver it is:
 *
 * 1. `append` of `sending` writes, in one commit, all that this run has noted before, what it has claimed, and the write itself with its
 *    exact bytes; it leaves only where the intent lets it, and the intent says so from then on (INTENT_IN_PROGRESS otherwise). The
 *    first byte leaves when `append` has resolved. Nothing of the write is durable before.
 * 2. Every other record, and what is noted with it, is durable when the gate of the run is passed: before the next byte that leaves, a
 *    question, or a line.
 * 3. `settle` of Intents before `resolve` by a person and before `remove`: the intent outlives the run.
 */
export interface Journal {
  /** The id of this run. */
  readonly run: string;
  /** Reads need no records, and none is made of them. */
  readonly onlyWrites?: true;
  /** The host of this run as a journal of several machines names it; undefined in a journal of this home alone. */
  host(): Promise<string | undefined>;
  /** Appends a record to this run. */
  append(record: JournalRecord): Promise<void>;
  /** Appends a `resolved` record to an earlier run, durably, and drops its exact bytes. */
  resolve(run: string, record: Extract<JournalRecord, { type: 'resolved' }>): Promise<void>;
  /** All runs, newest first; who looks at the newest alone does not wait for the others. */
  runs(): Promise<Runs>;
  /** The oldest run. */
  oldest(): Promise<JournalRun | undefined>;
  /**
   * The runs, newest first, without those whose known end `may` does not let through; none of them is read for that. The end
   * of a run that only read may say REJECTED for every failure.
   */
  runsThat(may: (ended: EndedRun) => boolean): Promise<Runs>;
  /** Notes that nothing needs these ended runs any more, where the driver keeps such notes. */
  noteFree(runs: readonly string[]): Promise<void>;
  /** The records of a run, none where it is not known; a damaged one is STATE_UNREADABLE. */
  read(run: string): Promise<readonly JournalRecord[]>;
  /** Runs that hold a write without a final answer, newest first. */
  openRuns(): Promise<readonly JournalRun[]>;
  /** The writes that are not over, of the newest run first; cheap however long the history is. */
  openWrites(): Promise<readonly OpenWrite[]>;
  /** Forgets an open write, whatever the journal of its run says of it: a person has settled it. */
  close(run: string, exchange: string): Promise<void>;
  /** The exact headers and body of an unresolved write. */
  exact(run: string, exchange: string): Promise<{ headers: readonly Header[]; body: string } | undefined>;
  /** Follows the journal from now on: what is written before is read as ever. Whoever follows closes it. */
  follow(options: FollowOptions): Promise<JournalFollower>;
  /** Leaves nothing of what was removed or replaced, here and among the resources, in the files. */
  scrub(): Promise<void>;
  /** Removes an ended run that nothing unsettled points to. */
  remove(run: string): Promise<void>;
}
