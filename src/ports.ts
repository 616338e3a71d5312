import type { Bank } from './ports/bank.ts';
import type { ExternalSigner, TlsPeers } from './ports/certificates.ts';
import type { Journal } from './ports/journal.ts';
import type { Credentials } from './records/credentials.ts';
import type { Settings, TokenStore } from './records/profile.ts';
import type { SavedResource } from './records/resources.ts';
import type { Header, TlsFacts } from './records/wire.ts';
import type { Noun } from './sca/operations.ts';
import type { Conversation } from './sca/state.ts';
import type { Secret } from './secret.ts';

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
  /** An OpenSSL list, in place of the default one (which refuses what is weak). */
  ciphers?: string;
  /** Asked for (SNI) and expected in the certificate of the server, in place of the host of the URL. */
  serverName?: string;
  /** Takes any certificate of the server. */
  insecure?: boolean;
  /** Lets plain http leave this machine. */
  plain?: boolean;
}

/** A complete answer: status, headers in wire order, decoded body bytes, peer facts for the trace. */
export interface HttpAnswer {
  status: number;
  headers: readonly Header[];
  body: Uint8Array;
  /**
   * What comes after `body` in an answer that streams, as it arrives; throws TransportFailure. It must be read to its end
   * or returned from: until then the connection is open.
   */
  rest?: AsyncGenerator<Uint8Array>;
  tls?: TlsFacts;
  /**
   * Hashes (base64) of all bytes of the body as they came, before a content coding was undone; there where a header names a
   * digest, and right once all bytes were read. Absent: those of `body`.
   */
  sums?: (algorithm: 'SHA-256' | 'SHA-512') => string;
  /** Neither a length nor chunks said where the body ends. */
  endedByClose?: boolean;
}

/** A proxy of the environment: host:port, and whether it is told a user and a password. */
export interface ProxyFacts {
  address: string;
  credentials: boolean;
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
      /** Lets a 2xx answer stream that is too long for memory, up to so many bytes; one that is not long is complete. */
      stream?: { maxBytes: number };
      onSending?: () => Promise<void>;
      signal?: AbortSignal;
    },
  ): Promise<HttpAnswer>;
  /** The proxy on the way to an address; throws TransportFailure where the environment names none that can be used. */
  proxy(url: string): Promise<ProxyFacts | undefined>;
  /** The TLS suites (IANA numbers) that a list of ciphers selects at the lowest level; undefined where it is none. */
  offeredCiphers(list: string): Promise<readonly number[] | undefined>;
  /** Closes idle connections, and those of streams that nobody reads any more. */
  close(): Promise<void>;
}

// ---- settings and saved resources ------------------------------------------------------------------------------

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

/** Reads secret references (`prompt | stdin | env:NAME | file:PATH | cmd:COMMAND | keyring:ID`). */
export interface Secrets {
  /**
   * Reads a reference other than `prompt`; each reference is read once per run, unless a program is to be asked anew.
   * Throws SECRET_REFERENCE.
   */
  read(reference: string, purpose: string, how?: { anew: boolean }): Promise<Secret>;
  /** Throws SECRET_REFERENCE where a variable is not set or a file cannot be read; reads nothing and runs nothing. */
  check(reference: string, purpose: string): Promise<void>;
}

// ---- how often the bank was called ----------------------------------------------------------------------------

/** One call that was made: when (milliseconds since 1970, UTC) and what it was. */
export interface Use {
  at: number;
  what: string;
}

/** What was called when, shared by all processes of this machine. Failures are ObkError, exit 3. */
export interface Usage {
  read(key: string): Promise<readonly Use[]>;
  /** Locks the key, keeps what `change` makes of what is there, and gives that; the same list writes nothing. */
  update(key: string, change: (uses: readonly Use[]) => readonly Use[]): Promise<readonly Use[]>;
}

// ---- people ----------------------------------------------------------------------------------------------------

/** What every question carries: the flag and environment variable that answer it without a person. */
export interface Question {
  id: string;
  flag: string;
  env: string;
  text: string;
  /** What the profile answers (a value, or a secret reference), after flag and environment. */
  fallback?: string;
  /** True where the bank asks again: what was given stands no more, only a person or a program is asked. */
  again?: boolean;
}

