import type { Intent, Ports } from '../ports.ts';
import { readJson, stringMember } from '../xs2a/json.ts';
import { doubtOf, intentState } from './intent-state.ts';
import type { IntentState } from './intent-state.ts';

/**
 * Notes at an intent how it ended, since its run is about to go; false where that is not known, or nobody could tell any more
 * which payment it made. `dryRun` notes nothing.
 */
export async function settleBeforePruning(
  { journal, clock }: Pick<Ports, 'journal' | 'clock'>,
  intent: Intent,
  reason: string,
  dryRun: boolean,
): Promise<boolean> {
  const state = await intentState(journal, intent);
  if (doubtOf(state) !== undefined) return false;
  const created =
    state.kind === 'resolved' ? state.created : state.kind === 'answered' && state.record.outcome === 'DONE';
  const resourceId = intent.resourceId ?? paymentIn(state);
  if (created && resourceId === undefined) return false;
  if (dryRun) return true;
  await journal.settleIntent(
    intent.hash,
    { created, at: clock.now().toISOString(), by: 'pruning', reason },
    { run: intent.run, ...(created && resourceId !== undefined && { resourceId }) },
  );
  return true;
}

/** The payment that an intent made, as its journal says. */
export function paymentIn(state: IntentState): string | undefined {
  if (state.kind === 'resolved') return state.paymentId;
  return state.kind === 'answered' && state.record.outcome === 'DONE'
    ? memberIn(state.record.body, 'paymentId')
    : undefined;
}

/** A member of the JSON of an answer; undefined where it is none or has none. */
export function memberIn(body: string, name: string): string | undefined {
  try {
    return stringMember(readJson(body), name);
  } catch {
    return undefined;
  }
}
