import type { Schema } from '../base/schema.ts';
import type { TenantsBy } from '../settings/doors/doors.ts';
import type { GivenDoors } from '../settings/doors/read-doors.ts';
import type { Secret } from '../base/secret.ts';
import type { ControlInput, ControlResults, OperationId } from './control/operations.ts';

export type { ControlResults } from './control/operations.ts';
export type { BankPerson } from './steering/shown-people.ts';

/** Where the running bank inside is reached, and the TPP certificates that it made for the profile `sandbox`. */
export interface BankAddress {
  baseUrl: string;
  httpsBaseUrl?: string;
  /** True when the bank runs inside this process and ends with it. */
  embedded: boolean;
  certificatePath: string;
  keyPath: string;
  /** The TLS client certificate (QWAC) of the same TPP, with its key. */
  tlsCertificatePath: string;
  tlsKeyPath: string;
  caPath: string;
  /** The header by which the bank knows the tenant of this run. */
  tenantHeader?: { name: string; value: string };
  /** The reference to the key that the bank wants in X-Access-Key. */
  accessKeyFrom?: string;
  /** Tells what the bank holds from what it held before a reset; undefined where the bank was not asked. */
  ledger?: string;
  /** The origin that earlier saved links carry, if the port had to change. */
  formerOrigins: readonly string[];
}

/** A bank that was started by itself: where it answers, where it is steered, and what belongs to it. */
export interface ServedBank extends BankAddress {
  /** The name by which it is addressed. */
  name: string;
  /** Where it is steered by HTTP, and the file with the token for that. */
  controlUrl: string;
  tokenFile: string;
  /** Where a browser shows it, once it is given that token. */
  windowUrl: string;
  /** The file of its ledger, or `:memory:`. */
  database: string;
  pid: number;
  /** Where it answers besides: at further addresses and hosts, and at its public address. */
  furtherUrls: readonly string[];
  /** The TPP of the certificates above with RSA keys. */
  rsa?: RsaIdentity;
  /** What its tenants are named after, where it has any. */
  tenants?: TenantsBy;
  /** The file with the key that calls from elsewhere show in X-Access-Key. */
  accessKeyFile?: string;
  /** Every door stands open: to whom, and the secrets that every customer has. */
  open?: OpenBank;
}

/** A QSealC and a QWAC with RSA keys. */
export type RsaIdentity = Pick<
  BankAddress,
  'certificatePath' | 'keyPath' | 'tlsCertificatePath' | 'tlsKeyPath'
>;

/** A bank whose passwords are the same at every start. */
export interface OpenBank {
  /** Whoever reaches this machine is let in. */
  elsewhere: boolean;
  /** Given where other machines reach it by https and with the access key. */
  withKey?: true;
  /** The proofs that it does not look at, and the limit where it has none. */
  off: readonly ('signature' | 'clientCertificate' | 'rate')[];
  password: string;
  otp: string;
  additionalPassword: string;
}

/** A call that was recorded, secrets cut out. */
export interface RecordedCall {
  method: string;
  /** Path and query as on the request line. */
  path: string;
  headers: readonly (readonly [name: string, value: string])[];
  body?: Uint8Array;
  /** When it was made (ISO 8601). */
  at?: string;
  /** Undefined where none came; its body where that is not there, or not whole. */
  answer?: {
    status: number;
    headers: readonly (readonly [name: string, value: string])[];
    body: Uint8Array | undefined;
  };
}

/** How a standalone bank is started. */
export interface BankOptions {
  /** A bank of a name of its own has a ledger of its own; without it the default one, or that of `database`. */
  name?: string;
  /** Makes the TPP of the profile `sandbox` known with RSA keys, too, which takes a while at the first start. */
  rsa?: boolean;
  /** Told where the bank keeps its state in a folder of its own. */
  warn?: (message: string) => void;
  /** Reads the reference to the access key. Throws SECRET_REFERENCE. */
  secret?: (reference: string) => Promise<Secret>;
  /** How it is reached and whom it lets in: each source of settings, the one that wins first. */
  doors: readonly GivenDoors[];
  database?: string;
  /** The absolute path of the bank's file: YAML or JSON. */
  config?: string;
  /** Calls whose answers it gives, in place of acting itself. */
  recording?: readonly RecordedCall[];
  /** How the bank departs from the standard: the name of a template, or the absolute path of a bank's file (JSON). */
  bank?: string;
  without: readonly string[];
  /** Ends after so long without a call; without it, when it is told to. */
  idleMs?: number;
}

