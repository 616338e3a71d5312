import type { Ports } from '../../ports.ts';
import type { Intent } from '../../records/journal.ts';
import { doubtOf, intentState, madeBy } from './intent-state.ts';

/**
 * Notes at an intent how it ended, since its run is about to go; false where that is not known, or nobody could tell any more
 * which payment it made. What it says itself already stays as it is. `dryRun` notes nothing.
 */
export async function settleBeforePruning(
  { journal, clock }: Pick<Ports, 'journal' | 'clock'>,
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
  await journal.settleIntent(
    intent.hash,
    { created: made !== undefined, at: clock.now().toISOString(), by: 'pruning', reason },
    { run: intent.run, resourceId: made?.id },
  );
  return true;
}
