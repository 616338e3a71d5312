import type { Command, Option } from 'commander';
import type { Named } from '../base/fields.ts';
import type { Context, Listed } from './context.ts';
import type { Outcome } from './outcome.ts';

/** The help of a command besides its flags. */
export interface Page {
  /** A sentence instead of the summary. */
  about?: string;
  /** The flags that nearly everybody needs, for the usage line. */
  usage?: string;
  /** The flags that most people need, by their long names in one text; help lists the others by name only. */
  usual?: string;
  /** Lines that run as they stand, most useful first; a trailing `# …` says what they do. */
  examples: readonly string[];
  /** The exit codes worth knowing here, most likely first; 0 and 2 go without saying. */
  exits?: readonly number[];
  /** Commands to read on with. */
  more?: readonly string[];
  /** The rows of a list that no other command prints; what `--json` prints otherwise stands in `commands/schemas`. */
  prints?: Named;
  /** Its rows can be written as one HTML page, with `-o html`. */
  html?: true;
  /** The page itself, for a topic. */
  text?: string;
}

/** `psu-id` is psuId. */
type Camel<Text> = Text extends `${infer Head}-${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : Text;

/** The name of an option by how its flag is used: `-y, --yes` is yes, `--psu-id <ID>` is psuId, `--no-check` is check. */
type FlagName<Usage> = Usage extends `${string}--${infer Long}`
  ? Camel<Long extends `no-${infer Name}` ? Name : Long extends `${infer Name} ${string}` ? Name : Long>
  : never;

/** What a flag without a reader gives: `--json` a boolean, `--as <X>` a text, `--as [X]` either. */
type FlagValue<Usage> = Usage extends `${string}<${string}`
  ? string
  : Usage extends `${string}[${string}`
    ? string | true
    : boolean;

/** The option of an argument by how it is used: `<id>` is id, `[id]` is id or undefined, `[id...]` is a list. */
type ArgumentOption<Usage, Value> = Usage extends `${'<' | '['}${infer Name}...${'>' | ']'}`
  ? { [N in Name]: readonly Value[] }
  : Usage extends `<${infer Name}>`
    ? { [N in Name]: Value }
    : Usage extends `[${infer Name}]`
      ? { [N in Name]?: Value }
      : never;

/** Reads the text of a flag; `before` is what it gave where it was given before. Throws USAGE. */
type Reader<Value> = (text: string, before: Value | undefined) => Value;

/**
 * The flags and arguments of a command, with the options that its run gets. The text of each gives the name and type of its
 * option, so there is no option without a flag. At run time it is commander's `Command`. The types of
 * @commander-js/extra-typings do not fit: there arguments have places and no names, and here they are options too.
 */
export interface Flags<Options = object> {
  option<Usage extends string>(
    usage: Usage,
    help: string,
  ): Flags<Options & { [Name in FlagName<Usage>]?: FlagValue<Usage> }>;
  option<Usage extends string>(
    usage: Usage,
    help: string,
    otherwise: string,
  ): Flags<Options & { [Name in FlagName<Usage>]: string }>;
  option<Usage extends string, Value>(
    usage: Usage,
    help: string,
    read: Reader<Value>,
  ): Flags<Options & { [Name in FlagName<Usage>]?: Value }>;
  option<Usage extends string, Value>(
    usage: Usage,
    help: string,
    read: Reader<Value>,
    otherwise: NoInfer<Value>,
  ): Flags<Options & { [Name in FlagName<Usage>]: Value }>;
  argument<Usage extends string>(usage: Usage, help: string): Flags<Options & ArgumentOption<Usage, string>>;
  argument<Usage extends string, Value>(
    usage: Usage,
    help: string,
    read: Reader<Value>,
  ): Flags<Options & ArgumentOption<Usage, Value>>;
  /** With a value where it is not given. */
  argument<Usage extends string>(
    usage: Usage,
    help: string,
    otherwise: string,
  ): Flags<Options & Required<ArgumentOption<Usage, string>>>;
  /** The title in the help of the flags that follow. */
  optionsGroup(title: string): Flags<Options>;
  createCommand(): Command;
  createOption(usage: string, help: string): Option;
  addOption(option: Option): Flags<Options>;
  readonly options: readonly Option[];
}

/** The options that a function adds by its flags. */
export type OptionsOf<Adds extends (flags: Flags, ...how: never[]) => Flags> =
  ReturnType<Adds> extends Flags<infer Options> ? { [Name in keyof Options]: Options[Name] } : never;

/** Does the work of a command and returns its result; never prints. */
export type Run<Options> = (context: Context, options: Options) => Promise<Outcome>;

/** Ties a command to its page and its work; positionals arrive in the options under their names. */
export type Start = <Options>(flags: Flags<Options>, page: Page, run: Run<NoInfer<Options>>) => Flags;

/** Binds the flags, the page and the work of one command. */
export type Register = (command: Flags, start: Start) => Flags;

/** The commands of a noun that stand in one module, by the last of their words. */
export type Registers = Readonly<Record<string, Register>>;

/** One entry of the command tree: a noun, or a verb whose module is loaded when it is called. */
export interface Entry extends Listed {
  group?: string;
  load?: () => Promise<{ register: Register | Registers }>;
  /** The verb that a noun by itself means. */
  verb?: string;
}
