import type { CommanderError } from 'commander';
import { usageError } from '../commands/flags.ts';
import type { ObkError } from '../errors.ts';

/** What the parser found wrong, in our words. */
export function usageFrom(error: CommanderError, path: string): ObkError {
  const text = error.message.replace(/^error: /, '');
  const [what = '', meant] = text.split(/\n\(Did you mean (?:one of )?/);
  const quoted = /'([^']*)'/.exec(what)?.[1] ?? '';
  const help = `obk ${path} --help`;
  switch (error.code) {
    case 'commander.unknownOption': {
      const near = meant?.replace(/\?\)$/, '').split(', ') ?? [];
      return usageError(`obk ${path} has no flag ${quoted}.`, ...(near.length > 0 ? near : [help]));
    }
    case 'commander.optionMissingArgument':
      return usageError(`${quoted.replace(/^-\w, /, '').replace(/ <.*$/, '')} needs a value.`, help);
    case 'commander.missingArgument':
      return usageError(`Missing ${quoted.toUpperCase()}.`, help);
    case 'commander.excessArguments':
      return usageError(
        `obk ${path} takes fewer words: ${what.replace(/^too many arguments\.? ?/, '')}`,
        help,
      );
    default:
      return usageError(`${what.charAt(0).toUpperCase()}${what.slice(1)}.`.replace(/\.\.$/, '.'), help);
  }
}
