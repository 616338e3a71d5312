import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Intent, IntentEnd } from '../../settings/records/journal.ts';

/**
 * Whether a run may begin the payment of an intent that another has begun: nothing left, or nothing came of it. `cameToNothing`
 * is true where the run which let it go has recorded so. What is settled as made is never begun again.
 */
export function mayBeTaken({ sent, settled }: Intent, cameToNothing: boolean): boolean {
  return settled === undefined ? sent === false || cameToNothing : !settled.created;
}

/** Throws INTENT_IN_PROGRESS unless the request of this run may leave: the intent is its own, not settled, and nothing of it is on its way. */
export function checkMayLeave(intent: Intent, run: string, cameToNothing: boolean): void {
  if (intent.run !== run)
    throw inProgress(
      'Another process has taken over this payment.',
      `Run ${intent.run} has been carrying it out since ${intent.createdAt}; nothing was sent here.`,
      ['Run this again with the same --intent-key to see what became of it.'],
    );
  if (intent.settled !== undefined)
    throw inProgress(
      'This payment was settled while it was being prepared.',
      'Somebody has said how it ended; nothing was sent here.',
      [show(intent)],
    );
  if (!mayBeTaken(intent, cameToNothing))
    throw inProgress(
      'This payment has left before.',
      'What became of that request is not known to be nothing, so it is not sent again.',
      [show(intent)],
    );
}

/** The intent once it is known how it ended; undefined where that changes nothing. What pruning read never replaces an end that is there. */
export function ended(
  intent: Intent,
  settled: IntentEnd,
  of: { resourceId?: string | undefined; run?: string | undefined },
): Intent | undefined {
  // A fact about one run does not hold for the run that has taken the intent over.
  if (of.run !== undefined && of.run !== intent.run) return undefined;
  const isPruned = settled.by === 'pruning';
  const { amount, currency } = intent.summary;
  return {
    ...intent,
    ...defined({ resourceId: of.resourceId }),
    settled: isPruned ? (intent.settled ?? settled) : settled,
    // The names and accounts are removed with the run; the hashes stay to guard against doubles.
    ...(isPruned && {
      summary: { ...defined({ amount, currency }) },
    }),
  };
}

/** The refusal of an intent whose record is damaged or gone. */
export function brokenIntent(place: string, why: string, hash: string): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'The record of a payment is damaged, so nothing is sent.',
    detail: `${place}: ${why}. It says whether this payment was made before.`,
    hint: [line`obk pending show ${hash.slice(0, 12)}   # what is known, and how it is settled`],
  });
}

const show = ({ hash }: Intent): string => line`obk pending show ${hash.slice(0, 12)}`;

function inProgress(title: string, detail: string, hint: readonly string[]): ObkError {
  return new ObkError({ code: 'INTENT_IN_PROGRESS', title, detail, hint });
}
