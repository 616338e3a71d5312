import type { Ran } from '../obk.ts';

/** How a command of a case differs from the usual. */
export interface CaseRun {
  env: Readonly<Record<string, string>>;
  /** What stdin holds before it ends. */
  input: string;
}

/** Where the commands of a case run. */
export interface World {
  /** The working directory, in which the files of a case are written. */
  folder: string;
  /** What a case may write as a name in double braces. */
  values: Readonly<Record<string, string>>;
  run(args: readonly string[], options: CaseRun): Promise<Ran>;
  /** What else holds after a command, and what does not, as further lines of its output. */
  after?(args: readonly string[], options: CaseRun, ran: Ran): Promise<string[]>;
  close(): Promise<void>;
}

/** A kind of world: `shared` by all cases of a file, or opened for each. */
export interface WorldKind {
  shared: boolean;
  open(): Promise<World>;
}
