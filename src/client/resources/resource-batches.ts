import type { SavedResource } from '../../settings/records/resources.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import type { Ports } from '../ports.ts';

/** So few are one read. */
const few = 200;

/** The resources of a profile, newest first, in batches that are read as they are asked for; with a limit so many of them. */
export async function* resourceBatches(
  { resources }: Pick<Ports, 'resources'>,
  profile: string,
  noun: Noun,
  limit = Infinity,
): AsyncGenerator<readonly SavedResource[]> {
  if (limit <= few) {
    yield await resources.list(profile, noun, limit);
    return;
  }
  let left = limit;
  for await (const some of await resources.batches(profile, noun)) {
    yield some.slice(0, left);
    left -= some.length;
    if (left <= 0) return;
  }
}
