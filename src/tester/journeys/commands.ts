/** A flag as a journey may use it. */
export interface FlagFacts {
  name: string;
  /** The name of its value; null where it takes none. */
  value: string | null;
  choices: readonly string[] | null;
  repeatable: boolean;
  description: string;
}

/** A command as a step may run it. */
export interface CommandFacts {
  command: string;
  summary: string;
  arguments: readonly { name: string; required: boolean; repeatable: boolean; description: string }[];
  flags: readonly FlagFacts[];
}

/** Everything that obk can do, as its own parser knows it. */
export interface CommandsKnown {
  nouns: readonly { noun: string; verb: string | null }[];
  commands: readonly CommandFacts[];
  globalFlags: readonly FlagFacts[];
}

/** Commands that wait for a person, serve without an end, or are about the tool itself. */
const noSteps = /^(?:journey|completion|help|listen|log tail|sandbox (?:start|stop)|commands)\b/;

/** Flags of every command that a step may have; how its result is shown is not for a journey to say. */
const usefulEverywhere = ['--require-environment', '--trace'];

/** A bank may have products of its own, which its description names: the list is what the interface has. */
const open = (flag: FlagFacts): FlagFacts => (flag.name === '--product' ? { ...flag, choices: null } : flag);

/** The commands of the steps, by their words; a noun alone means its usual verb. */
export class Commands {
  readonly #byWords: ReadonlyMap<string, CommandFacts>;

  constructor({ nouns, commands, globalFlags }: CommandsKnown) {
    const everywhere = globalFlags.filter(({ name }) => usefulEverywhere.includes(name));
    const own = commands
      .filter(({ command }) => !noSteps.test(command))
      .map((one): [string, CommandFacts] => [
        one.command,
        { ...one, flags: [...one.flags.map(open), ...everywhere] },
      ]);
    const byWords = new Map(own);
    for (const { noun, verb } of nouns) {
      const meant = verb === null ? undefined : byWords.get(`${noun} ${verb}`);
      if (meant !== undefined) byWords.set(noun, meant);
    }
    this.#byWords = byWords;
  }

  find(words: string): CommandFacts | undefined {
    return this.#byWords.get(words);
  }

  get words(): readonly string[] {
    return [...this.#byWords.keys()];
  }
}

/** Verbs that only read: a step of theirs may run again until what is expected holds. */
const readingVerbs =
  /(?:^| )(?:status|get|list|balances|transactions|authorisations|methods|show|check|people|log|whoami|doctor)$/;

/** Whether a command changes nothing at the bank, so that it may be run again. */
export function onlyReads(command: string): boolean {
  return readingVerbs.test(command);
}
