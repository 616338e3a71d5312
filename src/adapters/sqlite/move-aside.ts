import { renameSync } from 'node:fs';
import { createClock } from '../system/system-clock.ts';
import { withLock } from '../files/file-lock.ts';
import { compactTime } from '../files/safe-name.ts';
import { identityOf, lockOf } from './moved-file.ts';
import { isThere } from './state-failures.ts';

/**
 * Moves a damaged file aside with those that belong to it, and returns its new name; undefined where another process has done
 * so: what has the name now is another file than the one that was found damaged.
 */
export function moveAside(path: string, found: string | undefined): Promise<string | undefined> {
  const clock = createClock();
  return withLock(lockOf(path), clock, () => {
    if (found === undefined || identityOf(path) !== found) return undefined;
    const to = `${path}.damaged-${compactTime(clock.now().toISOString())}`;
    // The file itself last: a new one beside the log of the old one would take that for its own.
    for (const end of ['-wal', '-shm', '']) if (isThere(path + end)) renameSync(path + end, to + end);
    return to;
  });
}

/** Waits for whoever is moving a file aside; one who died at it is not waited for. */
export const untilMoved = (path: string): Promise<void> =>
  withLock(lockOf(path), createClock(), () => undefined);
