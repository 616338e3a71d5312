import type { Credentials } from '../../settings/records/credentials.ts';
import type { TokenStore } from '../../settings/records/profile.ts';
import type { Secret } from '../../base/secret.ts';

/** The secrets that obk keeps. Every write is atomic and locked; failures are ObkError, exit 3. */
export interface CredentialStore {
  read(profile: string): Promise<Credentials>;
  update(profile: string, change: (credentials: Credentials) => Credentials): Promise<void>;
  /** Where the next change of credentials keeps the tokens of a profile: OBK_TOKEN_STORE, else its setting. */
  tokenStore(profile: string): Promise<TokenStore | 'database'>;
  /** Moves the tokens of a profile. Throws TOKEN_STORE unless a keyring takes an entry and gives it back. */
  moveTokens(profile: string, to: TokenStore): Promise<void>;
  /** Erases all credentials of a profile, those too that a keyring does not give any more. */
  forget(profile: string): Promise<void>;
  /**
   * A random key of this machine, or of all that share a database, made at the first use: by it what was sent is known again. Throws STATE_UNREADABLE where it
   * is damaged, since another one would know nothing.
   */
  machineKey(): Promise<Secret>;
}
