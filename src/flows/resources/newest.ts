import type { Ports } from '../../ports.ts';
import type { Resources } from '../../ports/resources.ts';
import type { SavedResource } from '../../records/resources.ts';
import { nouns } from '../../sca/operations.ts';
import type { Noun } from '../../sca/operations.ts';

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
