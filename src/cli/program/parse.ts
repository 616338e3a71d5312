import { CommanderError } from 'commander';
import type { Globals } from '../context.ts';
import type { Loaded } from './load.ts';
import { usageFrom } from './usage.ts';

/** Parses the words after those of a command; the same command may be parsed again. Throws USAGE. */
export function parse({ command, entry }: Loaded, args: readonly string[]): Globals {
  try {
    command.action(() => undefined).parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const flags = command.options.flatMap(({ long, hidden }) => (hidden ? [] : (long ?? [])));
    throw usageFrom(error, entry.path, flags);
  }
  const positionals = command.registeredArguments.map(
    (argument, at) => [argument.name(), command.processedArgs[at] as unknown] as const,
  );
  const flags: Globals = command.opts();
  return { ...flags, ...Object.fromEntries(positionals) };
}
