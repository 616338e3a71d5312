import { dirname } from 'node:path';
import type { Context } from '../../context.ts';
import { ObkError } from '../../errors.ts';
import { Commands } from '../../journeys/commands.ts';
import { readJourney } from '../../journeys/read-journey.ts';
import type { ReadJourney } from '../../journeys/read-journey.ts';
import { exitMeanings } from '../output/exit-meanings.ts';

/** A journey as it was found: its file as it was named, and as it is. */
export interface FoundJourney extends ReadJourney {
  file: string;
  path: string;
  folder: string;
}

/** The commands that a step may have. */
export const commandsOf = async (context: Context): Promise<Commands> =>
  new Commands(await context.commandTree());

/** The words for exit codes. */
export const exitNames = exitMeanings.map(({ code, name }) => ({ code, name }));

/** Reads journeys; what is wrong with any of them is told at once. Throws INPUT_INVALID. */
export async function readJourneys(
  context: Context,
  names: readonly string[],
  commands: Commands,
): Promise<FoundJourney[]> {
  const { files } = context.ports;
  const found: FoundJourney[] = [];
  const wrong: string[] = [];
  for (const file of await expanded(context, names)) {
    const read = readJourney(await files.read(file), file, commands, exitNames);
    const path = files.absolute(file);
    if ('journey' in read) found.push({ ...read, file, path, folder: dirname(path) });
    else
      for (const { line, column, path: where, why } of read.faults)
        wrong.push(`${file}:${String(line)}:${String(column)}: ${where === '' ? '' : `${where}: `}${why}`);
  }
  if (wrong.length === 0) return found;
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: `Nothing was run: ${wrong.length === 1 ? 'one thing is' : `${String(wrong.length)} things are`} wrong.`,
    detail: wrong.slice(0, 100).join('\n'),
    hint: ['obk journey schema   # every key, for editors and people'],
  });
}

/** A folder stands for the journeys in it. */
async function expanded({ ports: { files } }: Context, names: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  for (const name of names) {
    const listed = await files.listing(name);
    if (listed === undefined) all.push(name);
    else
      all.push(
        ...listed.filter((one) => /\.ya?ml$/.test(one)).map((one) => `${name.replace(/\/$/, '')}/${one}`),
      );
  }
  return all;
}
