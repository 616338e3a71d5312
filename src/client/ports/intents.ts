import type { BrokenIntent, Intent, IntentEnd } from '../../settings/records/journal.ts';

/** What this run alone may do, and has not begun: it is dropped, or becomes true with the first byte. */
export interface Wish {
  /** Whether it was still only a wish, which is then dropped; false once it is written. */
  drop(): Promise<boolean>;
}

/** The result of claiming an intent: claimed by this run, or blocked by an earlier one. */
export type Claim =
  | { claimed: true; wish: Wish }
  | {
      claimed: false;
      intent: Intent;
      /** True if the owner is another process that is still running. */
      ownerAlive: boolean;
    };

/**
 * The payments that were begun, each once: an intent gives the right to send to one run only, and says afterwards what is known
 * of the end. Every write is durable when its promise resolves, and those of one intent exclude each other between processes. The
 * order of them and of the journal's is what keeps a payment from being made twice, whichever driver holds which:
 *
 * 1. `claim` (or `takeOver`) comes before the first record of the payment; with a gate it is written with the `sending` record, or not
 *    at all: where somebody else was first, that throws IntentHeld, and nothing is sent.
 * 2. The `sending` record of the journal comes before the first byte: with it the intent says that its request left.
 * 3. `settle` comes before the journal's `resolve`, and before `remove` of the run that carried the intent out.
 */
export interface Intents {
  /** How many payments were begun that are not known here any more: the state is an older copy, or was lost. */
  missing(): Promise<number>;
  /**
   * Creates the intent unless there is one. `seen` are those of the same content that were looked at: another one stands in the way.
   * Throws STATE_UNREADABLE where an earlier one is damaged or has disappeared.
   */
  claim(intent: Intent, seen?: readonly Intent[]): Promise<Claim>;
  /**
   * Replaces an intent whose owner is dead, if it is still that of `previousRun`; undefined otherwise. Once its request has left, no
   * time that has passed is enough: it is settled, or its own run has recorded that nothing came of it.
   */
  takeOver(intent: Intent, previousRun: string, seen?: readonly Intent[]): Promise<Wish | undefined>;
  /** Adds the id of the created resource to an intent. */
  noteResource(hash: string, resourceId: string): Promise<void>;
  /**
   * Notes how an intent ended, whatever the journal of its run says; with `run` only while it is still that run's. What pruning read
   * cuts the names and accounts, and replaces no end that is there.
   */
  settle(
    hash: string,
    end: IntentEnd,
    of?: { resourceId?: string | undefined; run?: string | undefined },
  ): Promise<void>;
  /** The intent of this hash. */
  find(hash: string): Promise<Intent | undefined>;
  /**
   * Intents of a profile with the same content, newest first, each with whether its run may live. Throws STATE_UNREADABLE
   * where one of them is damaged or has disappeared.
   */
  like(profile: string, fingerprint: string): Promise<readonly (Intent & { alive: boolean })[]>;
  /** Intents whose hash begins so and whose record is whole. */
  named(prefix: string): Promise<readonly Intent[]>;
  /** Intents whose hash begins so and whose record is damaged or gone. */
  broken(prefix: string): Promise<readonly BrokenIntent[]>;
  /** Puts an intent in the place of a broken one; nothing where it is not broken. */
  repair(broken: BrokenIntent, intent: Intent): Promise<void>;
  /** The newest intent of a profile. */
  newest(profile: string): Promise<Intent | undefined>;
  /** The runs that intents point to, each with its intent; of several with one that does not say how it ended. */
  runs(): Promise<ReadonlyMap<string, Intent>>;
}
