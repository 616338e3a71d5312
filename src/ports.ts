import type { BankMessage, ErrorResource, ExitCode, TransportReason } from './errors.ts';
import type { Secret } from './secret.ts';
import type { Conversation } from './sca/state.ts';
import type { SigningOptions } from './signing/options.ts';
import type { Framework, Surface } from './xs2a/variants.ts';

/** A header as sent or received: name and value, in wire order. */
export type Header = readonly [name: string, value: string];

// ---- time and chance -------------------------------------------------------------------------------------------

/** The time; tests move it by hand. */
export interface Clock {
  /** The wall clock. */
  now(): Date;
  /** Milliseconds of a clock that never jumps, for deadlines and durations. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Randomness. */
export interface Ids {
  /** A version-4 UUID in lower case. */
  uuid(): string;
  /** `bytes` random bytes in base64url. */
  token(bytes: number): string;
}

// ---- the wire --------------------------------------------------------------------------------------------------

/** The exact request: absolute URL, headers in wire order, body bytes (empty for none). */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers: readonly (readonly [name: string, value: string | Secret])[];
  body: Uint8Array;
}

/** Limits of one call: times in milliseconds, size in bytes. */
export interface HttpLimits {
  connectMs: number;
  firstByteMs: number;
  deadlineMs: number;
  maxBytes: number;
}

/** How the connection of a profile is made. */
export interface HttpConnection {
  /** PEM certificates to trust besides the system's. */
  ca?: string;
  certificate?: string;
  key?: Secret;
  passphrase?: Secret;
}

/** A complete answer: status, headers in wire order, decoded body bytes, peer facts for the trace. */
export interface HttpAnswer {
  status: number;
  headers: readonly Header[];
  body: Uint8Array;
  tls?: { protocol: string; cipher: string; peer: string };
}

/** The one way to the network. Never follows redirects, never repeats anything. */
export interface Http {
  /**
   * Sends one request. `onSending` is awaited after the connection (TLS included) is up and before the first byte;
   * if it rejects, nothing is sent. Throws TransportFailure when there is no complete answer.
   */
  send(
    request: HttpRequest,
    options: {
      limits: HttpLimits;
      connection: HttpConnection;
      /** A connection of its own; always true for POST, PUT and DELETE. */
      fresh: boolean;
      onSending?: () => Promise<void>;
      signal?: AbortSignal;
    },
  ): Promise<HttpAnswer>;
  /** Closes idle connections. */
  close(): Promise<void>;
}

// ---- settings and saved resources ------------------------------------------------------------------------------

/** What kind of bank a profile faces; decides which confirmations are needed. */
export type Environment = 'sandbox' | 'test' | 'production';

/** One profile as saved: settings only, no secrets. Paths are absolute; `…From` holds a secret reference. */
export interface Profile {
  environment: Environment;
  baseUrl?: string;
  framework: Framework;
  prefix: string;
  surface: Surface;
  /** PEM files of the QSealC (signing) and its key. */
  certificate?: string;
  key?: string;
  keyPassphraseFrom?: string;
  /** PEM files of the QWAC for mutual TLS, and of extra CAs. */
  tlsCertificate?: string;
  tlsKey?: string;
  caCertificates?: string;
  signing?: Partial<SigningOptions>;
  psu?: {
    id?: string;
    idType?: string;
    corporateId?: string;
    corporateIdType?: string;
    ipAddress?: string;
    passwordFrom?: string;
    otpFrom?: string;
    scaMethod?: string;
  };
  redirectUri?: string;
  nokRedirectUri?: string;
  debtor?: string;
  currency?: string;
  /** Further origins that API links may point to. */
  origins?: readonly string[];
  links?: { host?: 'strict' | 'ignore' };
  requestIdSemantics?: 'unknown' | 'none' | 'replay' | 'reject-duplicate';
  timeoutMs?: number;
}

/** The whole of config.json. */
export interface Settings {
  schemaVersion: 1;
  activeProfile?: string;
  profiles: Readonly<Record<string, Profile>>;
}

