import type { EndedRun, JournalRecord, JournalRun, Ports } from '../ports.ts';
import { isOfProfile } from './log-filter.ts';
import { otherRuns, readable } from './log.ts';
import { idNames } from './sca-operations.ts';
import { memberIn } from './intent-state.ts';
import { creations } from './unknown-writes.ts';

/** Which runs are old: those before a time, or all but the newest ones. */
export type OldRuns = { before: Date } | { allBut: number };

/** Why an old run stays. */
export type Keeping = 'notEnded' | 'unreadable' | 'unknown' | 'intent' | 'resource';

/** What became (or would become) of the old runs. */
export interface Pruned {
  /** Ids, oldest first. */
  removed: readonly string[];
  /** How many of the old ones stay, and why. */
  kept: Readonly<Record<Keeping, number>>;
}

/** An old run that has ended, as far as pruning looks at it. */
interface Candidate {
  run: string;
  requestIds: readonly string[];
  /** What its calls have made at the bank; undefined where the answer does not say. */
  made: readonly (string | undefined)[];
  profile: string;
}

/**
 * Removes old runs from the journal, but none that is still needed: a run without its end (it may be calling now), one that
 * cannot be read, one with an unknown write, one that an intent points to which does not say itself how it ended, and one that
 * made a resource which is saved here.
 * `dryRun` removes nothing.
 */
export async function prune(
  ports: Ports,
  old: OldRuns,
  options: { profile?: string; dryRun: boolean },
): Promise<Pruned> {
  const kept = { notEnded: 0, unreadable: 0, unknown: 0, intent: 0, resource: 0 };
  const candidates: Candidate[] = [];
  const ended = await ports.journal.endedRuns();
  const isKnown = await knownRuns(ports, ended);
  const quick: string[] = [];
  for (const run of await oldRuns(ports, old, ended, options.profile)) {
    const known = await isKnown(run.run);
    if (known === 'gone' && options.dryRun) {
      quick.push(run.run);
      continue;
    }
    const candidate = known === undefined || known === 'gone' ? await candidateOf(ports, run) : known;
    if (typeof candidate === 'string') kept[candidate] += 1;
    else candidates.push(candidate);
  }
  const isNeeded = candidates.length === 0 ? () => undefined : await needed(ports, candidates);
  const removed: string[] = [];
  for (const candidate of candidates) {
    const why = isNeeded(candidate);
    if (why !== undefined) kept[why] += 1;
    else {
      if (!options.dryRun) await ports.journal.remove(candidate.run);
      removed.push(candidate.run);
    }
  }
  return { removed: quick.length === 0 ? removed : [...removed, ...quick].sort(), kept };
}

/**
 * What is known of a run without reading it: that its intent needs it, or that nothing does, since it only read. Undefined of
 * every other one.
 */
async function knownRuns(
  { journal }: Ports,
  ended: ReadonlyMap<string, EndedRun>,
): Promise<(run: string) => Promise<'intent' | 'gone' | undefined>> {
  const hashes = await journal.intentHashes();
  const open = new Set((await journal.openRuns()).map(({ run }) => run));
  const runsOf = new Map<string, number>();
  for (const { intents } of ended.values())
    for (const hash of intents) runsOf.set(hash, (runsOf.get(hash) ?? 0) + 1);
  return async (run) => {
    const known = ended.get(run);
    if (known === undefined || open.has(run)) return undefined;
    if (!known.writes) return 'gone';
    // What was settled later may stand in the intent itself.
    if (known.calls.some(({ resolved }) => resolved)) return undefined;
    const [hash, another] = known.intents;
    if (hash === undefined || another !== undefined || !hashes.has(hash)) return undefined;
    // One that was taken over belongs to the last of its runs alone.
    if (runsOf.get(hash) !== 1 && (await journal.intent(hash))?.run !== run) return undefined;
    return 'intent';
  };
}

/** Oldest first, so that a prune that is interrupted has removed the oldest. */
async function oldRuns(
  { journal }: Ports,
  old: OldRuns,
  ended: ReadonlyMap<string, EndedRun>,
  profile: string | undefined,
): Promise<JournalRun[]> {
  const all: JournalRun[] = [];
  for (const run of await otherRuns(journal)) {
    const known = ended.get(run.run);
    if (profile !== undefined && known !== undefined) {
      if (known.profile === profile) all.push(run);
    } else if (profile === undefined || isOfProfile({ profile }, (await readable(journal, run)) ?? []))
      all.push(run);
  }
  const found =
    'allBut' in old
      ? all.slice(old.allBut)
      : all.filter(({ startedAt }) => Date.parse(startedAt) < old.before.getTime());
  return found.toReversed();
}

async function candidateOf({ journal }: Ports, run: JournalRun): Promise<Candidate | Keeping> {
  const records = await readable(journal, run);
  const head = records?.find((record) => record.type === 'run');
  // Without its profile nobody can tell what it has made.
  if (records === undefined || head === undefined) return 'unreadable';
  if (!records.some(({ type }) => type === 'ended')) return 'notEnded';
  return {
    run: run.run,
    requestIds: records.flatMap((record) => (record.type === 'prepared' ? [record.requestId] : [])),
    made: madeIn(records),
    profile: head.profile,
  };
}

function madeIn(records: readonly JournalRecord[]): (string | undefined)[] {
  return records.flatMap((record) => {
    if (record.type !== 'prepared') return [];
    const noun = creations[record.operation];
    const answer = records.find(
      (other) => other.type === 'answered' && other.exchange === record.exchange && other.outcome === 'DONE',
    );
    if (noun === undefined || answer?.type !== 'answered') return [];
    return [memberIn(answer.body, idNames[noun])];
  });
}

/**
 * Who points to a run. All runs have been read before: an intent is only given to the run that asks for it, so nothing new can
 * point to one that has ended. Unknown writes come before resources: what settles one saves its resource first.
 */
async function needed(
  { journal, store }: Ports,
  candidates: readonly Candidate[],
): Promise<(candidate: Candidate) => Keeping | undefined> {
  const open = new Set((await journal.openRuns()).map(({ run }) => run));
  const intents = await journal.intentRuns();
  const saved = new Set<string>();
  for (const profile of new Set(candidates.map((one) => one.profile))) {
    for (const noun of ['payment', 'consent', 'basket'] as const) {
      for (const { id, requestId } of await store.resources(profile, noun)) {
        saved.add(id);
        if (requestId !== undefined) saved.add(requestId);
      }
    }
  }
  return ({ run, made, requestIds }) => {
    if (open.has(run)) return 'unknown';
    const intent = intents.get(run);
    // One that says itself how it ended needs nobody to tell it.
    if (intent !== undefined && intent.settled === undefined) return 'intent';
    const isSaved = made.some((id) => id === undefined || saved.has(id));
    return isSaved || requestIds.some((id) => saved.has(id)) ? 'resource' : undefined;
  };
}
