import type { JournalRecord, Noun, Ports } from '../ports.ts';
import { isFinalConsent, isFinalTransaction } from '../xs2a/codes.ts';
import { otherRuns, readable } from './log.ts';
import { idNames } from './sca-operations.ts';
import { memberIn } from './intent-state.ts';
import { settleBeforePruning } from './settle-intent.ts';
import { creations } from './unknown-writes.ts';

const day = 24 * 60 * 60 * 1000;
/** The file that says how far it has come. */
const place = 'retention';
const done = 'done';

/** What a run has made at the bank; without an id where its answer does not say. */
interface Creation {
  noun: Noun;
  id: string | undefined;
}

/**
 * Removes from the journal what is older than the setting says and needed by nothing: at most once a day, oldest first, and no
 * longer than `withinMs` in one run; the next run goes on. Stays what has no end, cannot be read, or is needed by an unknown
 * write, by an intent whose end is not known, or by a saved resource that is not final. Throws what the ports throw.
 */
export async function applyRetention(ports: Ports, withinMs: number): Promise<void> {
  const { store, usage, clock } = ports;
  const { retention } = await store.settings();
  if (retention === undefined) return;
  const now = clock.now().getTime();
  const [before] = await usage.read(place);
  const age = now - (before?.at ?? 0);
  if (before?.what === done && age >= 0 && age < day) return;
  await store.exclusively(place, 0, async () => {
    const reached = await removeFrom(ports, now - daysOf(retention) * day, before?.what ?? done, withinMs);
    await usage.update(place, () => [{ at: now, what: reached }]);
  });
}

function daysOf(retention: string): number {
  return Number.parseInt(retention, 10) * (retention.endsWith('w') ? 7 : 1);
}

/** Goes on behind a run; gives the last one that it came to, or that it is done. */
async function removeFrom(ports: Ports, before: number, behind: string, withinMs: number): Promise<string> {
  const { journal, clock } = ports;
  const began = clock.monotonic();
  const old = (await otherRuns(journal))
    .filter(({ run, startedAt }) => (behind === done || run > behind) && Date.parse(startedAt) < before)
    .reverse();
  const open = new Set((await journal.openRuns()).map(({ run }) => run));
  for (const { run } of old) {
    if (!open.has(run)) await removeUnlessNeeded(ports, run);
    if (clock.monotonic() - began >= withinMs) return run;
  }
  return done;
}

async function removeUnlessNeeded(ports: Ports, run: string): Promise<void> {
  const { journal, store } = ports;
  const records = await readable(journal, { run });
  const head = records?.find((record) => record.type === 'run');
  if (records === undefined || head === undefined || !records.some(({ type }) => type === 'ended')) return;
  const made = creationsIn(records);
  for (const { noun, id } of made) {
    if (id === undefined || (await isOpen(ports, head.profile, noun, id))) return;
  }
  if (!(await areSettled(ports, head.profile, records, run))) return;
  for (const { noun, id = '' } of made) {
    // Of what is final nothing is left to be authorised.
    for (const conversation of await store.conversations(head.profile, noun, id))
      await store.removeConversation(head.profile, conversation);
  }
  await journal.remove(run);
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

async function isOpen({ store }: Ports, profile: string, noun: Noun, id: string): Promise<boolean> {
  const saved = await store.resource(profile, noun, id);
  if (saved === undefined) return false;
  const isFinal = noun === 'consent' ? isFinalConsent : isFinalTransaction;
  return saved.status === undefined || !isFinal(saved.status);
}

/** Whether every intent of a run says itself how it ended, or belongs to a later run. */
async function areSettled(
  ports: Ports,
  profile: string,
  records: readonly JournalRecord[],
  run: string,
): Promise<boolean> {
  const hashes = new Set(
    records.flatMap((record) => (record.type === 'prepared' ? (record.intent ?? []) : [])),
  );
  for (const hash of hashes) {
    const intent = await ports.journal.intent(hash);
    if (intent === undefined) return false;
    if (intent.run !== run) continue;
    const { resourceId } = intent;
    if (resourceId !== undefined && (await isOpen(ports, profile, 'payment', resourceId))) return false;
    if (!(await settleBeforePruning(ports, intent, 'its run was old', false))) return false;
  }
  return true;
}
