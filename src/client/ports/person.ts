import type { Secret } from '../../base/secret.ts';

/** The members of every question: the flag and environment variable answer it without a person. */
export interface Question {
  id: string;
  flag: string;
  env: string;
  text: string;
  /** The answer of the profile (a value, or a secret reference), used after flag and environment. */
  fallback?: string;
  /** True where the bank asks again: the earlier answer is not used once more, only a person or a program is asked. */
  again?: boolean;
  /** Called when a human has answered; no reference, program or script calls it. */
  typed?: () => void;
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
  /** What the entry will do, shown with the question: `Confirms: cancellation of 7.00 EUR to G at acme`. */
  confirms?: string;
  /** The length and form that the bank has named. */
  maxLength?: number;
  format?: 'characters' | 'integer';
  /** Blanks around the answer are cut off. */
  trim?: boolean;
}

/** A choice among options. */
export interface ChoiceQuestion extends Question {
  /** `aliases` are further words by which a script may choose an option, compared without regard to case. */
  options: readonly { value: string; name: string; description?: string; aliases?: readonly string[] }[];
}

/** Where the PSU acts without obk: at a link in a browser, or on another device that shows what is to be authorised. */
export type Elsewhere = { url: string } | { url?: undefined; id: string; authorisationId?: string };

/** Who can give another entry: a human, or what stands for one and has a new one to give. */
export type OtherEntry = 'human' | 'program';

/** The human (or the script in its place). Every method throws InteractionNeeded where nobody can answer. */
export interface Person {
  /** Whether questions reach a human. */
  readonly present: boolean;
  /** Whether a flag, a variable or the profile answers the question, so that no human is needed. */
  answered(question: Question): boolean;
  /** Whether another entry can come after one that did not lead on, and from whom; undefined where none can. */
  another(question: Question): Promise<OtherEntry | undefined>;
  ask(question: TextQuestion): Promise<string>;
  askSecret(question: SecretQuestion): Promise<Secret>;
  choose(question: ChoiceQuestion): Promise<string>;
  /** Default No. */
  confirm(question: Question): Promise<boolean>;
  /** Waits for a pasted line until the signal aborts; never resolves where nobody is there. */
  paste(text: string, signal: AbortSignal): Promise<string>;
  /** Told that the bank waits for the PSU elsewhere. A person sees the link; what stands for one acts there before this resolves. */
  elsewhere?(where: Elsewhere): Promise<void>;
}

/** Lines for the person while something happens; all go to stderr. */
export interface Notices {
  /** A line of its own; hidden by -q. */
  say(line: string): void;
  /** Where the run works, once: quiet for the eye, but for the `alarming` word in it; hidden by -q. */
  place(line: string, alarming?: string): void;
  /**
   * What the run has just made, for whoever finds no result because the run was ended: `facts` for a program, `text` where
   * people read and no terminal shows it anyway. Hidden by -qq only.
   */
  created(text: string | undefined, facts: object): void;
  /** A warning; hidden by -q. */
  warn(line: string): void;
  /** Detail: level 1 to 3 as -v, -vv, -vvv. */
  trace(level: 1 | 2 | 3, line: string): void;
  /** A call to the bank, shown from -v on: `text` for a person, `facts` (plain JSON, without secrets) for a program. */
  call(text: string, facts: object): void;
  /** Shows that something lasts; quiet when nobody watches. */
  progress(text: string): { update(text: string): void; stop(): void };
}
