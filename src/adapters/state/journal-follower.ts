import { statSync } from 'node:fs';
import type { Clock } from '../../client/ports/clock.ts';
import type { JournalFollower } from '../../client/ports/journal.ts';
import type { JournalRecord, JournalRun } from '../../settings/records/journal.ts';
import { timeInName } from '../files/safe-name.ts';

/** How often the files are looked at: nothing tells of a change to them on every system and file system. */
const intervalMs = 300;

/** A run that began longer ago is not expected to go on. */
const longestRunMs = 60 * 60_000;

/** Runs that begin at the same moment are listed a moment apart: behind so many that are known none is new. */
const enoughKnown = 1000;

/** Follows the files of a journal by their sizes. A run that has ended is looked at no more. */
export function followFiles(options: {
  clock: Clock;
  signal: AbortSignal;
  /** All runs, newest first. */
  list: () => Iterable<JournalRun>;
  pathOf: (run: string) => string;
  /** The records of a run; undefined where it is damaged. */
  read: (run: string) => readonly JournalRecord[] | undefined;
}): JournalFollower {
  const { clock, signal, list, pathOf, read } = options;
  const known = new Set<string>();
  /** The runs that may go on, with their sizes when they were last looked at. */
  const open = new Map<string, { run: JournalRun; size: number }>();

  function sizeOf(run: string): number {
    return statSync(pathOf(run), { throwIfNoEntry: false })?.size ?? 0;
  }
  const hasEnded = (run: string) => read(run)?.some(({ type }) => type === 'ended') === true;

  const youngest = clock.now().getTime() - longestRunMs;
  for (const run of list()) {
    known.add(run.run);
    const isYoung = Date.parse(timeInName(run.run) ?? '') > youngest;
    // Its size first: what is written after it is found later.
    const size = isYoung ? sizeOf(run.run) : 0;
    if (isYoung && !hasEnded(run.run)) open.set(run.run, { run, size });
  }

  return {
    wait: () => clock.sleep(intervalMs, signal),

    changed: () => {
      let row = 0;
      for (const run of list()) {
        row = known.has(run.run) ? row + 1 : 0;
        if (row > enoughKnown) break;
        if (row > 0) continue;
        known.add(run.run);
        open.set(run.run, { run, size: 0 });
      }
      const changed: JournalRun[] = [];
      for (const [id, { run, size: before }] of open) {
        const size = sizeOf(id);
        if (size === before) continue;
        if (hasEnded(id)) open.delete(id);
        else open.set(id, { run, size });
        changed.push(run);
      }
      return Promise.resolve(changed);
    },

    close: () => Promise.resolve(),
  };
}