/** What credentials.json keeps for a profile; `token` is the only secret in it. */
export interface Credentials {
  token?: Secret;
  consentId?: string;
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
  /** What a person recognises it by; amounts are decimal strings. */
  summary?: {
    amount?: string;
    currency?: string;
    creditorName?: string;
    creditorAccount?: string;
    debtorAccount?: string;
  };
}

/** Where the PSU returns to; made once per transaction and re-sent unchanged. */
export interface SavedRedirect {
  uri: string;
  nokUri?: string;
  /** Present when the URI is our own loopback listener. */
  listener?: { port: number; path: string; state: string };
}

/** Settings, credentials and saved resources. Every write is atomic and locked; failures are ObkError, exit 3. */
export interface Store {
  settings(): Promise<Settings>;
  /** Locks, re-reads, applies `change`, writes, reads back and compares. */
  updateSettings(change: (settings: Settings) => Settings): Promise<Settings>;
  credentials(profile: string): Promise<Credentials>;
  updateCredentials(profile: string, change: (credentials: Credentials) => Credentials): Promise<void>;
  saveResource(resource: SavedResource): Promise<void>;
  /** Newest first. */
  resources(profile: string, noun: Noun): Promise<readonly SavedResource[]>;
  /** The resource with this id, or undefined; exact id only. */
  resource(profile: string, noun: Noun, id: string): Promise<SavedResource | undefined>;
  /** Atomically replaces the file of this conversation (keyed by profile, parent and authorisationId). */
  saveConversation(profile: string, conversation: Conversation): Promise<void>;
  /** All conversations of a parent, newest first. */
  conversations(profile: string, noun: Noun, parentId: string): Promise<readonly Conversation[]>;
}

/** Reads secret references (`prompt | stdin | env:NAME | file:PATH | cmd:COMMAND | keyring:ID`). */
export interface Secrets {
  /** Reads a reference other than `prompt`; each reference is read once per run. Throws SECRET_REFERENCE. */
  read(reference: string, purpose: string): Promise<Secret>;
}

// ---- the journal -----------------------------------------------------------------------------------------------

/** Where a write stands. */
export type Outcome12 = 'NOT_SENT' | 'DONE' | 'REJECTED' | 'UNKNOWN';

/** A journal record; all text in it is redacted before it reaches the port. Times are ISO 8601, UTC. */
export type JournalRecord =
  | {
      type: 'run';
      at: string;
      version: string;
      command: string;
      profile: string;
      environment: Environment;
      pid: number;
    }
  | {
      type: 'prepared';
      at: string;
      exchange: string;
      operation: string;
      method: string;
      url: string;
      headers: readonly Header[];
      body: string;
      bodySha256: string;
      requestId: string;
      write: boolean;
      signingString?: string;
      intent?: string;
      /** The resource that a sub-resource call concerns. */
      resource?: ErrorResource;
      /** Exact headers and body (secrets cut out), kept apart until the write is resolved. */
      exact?: { headers: readonly Header[]; body: string };
    }
  | { type: 'sending'; at: string; exchange: string }
  | {
      type: 'answered';
      at: string;
      exchange: string;
      outcome: Exclude<Outcome12, 'NOT_SENT'>;
      status: number;
      headers: readonly Header[];
      body: string;
      durationMs: number;
      tls?: HttpAnswer['tls'];
      messages?: readonly BankMessage[];
    }
  | {
      type: 'failed';
      at: string;
      exchange: string;
      outcome: 'NOT_SENT' | 'UNKNOWN';
      reason: TransportReason;
      detail: string;
      durationMs: number;
      partial?: { status: number; headers: readonly Header[] };
    }
  | {
      type: 'resolved';
      at: string;
      exchange: string;
      resolution: 'created' | 'not-created' | 'done' | 'not-done';
      by: 'bank' | 'person';
      reason?: string;
      resource?: ErrorResource;
    }
  | { type: 'ended'; at: string; exit: ExitCode };

/** One run as listed. */
export interface JournalRun {
  run: string;
  /** ISO 8601, UTC. */
  startedAt: string;
}

