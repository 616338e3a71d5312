import type { Place } from '../../settings/documents/document.ts';
import type { Condition } from './condition.ts';

/** A text of a journey with its place; `$name.path` within it stands for what is known when the step runs. */
export interface Template extends Place {
  path: string;
  text: string;
}

/** What a step sends as JSON: texts, lists and members, in each of which a name may stand. */
export type Body = Template | { items: readonly Body[] } | { members: readonly (readonly [string, Body])[] };

/** What the PSU of a step does where the bank asks. */
export const psuActions = [
  'approve',
  'refuse',
  'wrong otp then right',
  'wrong password then right',
  'wrong otp',
  'wrong password',
  'leave',
] as const;
export type PsuAction = (typeof psuActions)[number];

/** The PSU of a step, and where the answers come from if neither the profile nor the bank inside has them. */
export interface PsuScript {
  does: PsuAction;
  method?: Template;
  /** Names of the journey's secrets. */
  password?: string;
  otp?: string;
  /** A program that drives a browser; it gets the link on its command line and prints the address that the browser ended at. */
  browser?: string;
}

/** What a step must come to; without `exit` it must end with 0. */
export interface Expectation {
  exit?: number;
  /** The HTTP status of the last call. */
  status?: Condition;
  /** Members of the result by their pointers. */
  body?: readonly Expected[];
  /** Headers of the last answer by lower-case name. */
  headers?: readonly Expected[];
  /** How many findings the referee has against the calls of the step, both sides. */
  findings?: Condition;
  /** Milliseconds that the step may take. */
  withinMs?: number;
  /** By how much the balance of an account of the bank inside changes, by its IBAN. */
  ledger?: readonly Expected[];
}

/** One member and what is expected of it. */
export interface Expected extends Place {
  pointer: string;
  condition: Condition;
}

/** A step that reads is run again until what is expected of it holds. */
export interface Retry {
  withinMs: number;
  everyMs: number;
}

/** One step: a command line of obk. */
export interface JourneyStep extends Place {
  path: string;
  name?: string;
  /** The words of the command, such as `payment init`. */
  command: string;
  /** It was written as an `http:` step: its path is made of parts, and its status speaks for it. */
  http?: true;
  /** The value without a flag. */
  positionals: readonly Template[];
  /** Flags by their names with dashes; one without a value has none. */
  flags: readonly { flag: string; values: readonly Template[] | 'set' }[];
  /** What goes to the command on stdin; a map or a list is JSON, and a text that is JSON or XML keeps to its quoting. */
  input?: Template | { body: Body };
  profile?: Template;
  psu?: PsuScript;
  expect: Expectation;
  save?: string;
  retry?: Retry;
  each?: { name: string; of: Template | readonly Template[] };
  when?: readonly (Expected & { of: Template })[];
}

/** A journey as its file has it. */
export interface Journey {
  name: string;
  about?: string;
  tags: readonly string[];
  /** Operations of the interface, and approaches of SCA, without which it is left out. */
  needs: readonly string[];
  profiles: readonly string[];
  variables: readonly { name: string; value: Template | readonly Template[] }[];
  /** Names with a sentence that says what each is. */
  secrets: ReadonlyMap<string, string>;
  steps: readonly JourneyStep[];
  /** Steps that run at the end whatever happened before. */
  always: readonly JourneyStep[];
}
