import { Command } from 'commander';
import type { Option } from 'commander';
import type { Entry, Page } from '../command.ts';
import { globalOptions } from '../commands/flags/global-options.ts';
import { tree } from '../commands/catalogue/tree.ts';
import type { Values } from '../completion/complete.ts';
import type { CommandTree, FlagDescription } from '../context.ts';
import { argumentValues, valuesOf } from './completion-facts.ts';
import { exitsOf } from './help.ts';

/** Everything that can be typed, from the commands themselves. */
export function describeCommands(
  all: readonly { entry: Entry; command: Command; page: Page }[],
): CommandTree {
  const globalFlags = globalOptions(new Command('obk')).options.map(describeFlag);
  // A command's own --as or --output has the name of a flag of all, and is none of them.
  const isGlobal = ({ name, description }: FlagDescription) =>
    globalFlags.some((one) => one.name === name && one.description === description);
  return {
    nouns: tree
      .filter(({ load, hidden }) => load === undefined && hidden !== true)
      .map(({ path, summary, verb }) => ({ noun: path, summary, verb: verb ?? null })),
    commands: all
      .filter(({ entry }) => entry.hidden !== true)
      .map(({ entry: { path, summary }, command, page }) => ({
        command: path,
        summary,
        about: page.about ?? summary,
        arguments: command.registeredArguments.map((argument) => ({
          name: argument.name(),
          required: argument.required,
          repeatable: argument.variadic,
          choices: closed(argumentValues(path, argument)),
          description: argument.description,
        })),
        flags: command.options
          .filter(({ hidden }) => !hidden)
          .map(describeFlag)
          .filter((flag) => !isGlobal(flag)),
        exitCodes: exitsOf(page.exits ?? []),
        examples: page.examples,
        prints: page.prints,
      })),
    globalFlags,
  };
}

function describeFlag(option: Option): FlagDescription {
  const takes = option.required || option.optional;
  return {
    name: option.long ?? option.flags,
    short: option.short ?? null,
    value: takes ? option.flags.replace(/^[^<[]*[<[]|[>\]]$/g, '') : null,
    valueRequired: option.required,
    choices: takes ? closed(valuesOf(option)) : null,
    // Only parsers of repeatable flags take the previous value as a second argument.
    repeatable: (option.parseArg?.length ?? 0) > 1,
    description: option.description,
  };
}

/** The list that a value is taken from; null where others are taken as well. */
function closed(values: Values): readonly string[] | null {
  if (values === null || typeof values === 'string') return null;
  if (!('products' in values)) return Array.isArray(values) ? (values as readonly string[]) : null;
  return values.products;
}
