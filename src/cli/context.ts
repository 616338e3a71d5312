import type { Trustee } from '../adapters/files/folder-trust.ts';
import type { ProfileInUse } from '../base/command-line.ts';
import type { ExitCode, ProvedResource } from '../base/errors.ts';
import type { Named } from '../base/fields.ts';
import type { Ports } from '../client/ports.ts';
import type { Bank } from '../bank/door.ts';
import type { Notices, Person } from '../client/ports/person.ts';
import type { ExchangeView } from '../settings/records/exchange.ts';
import type { CallHeard, CommandEnd } from '../settings/records/journey-run.ts';
import type { Policy } from '../settings/records/policy.ts';
import type { Environment, Profile, StatePlace } from '../settings/records/profile.ts';
import type { Header } from '../settings/records/wire.ts';
import type { Format } from './render/format.ts';
import type { Style, ColourChoice } from './render/style.ts';

/** The process: its streams, environment and version; tests build their own. */
export interface Process {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  version: string;
  pid: number;
  cwd: string;
  platform: string;
  /** The words that start this program again, where this process is obk and nothing else. */
  program?: readonly [string, ...string[]];
  /** Where the policy of the machine stands, and who must own it; a test has its own, and no variable says it. */
  policy?: { path: string; owner: number };
  /** The user to trust, if not that of this process. */
  trustee?: Trustee;
}

/** Everything outside that a command may reach: what flows may, and every door of the built-in bank. */
export type CommandPorts = Omit<Ports, 'bank'> & { bank: Bank };

/** Everything a command gets: the process, the flags of the run, and the ports, each loaded at its first use. */
export interface Context {
  process: Process;
  globals: Globals;
  ports: CommandPorts;
  /** The administrator's policy for this machine; undefined without one. Throws POLICY. */
  policy: () => Policy | undefined;
  /** Where the state of a profile is kept; without a name, that of this run. Throws PROFILE_INVALID as `statePlaceOf`. */
  statePlace: (profile?: string) => Promise<StatePlace>;
  /** Aborts at Ctrl-C or SIGTERM, with an ObkError as its reason. */
  signal: AbortSignal;
  /** How text looks on stderr. */
  style: Style;
  /** The help page of a command by its words; throws USAGE for words that are none. */
  helpPage(words: readonly string[]): Promise<string>;
  /** Every command and noun by its words, none of them loaded. */
  entries: readonly Listed[];
  /** Every command with its flags. */
  commandTree(): Promise<CommandTree>;
  /** Why a command does not take a text as the value of a flag, or of its argument at a place; undefined where it does. */
  whyNotValue(command: string, at: string | number, text: string): Promise<string | undefined>;
  /** Runs a further command line in this process, as a script would; never throws. */
  runCommand(words: readonly string[], how: RunCommandOptions): Promise<CommandRun>;
  /** Makes ready to run many command lines at once, from one set of connections and without a trace in this home. */
  openLoad(): Promise<LoadRuns>;
  /** Where this run is one of many under load. */
  load: LoadOfRun | undefined;
  /** Where things are stored. */
  directories: Directories;
  /** The words of the command. */
  command: string;
  /** The profile of this run, once it is chosen. */
  inUse: ProfileInUse | undefined;
  /** Judges the calls of this run; undefined without --findings. */
  judge: CallJudge | undefined;
  /** Whether this run may have sent a request: false is a proof that it has not. */
  maySend: () => boolean;
  /** By their ids the resources that an answer of this run has proved to exist. */
  proved: ReadonlyMap<string, ProvedResource>;
  /** The last call of this run, once there was one. */
  seen: SeenCall | undefined;
  /** Runs when the command has ended, with its exit code. */
  atEnd(work: (exit: ExitCode) => Promise<void>): void;
  /** Writes what the run has learned from a bank; throws where that fails. */
  kept(): Promise<void>;
  /** Does what was left for the end, and closes what the used ports hold open. */
  close(exit: ExitCode): Promise<void>;
}

