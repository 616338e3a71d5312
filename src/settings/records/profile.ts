import type { PasswordAlgorithm } from '../../signing/jwe.ts';
import type { SigningSettings } from '../../signing/options.ts';
import type { Framework, Surface } from '../../standard/xs2a/variants.ts';
import type { AuthOfBank, BankDescriptor } from './bank-descriptor.ts';

// ---- settings and saved resources ------------------------------------------------------------------------------

/** The kind of bank behind a profile; it decides which confirmations are needed. */
export type Environment = 'sandbox' | 'test' | 'production';

/** Where the tokens of a profile are kept: plainly in credentials.json, or in the keyring of the system. */
export type TokenStore = 'file' | 'keyring';

/** Where payments, consents, tokens, the journal and the counts of calls are kept: in files of this machine, or in PostgreSQL. */
export interface StateSettings {
  /** `files` if nothing names a database. */
  store?: 'files' | 'postgres';
  /** Reference to the URL of the database. */
  urlFrom?: string;
  /** Reference to the key (32 bytes in hex or base64) that seals what goes there. */
  keyFrom?: string;
  /** Reference to the key before, which still opens what was sealed with it. */
  oldKeyFrom?: string;
  /** The schema of the database, if not obk. */
  schema?: string;
}

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

/** One profile as saved: settings only, no secrets. Paths are absolute; `…From` holds a secret reference. */
export interface Profile extends BankDescriptor {
  environment: Environment;
  baseUrl?: string;
  framework: Framework;
  prefix: string;
  surface: Surface;
  /** PEM files of the QSealC (signing) and its key. */
  certificate?: string;
  key?: string;
  keyPassphraseFrom?: string;
  /** A program that signs in place of the key: `cmd:` and its absolute path. */
  signer?: string;
  /** PEM files of the QWAC for mutual TLS, and of extra CAs. */
  tlsCertificate?: string;
  tlsKey?: string;
  tlsKeyPassphraseFrom?: string;
  caCertificates?: string;
  /** The TLS settings of this bank: an OpenSSL list of ciphers; the name in its certificate, if it is not the host. */
  tls?: {
    ciphers?: string;
    serverName?: string;
    minVersion?: 'TLSv1.2' | 'TLSv1.3';
    serverPins?: readonly string[];
  };
  /** Plain http off this machine, in a sandbox or test profile; never with a token, a password or an OTP. */
  allowHttp?: boolean;
  signing?: SigningSettings;
  psu?: {
    id?: string;
    idType?: string;
    corporateId?: string;
    corporateIdType?: string;
    ipAddress?: string;
    /** Further facts of the PSU's device by header (PSU-User-Agent ...); PSU-IP-Address is above. */
    context?: Readonly<Record<string, string>>;
    passwordFrom?: string;
    otpFrom?: string;
    scaMethod?: string;
  };
  /** The bank's public key (PEM or JWK) that encrypts passwords of PSUs; RSA-OAEP-256 unless it or the setting says. */
  passwordEncryption?: { key: string; algorithm?: PasswordAlgorithm };
  redirectUri?: string;
  nokRedirectUri?: string;
  /**
   * `query`: each transaction adds its own state to the redirect URI, for banks that accept a registered URI with it.
   */
  redirect?: { state?: 'query' | 'none' };
  /**
   * OAuth2: a client_id other than the organizationIdentifier; a scope for SCA such as `AIS:{consentId}
   * offline_access`; for a pre-step, the address of the metadata or the issuer, and the scope.
   */
  oauth?: {
    clientId?: string;
    /** Where the client_secret is, at a server that does not know the TPP by its certificate. */
    clientSecretFrom?: string;
    scope?: string;
    metadata?: string;
    issuer?: string;
    preStepScope?: string;
  };
  /** How this bank wants tokens got and shown; `auth.consent` is the place where it reads the consent of account calls. */
  auth?: AuthOfBank;
  /** The values of the variables in the bank's addresses. */
  bankVars?: Readonly<Record<string, string>>;
  /** The preferences sent with every creation: the TPP-...-Preferred headers. */
  prefer?: { redirect?: boolean; decoupled?: boolean; explicit?: boolean; rejectNoFunds?: boolean };
  /** The address for resource status notifications, and their kinds: `status=SCA,PROCESS`. */
  notification?: { uri?: string; content?: string };
  /** TPP-Brand-Logging-Information, of framework 1.3.6. */
  brandLogging?: string;
  debtor?: string;
  /** The name of the holder of that account, and of the party that starts payments, in pain.001. */
  debtorName?: string;
  initiatingParty?: string;
  currency?: string;
  /** Further origins that API links may point to. */
  origins?: readonly string[];
  /** Whether `payment lint` takes characters outside the minimum set of SEPA products as errors. */
  lint?: { charset?: 'warn' | 'error' };
  /**
   * The handling of an answer whose digest is not that of its bytes: `verify` refuses it. The operator alone sets it.
   */
  answers?: { digest?: 'verify' | 'warn' | 'off' };
  requestIdSemantics?: 'unknown' | 'none' | 'replay' | 'reject-duplicate';
  timeoutMs?: number;
  /** `file` if not given. */
  tokenStore?: TokenStore;
  state?: StateSettings;
}

/** The settings of a profile that describe its bank: the whole content of a bank's file. */
export type BankSettings = BankDescriptor &
  Partial<
    Pick<
      Profile,
      | 'baseUrl'
      | 'framework'
      | 'prefix'
      | 'surface'
      | 'origins'
      | 'auth'
      | 'oauth'
      | 'tls'
      | 'signing'
      | 'requestIdSemantics'
      | 'timeoutMs'
    >
  >;

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
