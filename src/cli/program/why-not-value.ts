import { CommanderError } from 'commander';
import { ObkError } from '../../base/errors.ts';
import { load } from './load.ts';

/**
 * Returns why the parser of a command does not take a text as the value of a flag (`--amount`), or of its argument at a place
 * (0 is the first); undefined where it does.
 */
export async function whyNotValue(
  path: string,
  at: string | number,
  text: string,
): Promise<string | undefined> {
  const { command } = await load(path.split(' '));
  const taker =
    typeof at === 'number'
      ? command.registeredArguments[at]
      : command.options.find(({ long }) => long === at);
  try {
    taker?.parseArg?.(text, undefined as never);
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.message;
    if (!(error instanceof ObkError)) throw error;
    return [error.title, error.detail].filter(Boolean).join(' ');
  }
}