/** The right to send one payment: who claimed it, for which content. */
export interface Intent {
  schemaVersion: 1;
  /** SHA-256 over profile and key, hex. */
  hash: string;
  profile: string;
  key: string;
  /** SHA-256 over the exact body and its target; the same key with another body is refused. */
  bodyHash: string;
  /** SHA-256 over debtor, creditor, amount, currency and remittance: the content check. */
  fingerprint: string;
  /** Whether the caller chose the key (different chosen keys are never duplicates). */
  chosen: boolean;
  run: string;
  createdAt: string;
  /** The fields that a person recognises the payment by. */
  summary: NonNullable<SavedResource['summary']>;
  service: string;
  product: string;
  endToEndIdentification?: string;
  resourceId?: string;
}

/** The result of claiming an intent: it is mine, or an earlier one stands in the way. */
export type Claim =
  | { claimed: true }
  | {
      claimed: false;
      intent: Intent;
      /** The owner is another process that still lives. */ ownerAlive: boolean;
    };

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
  /** The records of a run; a torn last line is left out, a damaged one is STATE_UNREADABLE. */
  read(run: string): Promise<readonly JournalRecord[]>;
  /** Runs that hold a write without a final answer, newest first; cheap however long the history is. */
  openRuns(): Promise<readonly JournalRun[]>;
  /** The exact headers and body of an unresolved write. */
  exact(run: string, exchange: string): Promise<{ headers: readonly Header[]; body: string } | undefined>;
  /** Creates the intent's file exclusively. */
  claim(intent: Intent): Promise<Claim>;
  /** Replaces an intent whose owner is dead, if it is still that of `previousRun`; false when somebody was faster. */
  takeOver(intent: Intent, previousRun: string): Promise<boolean>;
  /** Adds the id of the created resource to an intent of this profile. */
  noteResource(hash: string, resourceId: string): Promise<void>;
  /** The intent of this hash. */
  intent(hash: string): Promise<Intent | undefined>;
  /** Intents of a profile with the same content, newest first. */
  intentsLike(profile: string, fingerprint: string): Promise<readonly Intent[]>;
  /** The newest intent of a profile. */
  newestIntent(profile: string): Promise<Intent | undefined>;
}

// ---- people ----------------------------------------------------------------------------------------------------

/** What every question carries: the flag and environment variable that answer it without a person. */
export interface Question {
  id: string;
  flag: string;
  env: string;
  text: string;
}

/** A question whose answer is one line of text. */
export interface TextQuestion extends Question {
  default?: string;
  /** Gives the reason why an answer is refused, or undefined. */
  check?: (answer: string) => string | undefined;
}

/** A question for a password, an OTP or a passphrase. */
export interface SecretQuestion extends Question {
  /** True after a refusal: a reference is not read again, only a person is asked. */
  again: boolean;
  /** What the length and form must be, as far as the bank said. */
  maxLength?: number;
  format?: 'characters' | 'integer';
}

/** A choice among options. */
export interface ChoiceQuestion extends Question {
  options: readonly { value: string; name: string; description?: string }[];
}

/** The human (or the script in its place). Every method throws InteractionNeeded where nobody can answer. */
export interface Person {
  /** Whether questions reach a human. */
  readonly present: boolean;
  ask(question: TextQuestion): Promise<string>;
  askSecret(question: SecretQuestion): Promise<Secret>;
  choose(question: ChoiceQuestion): Promise<string>;
  /** Default No. */
  confirm(question: Question): Promise<boolean>;
  /** Waits for a pasted line until the signal aborts; never resolves where nobody is there. */
  paste(text: string, signal: AbortSignal): Promise<string>;
}

/** What a person sees while something happens; all of it goes to stderr. */
export interface Notices {
  /** A line of its own; hidden by -q. */
  say(line: string): void;
  /** A warning; hidden by -q. */
  warn(line: string): void;
  /** Detail of the wire: level 1 to 3 as -v, -vv, -vvv. */
  trace(level: 1 | 2 | 3, line: string): void;
  /** Shows that something lasts; quiet when nobody watches. */
  progress(text: string): { update(text: string): void; stop(): void };
}

