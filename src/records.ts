import type { Secret } from './secret.ts';
import type { BankDescriptor } from './records/bank-descriptor.ts';
import type { OauthRequest } from './sca/state.ts';
import type { PasswordAlgorithm } from './signing/jwe.ts';
import type { SigningSettings } from './signing/options.ts';
import type { Framework, Surface } from './xs2a/variants.ts';
import type { AccountAccess } from './xs2a/wire-accounts.ts';

export type * from './records/bank-descriptor.ts';
export type * from './records/journal.ts';
export type * from './records/policy.ts';

/** A header as sent or received: name and value, in wire order. */
export type Header = readonly [name: string, value: string];

/** What is known of the TLS peer, for traces. */
export interface TlsFacts {
  protocol: string;
  cipher: string;
  peer: string;
  /** The proxy on the way, host:port. */
  proxy?: string;
}

// ---- settings and saved resources ------------------------------------------------------------------------------

/** What kind of bank a profile faces; decides which confirmations are needed. */
export type Environment = 'sandbox' | 'test' | 'production';

/** Where the tokens of a profile are kept: plainly in credentials.json, or in the keyring of the system. */
export type TokenStore = 'file' | 'keyring';

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
  /** In place of the key: `cmd:` and an absolute path of a program that signs. */
  signer?: string;
  /** PEM files of the QWAC for mutual TLS, and of extra CAs. */
  tlsCertificate?: string;
  tlsKey?: string;
  tlsKeyPassphraseFrom?: string;
  caCertificates?: string;
  /** What the TLS of this bank needs: an OpenSSL list of ciphers; a name in place of the host in its certificate. */
  tls?: { ciphers?: string; serverName?: string };
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
  /** `query`: each transaction adds a state of its own to the redirect URIs, where the bank takes a registered one so. */
  redirect?: { state?: 'query' | 'none' };
  /**
   * OAuth2: a client_id other than the organizationIdentifier, a scope of SCA such as `AIS:{consentId} offline_access`; of a
   * pre-step the address of the metadata or the issuer, and the scope.
   */
  oauth?: {
    clientId?: string;
    scope?: string;
    metadata?: string;
    issuer?: string;
    preStepScope?: string;
  };
  /** Where this bank reads the consent of account calls from; `both` if not given. */
  auth?: { consent?: 'header' | 'token' | 'both' };
  /** What the bank is asked for in every creation: the TPP-...-Preferred headers. */
  prefer?: { redirect?: boolean; explicit?: boolean; rejectNoFunds?: boolean };
  /** Where the bank sends resource status notifications, and which: `status=SCA,PROCESS`. */
  notification?: { uri?: string; content?: string };
  /** TPP-Brand-Logging-Information, of framework 1.3.6. */
  brandLogging?: string;
  debtor?: string;
  currency?: string;
  /** Further origins that API links may point to. */
  origins?: readonly string[];
  /** Whether `payment lint` takes characters outside the minimum set of SEPA products as errors. */
  lint?: { charset?: 'warn' | 'error' };
  /** What becomes of an answer whose digest is not that of its bytes: `verify` refuses it; the operator alone sets it. */
  answers?: { digest?: 'verify' | 'warn' | 'off' };
  requestIdSemantics?: 'unknown' | 'none' | 'replay' | 'reject-duplicate';
  timeoutMs?: number;
  /** `file` if not given. */
  tokenStore?: TokenStore;
}

/**
 * A profile as config.json has it: with `extends`, what it does not say itself is as the profile of that name says, but for
 * the settings that `without` names by their dotted keys.
 */
export type SavedProfile =
  | (Omit<Profile, 'environment'> & { environment?: Environment; extends?: never; without?: never })
  | (Partial<Profile> & { extends: string; without?: readonly string[] });

/** The whole of config.json. */
export interface Settings {
  schemaVersion: 1;
  activeProfile?: string;
  /** After how many days (90d, 4w) an ended run that nothing needs leaves the journal by itself; never if not given. */
  retention?: string;
  profiles: Readonly<Record<string, SavedProfile>>;
  /** Every environment in the profiles was given by somebody; once `test` was put there unasked. */
  environments?: 'given';
  /** Project files by their real paths, with the SHA-256 (hex) of the content that is trusted. */
  trustedProjects?: Readonly<Record<string, string>>;
}

/** What credentials.json keeps for a profile. */
export interface Credentials {
  /** Put there by hand: goes with every call. */
  token?: Secret;
  consentId?: string;
  tokens?: readonly AccessToken[];
  /** PKCE verifiers of authorization requests whose code is awaited; `at` is ISO 8601, UTC. */
  verifiers?: readonly { state: string; verifier: Secret; at: string }[];
  /** Logins (OAuth pre-step) whose code is awaited, one per PSU. */
  logins?: readonly PendingLogin[];
}

