import type { Command } from 'commander';
import type { Context, Listed } from './context.ts';
import type { Outcome } from './outcome.ts';

/** The help of a command besides its flags. */
export interface Page {
  /** A sentence instead of the summary. */
  about?: string;
  /** The flags that nearly everybody needs, for the usage line. */
  usage?: string;
  /** Lines that run as they stand, most useful first; a trailing `# …` says what they do. */
  examples: readonly string[];
  /** The exit codes worth knowing here, most likely first; 0 and 2 go without saying. */
  exits?: readonly number[];
  /** Commands to read on with. */
  more?: readonly string[];
  /** Its rows can be written as one HTML page, with `-o html`. */
  html?: true;
  /** The page itself, for a topic. */
  text?: string;
}

/** Does the work of a command and returns its result; never prints. */
export type Run<Options> = (context: Context, options: Options) => Promise<Outcome>;

/** Ties a command to its page and its work; positionals arrive in the options under their names. */
export type Start = <Options>(command: Command, page: Page, run: Run<Options>) => Command;

/** Binds the flags of one command below its parent. */
export type Register = (parent: Command, start: Start) => Command;

/** The commands of a noun that stand in one module, by the last of their words. */
export type Registers = Readonly<Record<string, Register>>;

/** One entry of the command tree: a noun, or a verb whose module is loaded when it is called. */
export interface Entry extends Listed {
  group?: string;
  load?: () => Promise<{ register: Register | Registers }>;
  /** The verb that a noun by itself means. */
  verb?: string;
}
