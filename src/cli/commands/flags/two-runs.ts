import type { Flags } from '../../command.ts';
import { ObkError } from '../../../base/errors.ts';
import { named, placeOfLast } from '../../../client/resources/naming.ts';

/** The arguments of a command that compares two of `what`, the later one being the last without a word. */
export const twoRuns = <Own>(command: Flags<Own>, what: string) =>
  command
    .argument('<a>', `the earlier ${what}: its id or its beginning, @last, @last-1 ...`)
    .argument('[b]', 'the later one', '@last');

/**
 * The file of one that is kept, by its id, the beginning of it, or as `@last`, `@last-1`; `files` are oldest first. Throws
 * RESOURCE_NOT_SAVED and ID_AMBIGUOUS.
 */
export function keptFile(
  files: readonly string[],
  typed: string,
  { what, plural = `${what}s`, start }: { what: string; plural?: string; start: string },
): string {
  const back = placeOfLast(typed);
  const ids = files.map((file) => file.replace(/\.json$/, ''));
  const id =
    back === undefined ? named(typed, ids, (one) => one, { what: plural, list: start }) : ids.at(-1 - back);
  if (id !== undefined) return `${id}.json`;
  throw new ObkError({
    code: 'RESOURCE_NOT_SAVED',
    title:
      back === undefined
        ? `No ${what} ${typed} is kept here.`
        : `${typed}: so many ${plural} are not kept here.`,
    detail:
      ids.length === 0
        ? `No ${what} is kept here yet.`
        : `${String(ids.length)} ${ids.length === 1 ? 'is' : 'are'} kept, the newest as @last.`,
    hint: ids.length === 0 ? [start] : [],
    choices: {
      typed,
      among: ids
        .slice(-3)
        .reverse()
        .map((one) => ({ id: one })),
    },
  });
}