/** An access token that a PSU has allowed: for one resource (integrated OAuth), or without one for all calls (pre-step). */
export interface AccessToken {
  resource?: string;
  noun?: Noun;
  authorisationId?: string;
  psuId?: string;
  scope?: string;
  /** Where it was got, if that is none of the origins that the profile declares. */
  origin?: string;
  token: Secret;
  refreshToken?: Secret;
  /** When the refresh token was sent; while its answer is missing it is sent no more. ISO 8601, UTC. */
  refreshSentAt?: string;
  /** ISO 8601, UTC. */
  expiresAt?: string;
  /** Where it is refreshed and revoked. */
  server?: Pick<OauthRequest, 'issuer' | 'tokenEndpoint' | 'revocationEndpoint' | 'clientId'>;
  /** Set by reading it: it stands in the keyring, and the file has a reference only. */
  inKeyring?: true;
}

/** An authorization request of a login, and where its code comes back. */
export interface PendingLogin {
  state: string;
  psuId?: string;
  scope: string;
  request: OauthRequest;
  redirect: SavedRedirect;
}

/** Kinds of resources that are kept after a run. */
export type Noun = 'payment' | 'consent' | 'basket';

/** A resource created by this TPP, one file each. `links` are hrefs verbatim by canonical name. */
export interface SavedResource {
  schemaVersion: 1;
  profile: string;
  environment: Environment;
  noun: Noun;
  id: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
  framework: Framework;
  prefix: string;
  baseUrl: string;
  service?: string;
  product?: string;
  /** Hash of the intent that made it. */
  intent?: string;
  requestId?: string;
  /** transactionStatus or consentStatus as last read, and whether a final code was seen. */
  status?: string;
  links: Readonly<Record<string, string>>;
  redirect?: SavedRedirect;
  /** Of a basket: its members. */
  basket?: { paymentIds: readonly string[]; consentIds: readonly string[] };
  /** What a person recognises it by; amounts are decimal strings. */
  summary?: {
    amount?: string;
    currency?: string;
    creditorName?: string;
    creditorAccount?: string;
    debtorAccount?: string;
    /** Of a bulk: how many payments, and their sum per currency. */
    count?: number;
    sums?: readonly { readonly currency: string; readonly amount: string }[];
  };
  /** Of a consent only. */
  consent?: SavedConsent;
}

/** What a consent allows: as it was asked for, then as the bank tells it (GET consent). */
export interface SavedConsent {
  access: AccountAccess;
  recurring: boolean;
  /** The last day, YYYY-MM-DD. */
  validUntil: string;
  /** Accesses per day, endpoint and account without the PSU. */
  frequency: number;
  combined: boolean;
  psuId?: string;
  /** The consent that this one takes the place of once it is valid. */
  renews?: string;
  /** The accounts as last listed; their ids hold as long as the consent. */
  accounts?: readonly SavedAccount[];
  /** How each account was reported the last time, by its id. */
  reports?: Readonly<Record<string, SavedReport>>;
}

/** What is needed to read single transactions later: links by transactionId (or what stands for it). */
export interface SavedReport {
  media: string;
  details?: Readonly<Record<string, string>>;
}

/** One account under a consent: its id in paths, and by what a person knows it. */
export interface SavedAccount {
  resourceId: string;
  /** IBAN, BBAN, MSISDN or masked PAN. */
  number?: string;
  currency?: string;
}

/** Where the PSU returns to; made once per transaction and re-sent unchanged. */
export interface SavedRedirect {
  uri: string;
  nokUri?: string;
  /** Present when the URI is our own loopback listener. */
  listener?: { port: number; path: string; state: string };
}

// ---- the bank inside --------------------------------------------------------------------------------------------

/** One switch of the bank inside: its value now, and the values that it takes (the first is the standard). */
export interface BankScenario {
  name: string;
  about: string;
  value: string;
  values: readonly { value: string; meaning: string }[];
}

/** What `obk sandbox fault add` takes. */
export interface BankFault {
  operation: string;
  kind:
    | 'drop-before'
    | 'drop-after-commit'
    | 'status'
    | 'delay'
    | 'html'
    | 'truncate'
    | 'drip'
    | 'escape'
    | 'redirect';
  status?: number;
  delayMs?: number;
  /** How many requests it strikes; 1 by default. */
  count: number;
}
