/** Where a shared state is, for people: never the user or the password. */
export interface StateServer {
  /** `host:port/database`, or the folder of a socket in place of the host. */
  server: string;
  schema: string;
}

/** The versions of a schema before (0: there was none) and after. */
export interface StateMigrated extends StateServer {
  before: number;
  after: number;
}

/** How much of one kind is there. */
export interface StateKind {
  kind: string;
  count: number;
  /** With its indexes, on disk. */
  bytes: number;
}

/** A session of obk at the server. */
export interface StateSession {
  /** As the server knows it; `self` is this run. */
  pid: number;
  application: string;
  user: string;
  /** Where it calls from; null on a socket. */
  address: string | null;
  /** ISO 8601, UTC; null where this role may not see it. */
  since: string | null;
  self: boolean;
}

/** What is in a shared state. */
export interface StateContents extends StateServer {
  serverVersion: string;
  schemaVersion: number;
  /** The version that this obk works with. */
  supportedVersion: number;
  kinds: readonly StateKind[];
  /** The profiles of which something is kept. */
  profiles: readonly string[];
  /** How many values each key has sealed, by the id of the key; `known` if this run has it. */
  keys: readonly { key: string; values: number; known: boolean; current: boolean }[];
  sessions: readonly StateSession[];
  /** Writes that left and whose outcome nobody knows; of the oldest its run, as far as they are known. */
  unknown: { count: number; oldest: StateUnknown | null };
}

/** A write whose outcome is unknown. */
export interface StateUnknown {
  run: string;
  profile: string | null;
  operation: string | null;
  /** ISO 8601, UTC. */
  at: string | null;
}

/** One thing that was looked at, and the command or statement that mends it. */
export interface StateCheck {
  check: string;
  state: 'ok' | 'warn' | 'fail';
  text: string;
  hint: string | null;
}

/** What became of the entries of a kind that were moved. */
export interface StateMoved {
  kind: string;
  /** Written now. */
  moved: number;
  /** There already, as they are or newer. */
  same: number;
  /** What a person has to know of those that were not moved. */
  note?: string;
}

/** How many values of a kind were sealed anew. */
export interface StateRekeyed {
  kind: string;
  sealed: number;
}

/** The database with the shared state, for those who keep it. Failures are ObkError, exit 3. */
export interface StateStore {
  /** Where it is; asks nobody but the reference of the URL. */
  server(): Promise<StateServer>;
  /** Makes the schema unless there is one, or brings it up to this obk. Throws STATE_NEWER. */
  make(): Promise<StateMigrated>;
  /** Brings an existing schema up to this obk. Throws STATE_UNREADABLE where there is none, STATE_NEWER. */
  migrate(): Promise<StateMigrated>;
  /** The statements that make a role which may do what obk does every day, and nothing else; they run as they stand, and again. */
  roleStatements(role: string): Promise<readonly string[]>;
  contents(): Promise<StateContents>;
  /** Looks step by step whether obk can work there; a step that the next ones need ends it. */
  examine(): Promise<readonly StateCheck[]>;
  /**
   * Takes over what the files of this home hold, each entry durably and once, however often; the files stay. Throws LOCK_BUSY while
   * a run goes on there, and STATE_UNREADABLE where a row is damaged: nothing is written then.
   */
  takeIn(): Promise<readonly StateMoved[]>;
  /**
   * Writes everything as the files of a home below these folders. Throws LOCK_BUSY while others are connected, and INPUT_INVALID where
   * something else is there by the same name or key.
   */
  bringOut(to: string): Promise<readonly StateMoved[]>;
  /** Seals with the current key what another known one has sealed, a batch at a time, and tells each; interrupted, it goes on there. */
  rekey(progress: (done: StateRekeyed) => void): Promise<readonly StateRekeyed[]>;
  close(): Promise<void>;
}
