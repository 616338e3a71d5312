import { defined } from '../../base/defined.ts';
import { existsSync, lstatSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import {
  isMissing,
  makeDirectory,
  namesIn,
  readIfThere,
  refuseUnsafe,
  removeIfThere,
  sweep,
  syncDirectory,
  writeAtomically,
} from '../files/atomic-file.ts';
import { guard, guardAsync, reasonFor } from '../files/file-errors.ts';
import { withLock } from '../files/file-lock.ts';

const notRead = 'A settings file cannot be read.';
const notWritten = 'A settings file could not be written.';

/** One JSON file of the configuration directory: read plainly, written through `write`. */
export interface SettingsFile<T> {
  read: () => T;
  /** Locks, reads again, applies `change`, writes, reads back and compares; on a difference the old file comes back. */
  update: (change: (value: T) => T | Promise<T>) => Promise<T>;
}

export function settingsFile<T extends object>(options: {
  path: string;
  clock: Clock;
  parse: (text: string | undefined, path: string) => T;
  /** Replaces the file; it need not be sure of it. */
  write: (path: string, value: T) => void;
  /** Loads what `write` needs, before the lock is taken. */
  prepare: () => Promise<void>;
  /** Looks at the file's mode (as of stat) after every read. */
  seen?: (path: string, mode: number) => void;
}): SettingsFile<T> {
  const { path, clock, parse, write, prepare, seen } = options;
  const directory = dirname(path);

  function readText(): string | undefined {
    return guard('CONFIG_UNREADABLE', notRead, path, () => {
      const mode = refuseForeign(directory, path);
      if (mode === undefined) return undefined;
      seen?.(path, mode);
      return readIfThere(path);
    });
  }

  function replace(before: string | undefined, value: T): void {
    const backup = `${path}.bak`;
    if (before !== undefined) writeAtomically(backup, before);
    let failure: unknown;
    try {
      write(path, value);
      syncDirectory(directory);
    } catch (error) {
      failure = error;
    }
    const after = readIfThere(path);
    if (failure === undefined && after !== undefined && isSame(after, value)) return;
    if (after !== before) {
      // A rename needs no space on a full disk.
      if (before === undefined) removeIfThere(path);
      else renameSync(backup, path);
    }
    const why = failure ? reasonFor(path, failure) : `${path}: what was read back is not what was written`;
    throw new ObkError({
      code: 'CONFIG_NOT_WRITTEN',
      title: notWritten,
      detail: `${why}. The file is as it was before.`,
      cause: failure,
    });
  }

  /** The version before the last change helps only where there is one. */
  function parsed(text: string | undefined): T {
    try {
      return parse(text, path);
    } catch (error) {
      if (!(error instanceof ObkError) || error.code !== 'CONFIG_UNREADABLE') throw error;
      if (existsSync(`${path}.bak`)) throw error;
      const { code, title, detail } = error;
      const hint = [line`mv ${path} ${`${path}.damaged`}   # obk begins anew`];
      throw new ObkError({ code, title, hint, ...defined({ detail }) });
    }
  }

  // A run asks for the settings often, and they are mostly the same: the file is read each time, and parsed where it has changed.
  // All who ask get the same object, so that nobody may change it.
  let last: { text: string | undefined; value: T } | undefined;
  const read = (): T => {
    const text = readText();
    if (last === undefined || last.text !== text) last = { text, value: frozen(parsed(text)) };
    return last.value;
  };

  return {
    read,
    update: async (change) => {
      await prepare();
      return guardAsync('CONFIG_NOT_WRITTEN', notWritten, path, async () => {
        makeDirectory(directory);
        return withLock(`${path}.lock`, clock, async () => {
          const before = readText();
          const value = await change(parsed(before));
          sweepUp(directory, path);
          replace(before, value);
          return value;
        });
      });
    },
  };
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** Refuses a file that is a link or could belong to another user; returns its mode, or undefined if there is none. */
function refuseForeign(directory: string, path: string): number | undefined {
  try {
    refuseUnsafe(directory);
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) throw new Error('it is a symbolic link, which is not followed');
    if (!stat.isFile()) throw new Error('it is not a regular file');
    if (stat.nlink > 1) throw new Error('it has a second name (a hard link)');
    return stat.mode;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The lock is ours, so every half-written file is of a process that was killed. */
function sweepUp(directory: string, path: string): void {
  sweep(directory);
  for (const name of namesIn(directory)) {
    if (name.startsWith(`${basename(path)}.tmp-`)) removeIfThere(join(directory, name));
  }
}

function isSame(text: string, value: object): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
  } catch {
    return false;
  }
}
