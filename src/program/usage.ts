import type { CommanderError } from 'commander';
import { usageError } from '../commands/flags/flag-values.ts';
import { tree } from '../commands/catalogue/tree.ts';
import type { ObkError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { namesBelow } from './find-command.ts';

/** The parser's error in our words; `flags` are those of the command. */
export function usageFrom(error: CommanderError, path: string, flags: readonly string[]): ObkError {
  const what = error.message.replace(/^error: /, '');
  const quoted = /'([^']*)'/.exec(what)?.[1] ?? '';
  const help = `obk ${path} --help`;
  switch (error.code) {
    case 'commander.unknownOption': {
      const near = nearest(quoted, flags);
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

/** Words that are no command, with the names that were probably meant. */
export function unknownCommand(path: readonly string[], word: string): Error {
  const at = ['obk', ...path].join(' ');
  const siblings = nearest(word, namesBelow(path)).map((name) => `${at} ${name}`);
  const elsewhere = tree
    .filter((entry) => entry.hidden !== true && entry.path.endsWith(` ${[...path, word].join(' ')}`))
    .map((entry) => `obk ${entry.path}`);
  const tries = siblings.length > 0 ? siblings : elsewhere.length > 0 ? elsewhere : [`${at} --help`];
  return usageError(`${at} has no command ${JSON.stringify(word)}.`, ...tries.slice(0, 5));
}
