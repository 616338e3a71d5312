import type { Ports } from '../ports.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';
import { idNames } from '../../standard/sca/operations.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import { isFinalConsent, isFinalTransaction } from '../../standard/xs2a/codes.ts';
import { memberIn } from '../resources/intent-state.ts';
import { readable } from '../resources/run-records.ts';
import { settleBeforePruning } from '../resources/settle-intent.ts';
import { creations } from '../resources/unknown-writes.ts';

/** Why an old run stays. */
export type Keeping = 'notEnded' | 'unreadable' | 'unknown' | 'intent' | 'resource';

/** A resource that a run has created at the bank; without an id if the answer does not say. */
interface Creation {
  noun: Noun;
  id: string | undefined;
}

/**
 * Removes a run from the journal unless it is needed, and says why it stays: it has no end (it may be calling now) or cannot be
 * read; it is among the `open` ones; what it made is not known or not final; its intent cannot say how it ended. First its
 * intents learn how they ended, so that no payment is made twice; what was left to authorise of a final resource goes with it.
 * `dryRun` changes nothing. Throws what the ports throw.
 */
export async function removeUnlessNeeded(
  ports: Ports,
  run: string,
  { open, reason, dryRun }: { open: ReadonlySet<string>; reason: string; dryRun: boolean },
): Promise<Keeping | undefined> {
  const { journal, resources } = ports;
  const records = await readable(journal, { run });
  const head = records?.find((record) => record.type === 'run');
  // Without the profile, the resources of a run cannot be found.
  if (records === undefined || head === undefined) return 'unreadable';
  if (!records.some(({ type }) => type === 'ended')) return 'notEnded';
  if (open.has(run)) return 'unknown';
  const made = creationsIn(records);
  for (const { noun, id } of made) {
    if (id === undefined || (await isOpen(ports, head.profile, noun, id))) return 'resource';
  }
  const needed = await settleIntents(ports, { profile: head.profile, records, run }, { reason, dryRun });
  if (needed !== undefined || dryRun) return needed;
  for (const { noun, id = '' } of made) {
    for (const conversation of await resources.conversations(head.profile, noun, id))
      await resources.removeConversation(head.profile, conversation);
  }
  await journal.remove(run);
  return undefined;
}

function creationsIn(records: readonly JournalRecord[]): Creation[] {
  return records.flatMap((record): Creation[] => {
    if (record.type !== 'prepared') return [];
    const noun = creations[record.operation];
    if (noun === undefined) return [];
    const own = records.filter((other) => 'exchange' in other && other.exchange === record.exchange);
    const resolved = own.findLast((other) => other.type === 'resolved');
    if (resolved?.type === 'resolved')
      return resolved.resolution === 'created' ? [{ noun, id: resolved.resource?.[idNames[noun]] }] : [];
    const answer = own.find((other) => other.type === 'answered' && other.outcome === 'DONE');
    return answer?.type === 'answered' ? [{ noun, id: memberIn(answer.body, idNames[noun]) }] : [];
  });
}

async function isOpen({ resources }: Ports, profile: string, noun: Noun, id: string): Promise<boolean> {
  const saved = await resources.find(profile, noun, id);
  if (saved === undefined) return false;
  const isFinal = noun === 'consent' ? isFinalConsent : isFinalTransaction;
  return saved.status === undefined || !isFinal(saved.status);
}

/** Why a run is needed by its intents: undefined where each says itself how it ended, or belongs to a later run. */
async function settleIntents(
  ports: Ports,
  { profile, records, run }: { profile: string; records: readonly JournalRecord[]; run: string },
  { reason, dryRun }: { reason: string; dryRun: boolean },
): Promise<'intent' | 'resource' | undefined> {
  const hashes = new Set(
    records.flatMap((record) => (record.type === 'prepared' ? (record.intent ?? []) : [])),
  );
  for (const hash of hashes) {
    const intent = await ports.intents.find(hash);
    if (intent === undefined) return 'intent';
    if (intent.run !== run) continue;
    const { resourceId } = intent;
    if (resourceId !== undefined && (await isOpen(ports, profile, 'payment', resourceId))) return 'resource';
    if (!(await settleBeforePruning(ports, intent, reason, dryRun))) return 'intent';
  }
  return undefined;
}