/** A call of another client, on its way to a bank. */
export interface RelayedRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
}

/** The answer of the bank to it. */
export interface RelayedAnswer {
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
}

/** How calls of another client are handed on and written down. */
export interface RelayOptions {
  doors: readonly GivenDoors[];
  /** The absolute path of the HAR, and whether it may replace another file. */
  file: string;
  force: boolean;
  /** The version of obk. */
  version: string;
  /** Hands a call on; `own` is the address by which the client came. The entry goes into the HAR, and has no secret. */
  forward: (
    request: RelayedRequest,
    own: string,
  ) => Promise<{ answer: RelayedAnswer | undefined; entry: object }>;
  /** Told why a call could not be handed on or written down. */
  failed: (why: string) => void;
}

/** Where a relay answers. */
export interface RelayAddress {
  baseUrl: string;
  httpsBaseUrl?: string;
  /** The authority of its certificate. */
  caPath?: string;
}

/** The process that serves a bank. */
export interface BankProcess {
  name: string;
  baseUrl: string;
  httpsBaseUrl?: string;
  controlUrl: string;
  tokenFile: string;
  /** The file of its ledger, or `:memory:`. */
  database: string;
  pid: number;
  /** The bank ends after so long without a call; null for one that stays. */
  idleMs: number | null;
  /** What its tenants are named after, where it has any. */
  tenants?: TenantsBy;
}

/** A bank inside as a run means it: its name, or its URL where it is none of this home. */
export interface BankPlace {
  bank: string;
  /** The one of its tenants. */
  tenant?: string;
  /** Other banks have been started in this home: a command line that means this one has to say so. */
  others: boolean;
  /** False for a name that no bank of this home has, or has any more. */
  known: boolean;
}

/**
 * The bank inside (`src/bank`), loaded only when it is used: the one that is addressed, else the only one that runs
 * here, else the default one. Each call throws USAGE where several could be meant or the addressed one does not run.
 */
export interface Bank {
  /**
   * Which bank this run means; with a name or a URL it is that one from now on, and with a tenant that one of it. It need not
   * run. Throws USAGE where several could be meant.
   */
  place(named?: string, tenant?: string): Promise<BankPlace>;
  /** The name of the bank of this home that runs at an address; undefined where none does. */
  nameOf(address: string): Promise<string | undefined>;
  /** The same port for another bank, by name or URL, or with a choice of its own (`place`); it ends with this one. */
  at(bank?: string): Promise<Bank>;
  /** The names of the banks of this home, running or not, the default one first. */
  names(): Promise<readonly string[]>;
  /** Finds the bank that is addressed; the default one is started where it does not run. */
  ensure(): Promise<BankAddress>;
  /** Makes the keys if they are missing and gives the address that `ensure` would try first; opens no socket. */
  offline(): Promise<BankAddress>;
  /** Serves in the foreground until the signal aborts; `ready` gets the address, and the link to its window with the token in it. */
  serve(
    options: BankOptions,
    ready: (bank: ServedBank, link: Secret) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Hands calls of another client on and writes them down until the signal aborts. Throws SANDBOX_UNAVAILABLE, INPUT_INVALID. */
  relay(options: RelayOptions, ready: (address: RelayAddress) => void, signal: AbortSignal): Promise<void>;
  /**
   * Starts a bank by these words of `obk sandbox` in a process that outlives this one, and waits until it answers.
   * Throws the error that it ended with.
   */
  serveDetached(
    words: readonly string[],
    warn: (message: string) => void,
    signal: AbortSignal,
  ): Promise<{ bank: ServedBank; link: Secret }>;
  /** The JSON Schema of a bank's file. */
  configSchema(): Promise<Schema>;
  /** The public key for encrypted passwords, as the text of a JWK (RFC 7517). */
  passwordKey(): Promise<string>;
  /**
   * Has the bank do an operation of its control API, with these values, and returns the body of the answer: by a request where
   * a bank of another process is meant, else here. Throws USAGE with what the bank says where it refuses.
   */
  control<Id extends OperationId>(id: Id, input?: ControlInput<Id>): Promise<ControlResults[Id]>;
  /** Begins anew whatever state its folder is in. */
  reset(): Promise<void>;
  /** The banks of this home that run; where one is addressed, that one. */
  status(): Promise<readonly BankProcess[]>;
  /** Ends the process of the bank, and tells what that was; undefined where none ran. */
  stop(): Promise<BankProcess | undefined>;
  /** Ends an embedded bank; a found one goes on. */
  close(): Promise<void>;
}
