import { defined } from '../../../base/defined.ts';
import { dirname } from 'node:path';
import type { Context } from '../../context.ts';
import { line } from '../../../base/command-line.ts';
import { ObkError } from '../../../base/errors.ts';
import { Commands } from '../../../tester/journeys/commands.ts';
import { readJourney } from '../../../tester/journeys/read-journey.ts';
import type { ReadJourney } from '../../../tester/journeys/read-journey.ts';
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
  const { files, notices } = context.ports;
  const found: FoundJourney[] = [];
  const wrong: Misplaced[] = [];
  for (const { file, bytes, shipped, listed } of await expanded(context, names)) {
    const read = readJourney(
      bytes ?? (await files.read(file)),
      shipped ? `${file}.yaml` : file,
      commands,
      exitNames,
    );
    // Nobody's file is at the place of a shipped one, so that it is trusted by no hash.
    const path = shipped ? `shipped:${file}` : files.absolute(file);
    if ('journey' in read)
      found.push({ ...read, file, path, folder: shipped ? context.process.cwd : dirname(path) });
    else if (listed && read.isOther === true)
      // Such as the result of an earlier run, which a CI job writes beside its journeys.
      notices.say(`${file} is left out: it has neither journey nor steps.`);
    else wrong.push(...read.faults.map((fault) => ({ ...fault, file })));
  }
  needNone(wrong);
  return found;
}

/** What is wrong with a journey, with its file. */
export interface Misplaced {
  file: string;
  line: number;
  column: number;
  path: string;
  why: string;
}

/** Throws INPUT_INVALID where anything is wrong. */
export function needNone(faults: readonly Misplaced[]): void {
  if (faults.length === 0) return;
  const wrong = faults.map(
    ({ file, line, column, path, why }) =>
      `${file}:${String(line)}:${String(column)}: ${path === '' ? '' : `${path}: `}${why}`,
  );
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: `Nothing was run: ${wrong.length === 1 ? 'one thing is' : `${String(wrong.length)} things are`} wrong.`,
    detail: wrong.slice(0, 100).join('\n'),
    hint: ['obk journey schema --output journey.schema.json   # every key, for an editor'],
  });
}

/** A journey to be read; one that obk ships by its name, with its text. */
interface Named {
  file: string;
  shipped: boolean;
  /** Found in a folder, and not named by itself. */
  listed: boolean;
  bytes?: Uint8Array;
}

/** A folder stands for the journeys in it, and a name that is no file for the one that obk ships. */
async function expanded({ ports: { files } }: Context, names: readonly string[]): Promise<Named[]> {
  const all: Named[] = [];
  for (const name of names) {
    const listed = await files.listing(name);
    if (listed !== undefined)
      for (const one of listed.filter((file) => /\.(?:ya?ml|json)$/i.test(file)))
        all.push({ file: `${name.replace(/\/$/, '')}/${one}`, shipped: false, listed: true });
    else all.push(await fileOrShipped(files, name));
  }
  return all;
}

async function fileOrShipped(files: Context['ports']['files'], name: string): Promise<Named> {
  try {
    return { file: name, shipped: false, listed: false, bytes: await files.read(name) };
  } catch (error) {
    if (!(error instanceof ObkError) || error.code !== 'INPUT_INVALID' || name === '-') throw error;
    const { nearShipped, shippedJourneys } = await import('../../../tester/journeys/shipped.ts');
    const text = shippedJourneys.get(name);
    if (text !== undefined) return { file: name, shipped: true, listed: false, bytes: Buffer.from(text) };
    const near = nearShipped(name).map((one) => line`obk journey run ${one}`);
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: error.title,
      ...defined({ detail: error.detail }),
      hint: [...near, 'obk journey list   # those that obk ships'],
    });
  }
}