/** Takes the calls of a run that are to be judged. */
export interface CallJudge {
  heard(call: ExchangeView, bank: { name: string; profile: Profile }): void;
}

/** How a command line runs within another one. */
export interface RunCommandOptions {
  /** What is on its stdin. */
  input: string | undefined;
  /** The folder in which its paths begin. */
  cwd: string;
  notices: Notices;
  /** Gets the person who answers from flags, variables and profile, and returns the one who is asked. */
  person: ((scripted: Person) => Person) | undefined;
  /** In place of the signal of this run. */
  signal?: AbortSignal;
  /** In place of the judge of this run. */
  judge?: CallJudge;
}

/** Command lines under load. */
export interface LoadRuns {
  /** A place for one journey: what its command lines save is there for each other, and forgotten with it. */
  place(): (words: readonly string[], how: Omit<RunCommandOptions, 'notices'>) => Promise<LoadEnd>;
}

/** How a command line under load ended. */
export interface LoadEnd extends CommandEnd {
  calls: readonly CallHeard[];
}

/** What a run under load shares with the others. */
export interface LoadOfRun {
  /** What is the same for all of them is made once. */
  once<Made>(key: string, make: () => Promise<Made>): Promise<Made>;
  /** What is the same each time that this very command line runs is made once. */
  ofLine<Made>(key: string, make: () => Promise<Made>): Promise<Made>;
  heard(call: CallHeard): void;
}

/** What a command line within another one came to. */
export interface CommandRun {
  exit: ExitCode;
  stdout: string;
  stderr: string;
}

/** The facts of a call besides its answer. */
export interface SeenCall {
  requestId: string;
  httpStatus: number | null;
  durationMs: number;
  profile: string;
  headers: readonly Header[];
}

/** Files and folders that a person may want to look into. */
export interface Directories {
  settings: string;
  credentials: string;
  state: string;
}

/** A command or noun by its words. */
export interface Listed {
  path: string;
  summary: string;
  hidden?: boolean;
}

/** A flag as the parser knows it. */
export interface FlagDescription {
  name: string;
  short: string | null;
  /** The name of its value; null where it takes none. */
  value: string | null;
  valueRequired: boolean;
  choices: readonly string[] | null;
  repeatable: boolean;
  description: string;
}

/** A command as the parser knows it. */
export interface CommandDescription {
  command: string;
  summary: string;
  about: string;
  arguments: readonly {
    name: string;
    required: boolean;
    repeatable: boolean;
    choices: readonly string[] | null;
    description: string;
  }[];
  flags: readonly FlagDescription[];
  exitCodes: readonly number[];
  examples: readonly string[];
  /** The rows of a list that it alone prints. */
  prints?: Named | undefined;
}

/** Everything that can be typed. */
export interface CommandTree {
  nouns: readonly { noun: string; summary: string; verb: string | null }[];
  commands: readonly CommandDescription[];
  globalFlags: readonly FlagDescription[];
}

/** One condition of --expect: the path of a member of the result, and its text. */
export interface Expected {
  path: string;
  value: string;
}

/** Flags that every command takes, before and after its name. */
export interface Globals {
  profile?: string;
  requireEnvironment?: Environment;
  json?: boolean;
  fields?: string;
  jq?: string;
  expect?: readonly Expected[];
  /** Unless the command has an --output of its own. */
  output?: string;
  force?: boolean;
  as?: string;
  /** In place of `as` where a command has an --as of its own. */
  format?: Format;
  meta?: boolean;
  plain?: boolean;
  noPager?: boolean;
  quiet?: number;
  verbose?: number;
  /** Letters of what is shown of each call. */
  print?: string;
  color?: ColourChoice;
  noInput?: boolean;
  browser?: 'auto' | 'always' | 'never';
  trace?: string;
  reportJunit?: string;
  /** Also set by a command with a --findings of its own. */
  findings?: boolean;
  curl?: boolean;
  debug?: boolean;
}
