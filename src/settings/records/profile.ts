import type { Framework, Surface } from '../../standard/xs2a/variants.ts';
import type { ValueOf } from '../profile/row.ts';
import type { bankRow, profileRow } from '../profile/table.ts';
import type { stateRow } from '../profile/tpp.ts';

// ---- settings and saved resources ------------------------------------------------------------------------------

/** The kind of bank behind a profile; it decides which confirmations are needed. */
export type Environment = 'sandbox' | 'test' | 'production';

/** Where the tokens of a profile are kept: plainly in credentials.json, or in the keyring of the system. */
export type TokenStore = 'file' | 'keyring';

/**
 * Where payments, consents, tokens, the journal and the counts of calls are kept: in files of this machine (if nothing names a
 * database), or in PostgreSQL. The key (32 bytes in hex or base64) seals what goes there; the one before still opens what it sealed.
 */
export type StateSettings = ValueOf<typeof stateRow>;

/** Where the state of a run is: in files of this machine, or in a database that references lead to. */
export type StatePlace =
  | { store: 'files' }
  | {
      store: 'postgres';
      urlFrom: string;
      keyFrom: string;
      oldKeyFrom: string | undefined;
      schema: string | undefined;
    };

type ProfileSettings = ValueOf<typeof profileRow>;

/**
 * One profile as saved: settings only, no secrets. Paths are absolute; `…From` holds a secret reference. The rows of
 * `src/settings/profile` say what each setting means and what it may be.
 */
export interface Profile extends ProfileSettings {
  environment: Environment;
  framework: Framework;
  prefix: string;
  surface: Surface;
}

/** The settings of a profile that describe its bank: the whole content of a bank's file. */
export type BankSettings = ValueOf<typeof bankRow>;

/**
 * A profile as stored in config.json. With `extends`, settings left out are inherited from that profile, except those
 * listed in `without` (dotted keys).
 */
export type SavedProfile =
  | (Omit<Profile, 'environment'> & { environment?: Environment; extends?: never; without?: never })
  | (Partial<Profile> & { extends: string; without?: readonly string[] });

/** A certificate file with its key file, as a profile names them. */
export interface NamedPair {
  certificate: string;
  key?: string;
  passphraseFrom?: string;
}

/** A pair that a rollover gave a profile, and the one that it had before. */
export interface RolledPair {
  profile: string;
  use: 'qsealc' | 'qwac';
  old: NamedPair;
  new: NamedPair;
}

/** The whole of config.json. */
export interface Settings {
  schemaVersion: 1;
  activeProfile?: string;
  /** The age (90d, 4w) at which an unneeded ended run is pruned from the journal; never if not given. */
  retention?: string;
  /** Where the state of the profiles is that do not say it themselves. */
  state?: StateSettings;
  profiles: Readonly<Record<string, SavedProfile>>;
  /** Present since obk no longer writes `test` by itself: each environment was chosen by an operator. */
  environments?: 'given';
  /** Project files by their real paths, with the SHA-256 (hex) of the content that is trusted. */
  trustedProjects?: Readonly<Record<string, string>>;
  /** Journeys by their absolute paths, in the same way: they may name secrets, programs and files elsewhere. */
  trustedJourneys?: Readonly<Record<string, string>>;
  /** The last rollover of each profile and use, until it is undone. */
  rollovers?: readonly RolledPair[];
}
