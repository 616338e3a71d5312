import type { Finding } from '../../base/finding.ts';

/** Where the state is, for people: never the user or the password of a database. */
export interface StateSite {
  store: 'files' | 'postgres';
  /** The folder of the files; else `host:port/database`, or the folder of a socket in place of the host. */
  place: string;
  /** Of a database; null for files. */
  schema: string | null;
}

/** The versions of a schema before (0: there was none) and after. */
export interface StateMigrated extends StateSite {
  before: number;
  after: number;
}

/** What was made, and the statements that make a role which may do what obk does every day, and nothing else. */
export interface StateMade extends StateMigrated {
  /** They run as they stand, and again; none for files. */
  statements: readonly string[];
}

/** How much of one kind is there. */
export interface StateKind {
  kind: string;
  count: number;
  /** With its indexes, on disk; null where the engine does not tell. */
  bytes: number | null;
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

/** What is in the state. */
export interface StateContents extends StateSite {
  /** With its version: `PostgreSQL 15.4`. */
  engine: string;
  /** 0 where nothing was made yet. */
  schemaVersion: number;
  /** The version that this obk works with. */
  supportedVersion: number;
  /** All of it, on disk. */
  bytes: number;
  kinds: readonly StateKind[];
  /** The profiles of which something is kept. */
  profiles: readonly string[];
  /** How many values each key has sealed, by the id of the key; `known` if this run has it. None where nothing is sealed. */
  keys: readonly { key: string; values: number; known: boolean; current: boolean }[];
  /** None for files. */
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

/** What does not hold what obk wrote: a row by its key, or a whole file. */
export interface StateFault {
  /** The file, or the schema with its database. */
  place: string;
  table: string | null;
  key: string | null;
  text: string;
  hint: string;
}

/** What was read, and what is wrong with it. */
export interface StateVerified {
  ok: boolean;
  places: readonly { place: string; there: boolean; rows: number }[];
  faults: readonly StateFault[];
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

/** The state that runs use, for those who keep it, in files or in a database. Failures are ObkError, exit 3. */
export interface StateStore {
  /** Where it is; asks nobody but the reference of a URL. */
  site(): Promise<StateSite>;
  /** Makes it unless it is there, or brings it up to this obk. Throws STATE_NEWER. */
  make(role: string): Promise<StateMade>;
  /** Brings what is there up to this obk. Throws STATE_UNREADABLE where there is nothing, STATE_NEWER. */
  migrate(): Promise<StateMigrated>;
  contents(): Promise<StateContents>;
  /** Looks step by step whether obk can work there; a step that the next ones need ends it. */
  examine(): Promise<readonly Finding[]>;
  /** Reads every row, and every page of a file; changes nothing. */
  verify(): Promise<StateVerified>;
  /** Copies what must not be lost into a new file. Throws INPUT_INVALID where something has that name, and for a database. */
  backUp(to: string): Promise<void>;
  /**
   * Takes into a home without a state what SQLite could recover of a damaged one. Throws INPUT_INVALID where there is a state, where
   * the file holds none, and for a database.
   */
  takeRecovered(file: string): Promise<readonly StateMoved[]>;
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
