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
  if (intent.settled !== undefined) return true;
  const state = await intentState(journal, intent);
  if (doubtOf(state) !== undefined) return false;
  const made = madeBy(intent, state);
  if (made !== undefined && made.id === undefined) return false;
  if (dryRun) return true;
  await intents.settle(
    intent.hash,
    { created: made !== undefined, at: clock.now().toISOString(), by: 'pruning', reason },
    { run: intent.run, resourceId: made?.id },
  );
  return true;
}