/** Opens links; never throws for a browser that does not start. */
export interface Browser {
  /** Whether a desktop browser is likely to appear. */
  likely(): Promise<boolean>;
  /** Opens an https (or loopback http) URL; false when no browser could be started. */
  open(url: string): Promise<boolean>;
}

/** How a PSU came back from the bank. */
export interface Return {
  outcome: 'ok' | 'nok';
  /** The redirected URL whole, with its query. */
  url: string;
}

/** A loopback listener for the redirect of the PSU's browser. */
export interface Listener {
  /** Binds 127.0.0.1 (and ::1). Throws LISTENER_FAILED where the port is taken. Port 0 picks one. */
  listen(options: { port: number; path: string; state: string }): Promise<{
    port: number;
    returned: Promise<Return>;
    close(): Promise<void>;
  }>;
}

// ---- files and the bank inside ----------------------------------------------------------------------------------

/** The files that a user names. */
export interface Files {
  /** The bytes of a file, or of stdin for `-`. Throws INPUT_INVALID naming the path. */
  read(path: string): Promise<Uint8Array>;
  /** Writes atomically, mode 0600; never over an existing file without `force`. */
  write(path: string, bytes: Uint8Array, options: { force: boolean }): Promise<void>;
  /** Opens $VISUAL or $EDITOR on a text and gives it back as saved. */
  edit(text: string, suffix: string): Promise<string>;
  /** An absolute form of a path that the user typed. */
  absolute(path: string): string;
}

/** A PSU of the bank inside as shown by `obk sandbox people`. */
export interface BankPerson {
  psuId: string;
  description: string;
  approach: string;
  start: 'implicit' | 'explicit';
  methods: readonly { id: string; type: string; name: string }[];
  accounts: readonly { iban: string; currency: string; balance: string }[];
  password: Secret;
  /** How the OTP of a challenge is found: a fixed test value. */
  otp: Secret;
}

/** Where the running bank inside is reached, and the TPP certificate that it made for the profile `sandbox`. */
export interface BankAddress {
  baseUrl: string;
  httpsBaseUrl?: string;
  /** True when the bank runs inside this process and ends with it. */
  embedded: boolean;
  certificatePath: string;
  keyPath: string;
  caPath: string;
  /** The origin that earlier saved links carry, if the port had to change. */
  formerOrigins: readonly string[];
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

/** How a standalone bank is started. */
export interface BankOptions {
  port: number;
  httpsPort?: number;
  database?: string;
  without: readonly string[];
}

/** The bank inside (`src/sandbox`), loaded only when it is used. */
export interface Bank {
  /** Finds the bank that serves the default ledger, or starts it inside this process. */
  ensure(): Promise<BankAddress>;
  /** Makes the keys if they are missing and gives the address that `ensure` would try first; opens no socket. */
  offline(): Promise<BankAddress>;
  /** Serves in the foreground until the signal aborts; `ready` gets the address. */
  serve(options: BankOptions, ready: (address: BankAddress) => void, signal: AbortSignal): Promise<void>;
  people(): Promise<readonly BankPerson[]>;
  /** The PSU's own hand: approves or refuses the open authorisation of a payment, consent or authorisation id. */
  decide(
    decision: 'approve' | 'refuse',
    id: string,
    psuId?: string,
  ): Promise<{ authorisationId: string; scaStatus: string }>;
  addFault(fault: BankFault): Promise<void>;
  faults(): Promise<readonly BankFault[]>;
  clearFaults(): Promise<void>;
  reset(): Promise<void>;
  /** Ends an embedded bank; a found one goes on. */
  close(): Promise<void>;
}

/** Everything that flows may reach. */
export interface Ports {
  http: Http;
  store: Store;
  secrets: Secrets;
  journal: Journal;
  person: Person;
  notices: Notices;
  browser: Browser;
  listener: Listener;
  files: Files;
  bank: Bank;
  clock: Clock;
  ids: Ids;
}
