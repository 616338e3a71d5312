import type {
  BrokenIntent,
  Claim,
  EndedRun,
  Intent,
  IntentEnd,
  JournalRecord,
  JournalRun,
  Made,
  OpenWrite,
} from '../records/journal.ts';
import type { Header } from '../records/wire.ts';
import type { Noun } from '../sca/operations.ts';

/** The write-ahead log. A journal that cannot be written means that nothing is sent (STATE_NOT_WRITTEN). */
export interface Journal {
  /** The id of this run. */
  readonly run: string;
  /** Appends to this run's file; `durable` waits for fsync of file and directory. */
  append(record: JournalRecord, options: { durable: boolean }): Promise<void>;
  /** Appends a `resolved` record to the file of an earlier run, durably, and drops its exact bytes. */
  resolve(run: string, record: Extract<JournalRecord, { type: 'resolved' }>): Promise<void>;
  /** All runs, newest first. */
  runs(): Promise<readonly JournalRun[]>;
  /**
   * The runs, newest first, without those of which it is known, unread, that they ended as `may` does not let through. What it
   * is told of a call that was a read may say REJECTED for every failure.
   */
  runsThat(may: (ended: EndedRun) => boolean): Promise<Iterable<JournalRun>>;
  /** Notes of ended runs, where that can be noted, that nothing needs them any more. */
  noteFree(runs: readonly string[]): Promise<void>;
  /** The records of a run, none where it has no file; a torn last line is left out, a damaged one is STATE_UNREADABLE. */
  read(run: string): Promise<readonly JournalRecord[]>;
  /** Runs that hold a write without a final answer, or whose result is not saved, newest first. */
  openRuns(): Promise<readonly JournalRun[]>;
  /** The writes that are not over, of the newest run first; cheap however long the history is. */
  openWrites(): Promise<readonly OpenWrite[]>;
  /** Notes, durably, what the write of this exchange has made, so that it is saved even if this run dies now. */
  keep(exchange: string, made: Made): Promise<void>;
  /** What was kept is saved: the write is over. */
  saved(noun: Noun, id: string): Promise<void>;
  /** Forgets an open write, whatever the journal of its run says of it: a person has settled it. */
  close(run: string, exchange: string): Promise<void>;
  /** The exact headers and body of an unresolved write. */
  exact(run: string, exchange: string): Promise<{ headers: readonly Header[]; body: string } | undefined>;
  /** Creates the intent's file exclusively. Throws STATE_UNREADABLE where an earlier one is damaged or has disappeared. */
  claim(intent: Intent): Promise<Claim>;
  /** Replaces an intent whose owner is dead, if it is still that of `previousRun`; false when somebody was faster. */
  takeOver(intent: Intent, previousRun: string): Promise<boolean>;
  /** Adds the id of the created resource to an intent of this profile. */
  noteResource(hash: string, resourceId: string): Promise<void>;
  /** Notes how an intent ended, whatever the journal of its run says; with `run` only while it is still that run's. */
  settleIntent(hash: string, end: IntentEnd, of?: { resourceId?: string; run?: string }): Promise<void>;
  /** The intent of this hash. */
  intent(hash: string): Promise<Intent | undefined>;
  /**
   * Intents of a profile with the same content, newest first, each with whether its process may live. Throws STATE_UNREADABLE
   * where one of them is damaged or has disappeared.
   */
  intentsLike(profile: string, fingerprint: string): Promise<readonly (Intent & { alive: boolean })[]>;
  /** Intents whose hash begins so and whose file is whole. */
  intentsNamed(prefix: string): Promise<readonly Intent[]>;
  /** Intents whose hash begins so and whose file is damaged or gone. */
  brokenIntents(prefix: string): Promise<readonly BrokenIntent[]>;
  /** Puts an intent in the place of a broken one; nothing where it is not broken. */
  repairIntent(broken: BrokenIntent, intent: Intent): Promise<void>;
  /** The newest intent of a profile. */
  newestIntent(profile: string): Promise<Intent | undefined>;
  /** The runs that intents point to, each with its intent; of several with one that does not say how it ended. */
  intentRuns(): Promise<ReadonlyMap<string, Intent>>;
  /** Removes an ended run that nothing unsettled points to. */
  remove(run: string): Promise<void>;
}
