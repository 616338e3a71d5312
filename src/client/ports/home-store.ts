/** What does not hold what obk wrote: a row by its key, or a file. */
export interface StateFault {
  file: string;
  table: string | null;
  key: string | null;
  text: string;
  hint: string;
}

/** What was looked at in the state of a home, and what is wrong with it. */
export interface StateVerified {
  ok: boolean;
  files: readonly { file: string; there: boolean; rows: number }[];
  faults: readonly StateFault[];
}

/** The files of a home, for those who keep them. Failures are ObkError. */
export interface HomeStore {
  /** Reads every page and every row; changes nothing. */
  verify(): Promise<StateVerified>;
  /** Copies what must not be lost into a new file. Throws INPUT_INVALID where something has that name. */
  backUp(to: string): Promise<void>;
}
