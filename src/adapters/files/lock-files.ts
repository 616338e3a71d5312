import { join } from 'node:path';
import type { Clock } from '../../client/ports/clock.ts';
import type { Locks } from '../../client/ports/locks.ts';
import { makeDirectory } from '../files/atomic-file.ts';
import { guard } from '../files/file-errors.ts';
import { withLock } from '../files/file-lock.ts';
import { safeName } from '../files/safe-name.ts';

/** One file for each name that is taken. */
export function lockFiles(options: {
  stateDir: string;
  clock: Clock;
  signal?: AbortSignal | undefined;
}): Locks {
  const { stateDir, clock, signal } = options;
  const directory = join(stateDir, 'locks');
  return {
    exclusively: (name, patienceMs, action) => {
      const path = join(directory, `${safeName(name)}.lock`);
      guard('STATE_NOT_WRITTEN', 'A file could not be locked.', path, () => {
        makeDirectory(stateDir);
        makeDirectory(directory);
      });
      return withLock(path, clock, action, { patience: patienceMs, signal });
    },
  };
}
