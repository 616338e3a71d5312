import type { ObkError } from '../../base/errors.ts';
import type { Made } from '../../settings/records/journal.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Wish } from './intents.ts';

/** Payments, consents and baskets as saved, with their conversations. Every write is atomic; failures are ObkError, exit 3. */
export interface Resources {
  save(resource: SavedResource): Promise<void>;
  /** Newest first; with a limit the newest of them. */
  list(profile: string, noun: Noun, limit?: number): Promise<readonly SavedResource[]>;
  /** As `list`, in batches that are read as they are asked for. */
  batches(profile: string, noun: Noun): Promise<AsyncIterable<readonly SavedResource[]>>;
  /** The ids of all payments, consents and baskets of a profile; undefined where too much would have to be read for them. */
  ids(profile: string): Promise<readonly string[] | undefined>;
  /** The resources whose id begins so, newest first. */
  listBeginning(profile: string, noun: Noun, prefix: string): Promise<readonly SavedResource[]>;
  /** The resource with this id, or undefined; exact id only. */
  find(profile: string, noun: Noun, id: string): Promise<SavedResource | undefined>;
  /** Saves what the bank has just made, with its conversation and, at its intent, its id: all at once. */
  saveMade(made: Made): Promise<void>;
  /**
   * Atomically replaces what is saved of this conversation (keyed by profile, parent and authorisationId). With `before`, what it
   * followed: where another run has gone further since, that stays, and it is durable when the gate of the run is passed.
   */
  saveConversation(profile: string, conversation: Conversation, before?: Conversation): Promise<void>;
  /** As with `before`, ahead of a step, with whose first byte it is written: where another run has gone further, that throws `taken`. */
  claimConversation(
    profile: string,
    conversation: Conversation,
    before: Conversation,
    taken: ObkError,
  ): Promise<Wish>;
  /** Removes what is saved of this conversation. */
  removeConversation(profile: string, conversation: Conversation): Promise<void>;
  /** All conversations of a parent, newest first. */
  conversations(profile: string, noun: Noun, parentId: string): Promise<readonly Conversation[]>;
}
