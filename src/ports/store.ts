import type { Credentials } from '../records/credentials.ts';
import type { Settings, TokenStore } from '../records/profile.ts';
import type { SavedResource } from '../records/resources.ts';
import type { Noun } from '../sca/operations.ts';
import type { Conversation } from '../sca/state.ts';
import type { Secret } from '../secret.ts';

/** Settings, credentials and saved resources. Every write is atomic and locked; failures are ObkError, exit 3. */
export interface Store {
  settings(): Promise<Settings>;
  /** Locks, re-reads, applies `change`, writes, reads back and compares. */
  updateSettings(change: (settings: Settings) => Settings): Promise<Settings>;
  credentials(profile: string): Promise<Credentials>;
  updateCredentials(profile: string, change: (credentials: Credentials) => Credentials): Promise<void>;
  /** Where the next change of credentials keeps the tokens of a profile: OBK_TOKEN_STORE, else its setting. */
  tokenStore(profile: string): Promise<TokenStore>;
  /** Moves the tokens of a profile. Throws TOKEN_STORE unless a keyring takes an entry and gives it back. */
  moveTokens(profile: string, to: TokenStore): Promise<void>;
  /** Erases all credentials of a profile, those too that a keyring does not give any more. */
  forgetCredentials(profile: string): Promise<void>;
  /** Runs an action while no other process runs one of this name. Throws LOCK_BUSY after `patienceMs` of waiting. */
  exclusively<T>(name: string, patienceMs: number, action: () => Promise<T>): Promise<T>;
  saveResource(resource: SavedResource): Promise<void>;
  /** Newest first; with a limit the newest of them. */
  resources(profile: string, noun: Noun, limit?: number): Promise<readonly SavedResource[]>;
  /** The resource with this id, or undefined; exact id only. */
  resource(profile: string, noun: Noun, id: string): Promise<SavedResource | undefined>;
  /** Atomically replaces the file of this conversation (keyed by profile, parent and authorisationId). */
  saveConversation(profile: string, conversation: Conversation): Promise<void>;
  /** Removes the file of this conversation. */
  removeConversation(profile: string, conversation: Conversation): Promise<void>;
  /** All conversations of a parent, newest first. */
  conversations(profile: string, noun: Noun, parentId: string): Promise<readonly Conversation[]>;
  /**
   * A random key of this machine, made at the first use and kept beside what is saved: by it what was sent is known again.
   * Throws STATE_UNREADABLE where it is damaged, since another one would know nothing.
   */
  machineKey(): Promise<Secret>;
  /** Saves the picture of a challenge under a new name in a private directory, mode 0600; gives its absolute path. */
  savePicture(bytes: Uint8Array, suffix: 'png' | 'jpg' | 'gif'): Promise<string>;
  /** Removes a picture that `savePicture` saved; any other path is left alone. */
  removePicture(path: string): Promise<void>;
}
