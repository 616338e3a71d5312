import type { Ports } from '../ports.ts';
import type { Intent } from '../../settings/records/journal.ts';
import { doubtOf, intentState, madeBy } from './intent-state.ts';

/**
 * Records at an intent how it ended, before its run is pruned. Returns false if the end is unknown or the id of its
 * payment would be lost. An end that is recorded already stays. `dryRun` records nothing.
 */
export async function settleBeforePruning(
  { journal, intents, clock }: Pick<Ports, 'journal' | 'intents' | 'clock'>,
  intent: Intent,
  reason: string,
  dryRun: boolean,
): Promise<boolean> {
  const settle = async (created: boolean, resourceId?: string): Promise<true> => {
    const end = { created, at: clock.now().toISOString(), by: 'pruning', reason } as const;
    if (!dryRun) await intents.settle(intent.hash, end, { run: intent.run, resourceId });
    return true;
  };
  // Its end stays; the names and accounts go with the run.
  if (intent.settled !== undefined) return settle(intent.settled.created);
  const state = await intentState(journal, intent);
  if (doubtOf(state) !== undefined) return false;
  const made = madeBy(intent, state);
  if (made !== undefined && made.id === undefined) return false;
  return settle(made !== undefined, made?.id);
}
