import type { Ports } from '../ports.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import { ledgerSeen } from '../exchange/open-target.ts';
import { resourceBatches } from './resource-batches.ts';

/**
 * Returns whether a resource was made in a ledger of the bank inside that is gone, as far as the last run of this profile
 * has seen; of any other bank none was.
 */
export async function earlierLedger(
  ports: Pick<Ports, 'usage'>,
  profile: string,
): Promise<(resource: Pick<SavedResource, 'ledger'>) => boolean> {
  const now = await ledgerSeen(ports, profile);
  return ({ ledger }) => now !== undefined && ledger !== undefined && ledger !== now;
}

/** The resources that the bank may still know, newest first; with a limit at most that many. */
export async function livingResources(
  { ports, name: profile }: { ports: Ports; name: string },
  noun: Noun,
  limit?: number,
  only: (one: SavedResource) => boolean = () => true,
): Promise<SavedResource[]> {
  const isEarlier = await earlierLedger(ports, profile);
  const living = async (among?: number): Promise<SavedResource[]> => {
    const found: SavedResource[] = [];
    for await (const some of resourceBatches(ports, profile, noun, among)) {
      found.push(...some.filter((one) => !isEarlier(one) && only(one)));
      if (limit !== undefined && found.length >= limit) break;
    }
    return found.slice(0, limit);
  };
  // Mostly the newest are living ones, and no more need be read.
  const newest = limit === undefined ? [] : await living(limit);
  return newest.length === limit ? newest : living();
}
