import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { Resources } from '../ports/resources.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import { nouns } from '../../standard/sca/operations.ts';

/** How many newer ones `@last-N` passes over, none for `@last`; undefined for an id of another form. */
export function placeOfLast(id: string): number | undefined {
  const back = /^@last(?:-(\d{1,4}))?$/.exec(id);
  return back === null ? undefined : Number(back[1] ?? 0);
}

/** Payments, consents and baskets together, newest first, from a list of each noun; with a limit so many of them. */
export async function newestOfAll(
  list: (noun: Noun) => Promise<readonly SavedResource[]>,
  limit?: number,
): Promise<SavedResource[]> {
  const lists = await Promise.all(nouns.map(list));
  return lists
    .flat()
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    .slice(0, limit);
}

/** What this machine has made, newest first, so many: `@last` of a shared state means no other's. */
export async function newestHere(
  resources: Pick<Resources, 'batches'>,
  profile: string,
  noun: Noun,
  count: number,
): Promise<readonly SavedResource[]> {
  const found: SavedResource[] = [];
  for await (const some of await resources.batches(profile, noun)) {
    found.push(...some.filter(isOfHere));
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

export const isOfHere = ({ elsewhere }: SavedResource): boolean => elsewhere !== true;

/** Refuses `@last` while the newest payment of a profile is in doubt (exit 12): a person may mean that one. */
export async function refuseDoubt(
  { journal, intents }: Pick<Ports, 'journal' | 'intents'>,
  profile: string,
): Promise<void> {
  const intent = await intents.newest(profile);
  if (intent === undefined) return;
  const { doubtOf, intentState, unknownOutcome } = await import('./intent-state.ts');
  const doubt = doubtOf(await intentState(journal, intent));
  if (doubt !== undefined) throw unknownOutcome(intent, doubt);
}

/** An id that may have been meant, and a word on what it is. */
export interface Candidate {
  id: string;
  says?: string;
}

/** So many ids are offered in place of one that fits several. */
const offered = 5;

/** So much of an id may stand for the whole. */
export const leastOfId = 6;

/**
 * The refusal of an id that is the beginning of several: the run that it came from adds its own command line with each of
 * them. `what` is the noun in the plural, `list` the command that shows them all.
 */
export function ambiguousId(
  typed: string,
  what: string,
  candidates: readonly Candidate[],
  list: string,
): ObkError {
  const count = candidates.length;
  return new ObkError({
    code: 'ID_AMBIGUOUS',
    title: `${typed} is the beginning of ${String(count)} ${what}.`,
    detail:
      count > offered
        ? `A longer beginning names one. ${String(offered)} of them are shown.`
        : 'A longer beginning names one.',
    hint: [list],
    choices: { typed, among: candidates.slice(0, offered) },
  });
}

/**
 * The one that an id names among those that have ids: it whole, else the only one that begins so. Undefined where there is none;
 * throws ID_AMBIGUOUS.
 */
export function named<Item>(
  typed: string,
  items: readonly Item[],
  idOf: (item: Item) => string,
  { what, list }: { what: string; list: string },
): Item | undefined {
  const whole = items.find((item) => idOf(item) === typed);
  if (whole !== undefined || typed.length < leastOfId) return whole;
  const begun = items.filter((item) => idOf(item).startsWith(typed));
  if (begun.length < 2) return begun[0];
  throw ambiguousId(
    typed,
    what,
    begun.map((item) => ({ id: idOf(item) })),
    list,
  );
}

/** A resource as a candidate: its noun, its state and what a person knows it by. */
export function candidateOf({ id, noun, status, summary }: SavedResource): Candidate {
  const { amount, currency, creditorName } = summary ?? {};
  return { id, says: [noun, status, amount, currency, creditorName].filter(Boolean).join(' ') };
}
