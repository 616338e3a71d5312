import { Command } from 'commander';
import type { Entry, Page, Run, Start } from '../command.ts';
import { bankOption } from '../commands/flags/bank-option.ts';
import { globalOptions } from '../commands/flags/global-options.ts';
import { tree } from '../commands/catalogue/tree.ts';

/** A command as it was registered. */
export interface Loaded {
  command: Command;
  entry: Entry;
  page: Page;
  run: Run<never>;
  /** Its --output is its own, and not where the result goes. */
  ownsOutput: boolean;
  /** Its --findings is its own, and not about the calls of this run. */
  ownsFindings: boolean;
}

/** Registers one command below its parents; nothing else is loaded. */
export async function load(path: readonly string[]): Promise<Loaded> {
  const entry = tree.find((candidate) => candidate.path === path.join(' '));
  const module = await entry?.load?.();
  const register =
    typeof module?.register === 'object' ? module.register[path.at(-1) ?? ''] : module?.register;
  if (entry === undefined || register === undefined) throw new Error(`no module for ${path.join(' ')}`);
  const command = path.reduce((parent, word) => bare(parent.command(word)), bare(new Command('obk')));
  let loaded: Loaded | undefined;
  const start: Start = (_, page, work) => {
    const owns = (flag: string) => command.options.some(({ long }) => long === flag);
    const [ownsOutput, ownsFindings] = [owns('--output'), owns('--findings')];
    if (ofBank(entry.path)) bankOption(command);
    loaded = { command: globalOptions(command), entry, page, run: work, ownsOutput, ownsFindings };
    return command;
  };
  register(command, start);
  if (loaded === undefined) throw new Error(`${entry.path} did not register itself`);
  return loaded;
}

/** Whether a command is for a bank that runs already. */
const ofBank = (path: string): boolean => /^sandbox (?!(?:start|replay|record)$)/.test(path);

/** A parser that neither prints nor exits. */
function bare(command: Command): Command {
  return (
    command
      .helpOption(false)
      .helpCommand(false)
      // Suggestions are made here: commander needs its help for them, which the bundle leaves out.
      .showSuggestionAfterError(false)
      .exitOverride()
      .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
      .allowExcessArguments(false)
  );
}
