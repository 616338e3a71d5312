import type { Entry } from '../../command.ts';

/** A command by its summary and its module; of a noun, in place of a module, the verb that it means by itself, or nothing. */
type CommandRow = readonly [summary: string, how?: string | Entry['load']];

/** The entries of a table of commands by their words; `group` is the heading in the help above those of one word. */
export const entries = (group: string, rows: Readonly<Record<string, CommandRow>>): readonly Entry[] =>
  Object.entries(rows).map(([path, [summary, how]]) => ({
    path,
    summary,
    ...(path.includes(' ') ? {} : { group }),
    ...(typeof how === 'string' ? { verb: how } : how === undefined ? {} : { load: how }),
  }));
