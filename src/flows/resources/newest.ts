import type { Ports } from '../../ports.ts';
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
