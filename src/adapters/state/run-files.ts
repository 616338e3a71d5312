import { existsSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { removeIfThere } from '../files/atomic-file.ts';
import { listing } from '../files/listing.ts';
import { compactTime, safeName } from '../files/safe-name.ts';
import { hourOf, namesByHour, oldestByHour } from './divided-folder.ts';

const suffix = '.ndjson';

/** Nobody begins a run in an hour that ended so long ago. */
const overMs = 2 * 60 * 60_000;

/**
 * The files of the runs in a journal: each in the folder of its hour. Those that an earlier obk has left in the journal itself stay
 * there. Every function throws the system's errors.
 */
export function runFiles(directory: string) {
  const inHour = (run: string): string => {
    const name = `${fileName(run)}${suffix}`;
    return isRunId(run) ? join(directory, hourOf(name), name) : join(directory, name);
  };
  const isRun = (name: string): boolean => name.endsWith(suffix) && isRunId(name);

  return {
    /** Where a new run is written. */
    newPath: inHour,

    /** Where a run stands; where it would, if it is nowhere. */
    pathOf(run: string): string {
      const path = inHour(run);
      const beside = join(directory, basename(path));
      return existsSync(path) || !existsSync(beside) ? path : beside;
    },

    /** The ids of all runs, oldest first within an hour, of the newest hour first: none is listed before it is asked for. */
    *hours(): Generator<readonly string[]> {
      for (const names of namesByHour(directory, listing, isRun))
        yield names.map((name) => name.slice(0, -suffix.length));
    },

    /** The id of the oldest run. */
    oldest(): string | undefined {
      const path = oldestByHour(directory, listing, isRun);
      return path === undefined ? undefined : basename(path, suffix);
    },

    /** Removes the file of a run, wherever it stands, and the folder of an hour that is over and empty now. */
    remove(run: string, now: Date): void {
      const path = inHour(run);
      for (const one of [path, join(directory, basename(path))]) if (existsSync(one)) removeIfThere(one);
      const latest = hourOf(compactTime(new Date(now.getTime() - overMs).toISOString()));
      const [hour, month] = [dirname(path), dirname(dirname(path))];
      if (!isRunId(run) || hour >= join(directory, latest)) return;
      if (removeIfEmpty(hour) && month < dirname(join(directory, latest))) removeIfEmpty(month);
    },
  };
}

export function isRunId(name: string): boolean {
  return /^\d{8}T\d{9}Z-/.test(name);
}

/** A run's id is a name already; any other text becomes one that no file has. */
export function fileName(run: string): string {
  return /^\d{8}T\d{9}Z-[0-9a-z-]{1,64}$/.test(run) ? run : safeName(run);
}

/** Whether it was empty; one that cannot be removed stays, which costs a look into it. */
function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
