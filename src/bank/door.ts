import type { TenantsBy } from '../settings/doors/doors.ts';
import type { GivenDoors } from '../settings/doors/read-doors.ts';
import type { Finding } from '../referee/finding.ts';
import type { BankFault, BankPush, BankScenario } from '../settings/records/bank-state.ts';
import type { Secret } from '../base/secret.ts';

/** A PSU of the bank inside as shown by `obk sandbox people`. */
export interface BankPerson {
  psuId: string;
  description: string;
  approach: string;
  start: 'implicit' | 'explicit';
  methods: readonly { id: string; type: string; name: string }[];
  /** An account without an IBAN has an empty one, and another number. */
  accounts: readonly { iban: string; bban?: string; msisdn?: string; currency: string; balance: string }[];
  /** Card accounts; their numbers are test data. */
  cards: readonly { pan: string; maskedPan: string; currency: string; balance: string }[];
  password: Secret;
  /** How the OTP of a challenge is found: a fixed test value. */
  otp: Secret;
  /** The second password, where the bank asks for one. */
  additionalPassword?: Secret;
  /** The access is locked after too many wrong secrets. */
  locked?: true;
  /** The passwords encrypted ready for use, where the bank takes them so. */
  encryptedPassword?: Secret;
  additionalEncryptedPassword?: Secret;
}

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

/** One of those who have a ledger of their own at a bank (`--tenants`). */
export interface BankTenant {
  /** The organizationIdentifier or the value of the header. */
  name: string;
  /** In front of the paths of its pages and of its OAuth server. */
  path: string;
}

/** The account into which `obk sandbox seed` wrote, with its balance then, and how many entries it has now. */
export interface BankSeed {
  psuId: string;
  iban: string;
  balance: string;
  currency: string;
  entries: number;
}

/** A request that reached the bank inside, as `obk sandbox log` tells it; without any secret. */
export interface BankRequest {
  /** Counts up with every request. */
  number: number;
  /** ISO 8601, UTC. */
  at: string;
  method: string;
  /** Without the query. */
  path: string;
  /** Null where the path is none of the interface. */
  operation: string | null;
  requestId: string | null;
  /** The organizationIdentifier of the caller, once signature or client certificate are verified. */
  tpp: string | null;
  /** Null where the connection was cut before an answer. */
  status: number | null;
  verdict: 'accepted' | 'refused' | 'limited' | 'fault';
  /** The code of the tppMessage, and the rule of the bank that refused. */
  code: string | null;
  rule: string | null;
  /** The Digest and the signing string that the bank expects. */
  digest: string | null;
  signingString: string | null;
  /** What the referee says of it, in the order in which a request is read. */
  findings: readonly Finding[];
}

/** The bank as it stood at a time of the world (ISO 8601, UTC), under a name. */
export interface BankSnapshot {
  name: string;
  savedAt: string;
}

/** A client of the bank's OAuth server; it may be answered at these addresses, and at any of this machine. */
export interface BankClient {
  clientId: string;
  redirectUris: readonly string[];
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
  /** The file (YAML) of a bank as it stands. */
  exportConfig(): Promise<string>;
  /** The JSON Schema of a bank's file. */
  configSchema(): Promise<Readonly<Record<string, unknown>>>;
  /** The public key for encrypted passwords, as the text of a JWK (RFC 7517). */
  passwordKey(): Promise<string>;
  people(): Promise<readonly BankPerson[]>;
  /**
   * The PSU's own hand: approves or refuses the open authorisation of a payment, consent or authorisation id, or of a
   * link to the bank's page (scaRedirect with its state, or an authorization request of OAuth; a login ahead has no
   * authorisation). `redirectedTo` is where the browser would be led then.
   */
  decide(
    decision: 'approve' | 'refuse',
    id: string,
    psuId?: string,
  ): Promise<{ authorisationId?: string; scaStatus?: string; redirectedTo?: string }>;
  /** The PSU ends a valid consent at the bank. Throws USAGE. */
  revoke(consentId: string, psuId?: string): Promise<{ consentId: string; consentStatus: string }>;
  /**
   * Writes further transactions of the past into the first account of a PSU (`redirect` by default), a part at a time;
   * `progress` gets how many there are so far. Throws USAGE for an unknown PSU.
   */
  seed(
    options: { transactions: number; psuId?: string },
    progress?: (done: number) => void,
  ): Promise<BankSeed>;
  /** The notifications with a number above `after`, oldest first; they have numbers of their own. */
  pushes(after: number): Promise<readonly BankPush[]>;
  /** Has a notification pushed again: that of a number, or the last one of a resource. Throws USAGE. */
  resend(of: string): Promise<{ resent: number }>;
  /** The last requests (at most 1,000) with a number above `after`, oldest first. */
  log(after: number): Promise<readonly BankRequest[]>;
  addFault(fault: BankFault): Promise<void>;
  faults(): Promise<readonly BankFault[]>;
  clearFaults(): Promise<void>;
  /** Registers a client of the bank's OAuth server, or more addresses of one; gives all that it has now. Throws USAGE. */
  addClient(client: BankClient): Promise<BankClient>;
  clients(): Promise<readonly BankClient[]>;
  reset(): Promise<void>;
  /** The snapshots of the ledger, the oldest first. */
  snapshots(): Promise<readonly BankSnapshot[]>;
  /** Saves, restores or deletes a snapshot; saving replaces one of the same name. Throws USAGE. */
  snapshot(what: 'save' | 'restore' | 'delete', name: string): Promise<BankSnapshot>;
  /** The tenants of a bank that runs. Throws USAGE where it has none. */
  tenants(): Promise<readonly BankTenant[]>;
  /** Makes a tenant, who may be there already, or forgets one with all that it has. Throws USAGE. */
  tenant(what: 'create' | 'delete', name: string): Promise<BankTenant>;
  /** The banks of this home that run; where one is addressed, that one. */
  status(): Promise<readonly BankProcess[]>;
  /** Ends the process of the bank, and tells what that was; undefined where none ran. */
  stop(): Promise<BankProcess | undefined>;
  scenarios(): Promise<readonly BankScenario[]>;
  /** Sets one switch. Throws USAGE for an unknown name or value. */
  setScenario(name: string, value: string): Promise<void>;
  /** The bank's time (ISO 8601, UTC), after moving it by `+1d`, `+90m` and so on, or back by `reset`. Throws USAGE. */
  clock(move?: string): Promise<{ now: string; movedMs: number }>;
  /** Ends an embedded bank; a found one goes on. */
  close(): Promise<void>;
}