/** A question whose answer is one line of text. */
export interface TextQuestion extends Question {
  default?: string;
  /** Gives the reason why an answer is refused, or undefined. */
  check?: (answer: string) => string | undefined;
}

/** A question for a password, an OTP or a passphrase. */
export interface SecretQuestion extends Question {
  again: boolean;
  /** What the length and form must be, as far as the bank said. */
  maxLength?: number;
  format?: 'characters' | 'integer';
  /** Blanks around it do not belong to it. */
  trim?: boolean;
}

/** A choice among options. */
export interface ChoiceQuestion extends Question {
  /** `aliases` are further words by which a script may choose an option, compared without regard to case. */
  options: readonly { value: string; name: string; description?: string; aliases?: readonly string[] }[];
}

/** The human (or the script in its place). Every method throws InteractionNeeded where nobody can answer. */
export interface Person {
  /** Whether questions reach a human. */
  readonly present: boolean;
  /** Whether a flag, a variable or the profile answers the question, so that no human is needed. */
  answered(question: Question): boolean;
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
  /** A port of 127.0.0.1 that nobody has at this moment. */
  freePort(): Promise<number>;
  /**
   * Takes a port of 127.0.0.1 (and ::1) for the rest of the run, so that no other program gets it before `listen`; whoever
   * calls it meanwhile finds nothing. Throws LISTENER_FAILED where it is taken. Port 0 picks one, which is given.
   */
  hold(port: number): Promise<number>;
  /**
   * Binds 127.0.0.1 (and ::1), or uses the port that is held. Throws LISTENER_FAILED where another program has it. Port 0 picks one. An empty `state` is not
   * compared (the redirect URI has none); `returnState` is what the bank must add to it.
   */
  listen(options: { port: number; path: string; state: string; returnState?: string }): Promise<{
    port: number;
    returned: Promise<Return>;
    /** A port that is held goes on being held. */
    close(): Promise<void>;
  }>;
  /** Lets go of every port. */
  close(): Promise<void>;
}

// ---- files ------------------------------------------------------------------------------------------------------

/** The files that a user names. */
export interface Files {
  /** The bytes of a file, or of stdin for `-`. Throws INPUT_INVALID naming the path. */
  read(path: string): Promise<Uint8Array>;
  /** The same bytes in pieces, for files of any size; throws when it is gone through. */
  stream(path: string): AsyncIterable<Uint8Array>;
  /**
   * The first bytes of a regular file; undefined where nothing is, or where it cannot be opened. Throws INPUT_INVALID at once
   * for anything else, a link included.
   */
  beginning(path: string, bytes: number): Promise<Uint8Array | undefined>;
  /** Writes atomically, mode 0600; never over an existing file without `force`; `folder` makes a missing one, 0700. */
  write(
    path: string,
    bytes: Uint8Array | Secret,
    options: { force: boolean; folder?: boolean },
  ): Promise<void>;
  /** Whether nobody but the owner can read a file, as far as the system tells. */
  isPrivate(path: string): Promise<boolean>;
  /** Opens $VISUAL or $EDITOR on a text and gives it back as saved. */
  edit(text: string, suffix: string): Promise<string>;
  /** An absolute form of a path that the user typed. */
  absolute(path: string): string;
  /** The nearest `.obk.json`, from the working folder up to the home folder or the root. */
  project(): Promise<ProjectFile | undefined>;
}

/** A project file as it is found: its real path, whatever links led to it. */
export interface ProjectFile {
  path: string;
  /** Not there where it cannot be read, or is longer than 64 KiB. */
  text?: string;
  /** Of its bytes, in hex; empty without them. */
  sha256: string;
  /** Whether it belongs to a user who is neither the one of this process nor root. */
  foreign: boolean;
}

/** Everything that flows may reach. */
export interface Ports {
  http: Http;
  tlsPeers: TlsPeers;
  signer: ExternalSigner;
  store: Store;
  secrets: Secrets;
  journal: Journal;
  usage: Usage;
  person: Person;
  notices: Notices;
  browser: Browser;
  listener: Listener;
  files: Files;
  bank: Bank;
  clock: Clock;
  ids: Ids;
}
