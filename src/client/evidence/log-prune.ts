import type { Ports } from '../ports.ts';
import type { EndedRun, JournalRun } from '../../settings/records/journal.ts';
import { otherRuns } from './journal-runs.ts';
import { isBefore, isOfProfile } from './log-filter.ts';
import { removeUnlessNeeded } from './old-run.ts';
import type { Keeping } from './old-run.ts';
import { readable } from '../resources/run-records.ts';

export type { Keeping } from './old-run.ts';

/** Which runs are old: those before a time, or all but the newest ones. */
export type OldRuns = { before: Date } | { allBut: number };

/** The old runs that were (or would be) removed or kept. */
export interface Pruned {
  /** Ids, oldest first. */
  removed: readonly string[];
  /** How many of the old ones stay, and why. */
  kept: Readonly<Record<Keeping, number>>;
}

/**
 * Removes old runs from the journal, but none that something unsettled still needs: what goes and what stays is decided as for
 * the setting `retention`. `dryRun` removes nothing.
 */
export async function prune(
  ports: Ports,
  old: OldRuns,
  { profile, dryRun }: { profile?: string; dryRun: boolean },
): Promise<Pruned> {
  const kept = { notEnded: 0, unreadable: 0, unknown: 0, intent: 0, resource: 0 };
  const { journal } = ports;
  const oldest = await journal.oldest();
  if ('before' in old && (oldest === undefined || !isBefore(oldest, { since: old.before })))
    return { removed: [], kept };
  const open = new Set((await journal.openRuns()).map(({ run }) => run));
  const isOwn = (ended: EndedRun): boolean => profile === undefined || ended.profile === profile;
  /** Those of which it is not known that nothing needs them, or not whose they are. */
  const unsure = new Set<string>();
  for await (const { run } of await journal.runsThat((ended) => isOwn(ended) && !isFree(ended)))
    unsure.add(run);
  const removed: string[] = [];
  const free: string[] = [];
  for (const { run } of await oldRuns(ports, old, { profile, isOwn, unsure })) {
    // It is looked at again before it is removed.
    if (dryRun && !unsure.has(run) && !open.has(run)) {
      removed.push(run);
      continue;
    }
    const why = await removeUnlessNeeded(ports, run, { open, reason: 'its run was pruned', dryRun });
    if (why !== undefined) kept[why] += 1;
    else {
      removed.push(run);
      free.push(run);
    }
  }
  if (dryRun && free.length > 0) await journal.noteFree(free);
  return { removed, kept };
}

/** One that only read, or that was found to be needed by nothing, stays so. */
const isFree = ({ writes, free }: EndedRun): boolean => !writes || free === true;

/** Oldest first, so that a prune that is interrupted has removed the oldest. */
async function oldRuns(
  { journal }: Ports,
  old: OldRuns,
  whose: {
    profile: string | undefined;
    isOwn: (ended: EndedRun) => boolean;
    unsure: ReadonlySet<string>;
  },
): Promise<JournalRun[]> {
  const { profile, isOwn, unsure } = whose;
  const own: JournalRun[] = profile === undefined ? await otherRuns(journal) : [];
  for await (const run of profile === undefined ? [] : await journal.runsThat(isOwn)) {
    if (run.run === journal.run) continue;
    // Whose it is need not be known of one that is too young.
    if ('before' in old && !isBefore(run, { since: old.before })) continue;
    if (!unsure.has(run.run)) own.push(run);
    else if (isOfProfile({ profile }, (await readable(journal, run)) ?? [])) own.push(run);
  }
  return own.slice('allBut' in old ? old.allBut : firstBefore(own, old.before)).reverse();
}

/** Where in a list that is newest first those begin that are older than a time. */
function firstBefore(runs: readonly JournalRun[], since: Date): number {
  let [from, to] = [0, runs.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const run = runs[middle];
    if (run !== undefined && isBefore(run, { since })) to = middle;
    else from = middle + 1;
  }
  return from;
}
