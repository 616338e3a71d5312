import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Usage, Use } from '../../client/ports/usage.ts';
import { makeDirectory, prepareTemporary, readIfThere, removeIfThere, sweep } from '../files/atomic-file.ts';
import { guard, guardAsync, promised } from '../files/file-errors.ts';
import { withLock } from '../files/file-lock.ts';
import { safeName } from '../files/safe-name.ts';

const notRead = 'The count of calls cannot be read.';
const notWritten = 'The count of calls could not be written.';

/** One small file for each key, replaced whole under a lock of its own. */
export function usageFiles(options: { stateDir: string; clock: Clock }): Usage {
  const { stateDir, clock } = options;
  const directory = join(stateDir, 'usage');
  const pathOf = (key: string) => join(directory, `${safeName(key)}.json`);
  let swept = false;

  function read(key: string): readonly Use[] {
    const path = pathOf(key);
    return guard('STATE_UNREADABLE', notRead, path, () => parse(readIfThere(path) ?? '', path));
  }

  function write(path: string, uses: readonly Use[]): void {
    const rows = uses.map(({ at, what }) => [at, what]);
    // No fsync: after a power loss the rate window has passed anyway, and the access count may be off by a few.
    const temporary = prepareTemporary(
      directory,
      `${JSON.stringify({ schemaVersion: 1, uses: rows })}\n`,
      false,
    );
    try {
      renameSync(temporary, path);
    } catch (error) {
      removeIfThere(temporary);
      throw error;
    }
  }

  return {
    read: (key) => promised(() => read(key)),
    update: (key, change) => {
      const path = pathOf(key);
      return guardAsync('STATE_NOT_WRITTEN', notWritten, path, async () => {
        makeDirectory(stateDir);
        makeDirectory(directory);
        if (!swept) sweep(directory);
        swept = true;
        return withLock(`${path}.lock`, clock, () => {
          const before = read(key);
          const after = change(before);
          if (after !== before) write(path, after);
          return after;
        });
      });
    },
  };
}

function parse(text: string, path: string): readonly Use[] {
  // An empty file is what a power loss may leave of it.
  if (text.trim() === '') return [];
  let rows: unknown;
  try {
    const json = JSON.parse(text) as { schemaVersion?: unknown; uses?: unknown } | null;
    if (json?.schemaVersion === 1) rows = json.uses;
  } catch {
    // Told below.
  }
  if (!Array.isArray(rows)) throw damaged(path);
  return rows.map((row: unknown): Use => {
    const [at, what] = Array.isArray(row) ? (row as unknown[]) : [];
    if (typeof at !== 'number' || typeof what !== 'string') throw damaged(path);
    return { at, what };
  });
}

function damaged(path: string): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: notRead,
    detail: `${path} does not hold what obk wrote.`,
    hint: [`mv '${path}' '${path}.damaged'   # obk begins to count anew`],
  });
}
