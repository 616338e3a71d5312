import { lstatSync } from 'node:fs';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { sqliteCode } from '../../base/sqlite/failures.ts';
import { guard } from '../files/file-errors.ts';

/** What SQLite itself does not see: a row that was just read is not there, so the index and the table do not say the same. */
export class Unlike extends Error {
  constructor(sql: string, count: number) {
    super(`${sql.split(' ', 3).join(' ')} changed ${String(count)} rows`);
  }
}

/** The database is of another program, or of a version that no obk has made. */
export class NotOurs extends Error {}

/** Whether the file does not hold what obk has written: no database, a malformed one, or one with other tables. */
export function isDamage(error: unknown): error is Error {
  if (error instanceof Unlike || error instanceof NotOurs) return true;
  const code = sqliteCode(error);
  if (code === 'SQLITE_ERROR')
    return /^no such (?:table|column)|already exists$|^unsupported file format/.test(
      (error as Error).message,
    );
  return code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB' || code === 'SQLITE_FORMAT';
}

/** A file that may not be looked at is not one that is missing, and a link to nothing is there. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** As SQLite says it, so that it is tried again. */
export const held = (): Error =>
  Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });

export function busy(path: string, cause: unknown): ObkError {
  return new ObkError({
    code: 'LOCK_BUSY',
    title: 'Another process is writing the state.',
    detail: `${path} was held all the time.`,
    hint: ['Wait for it to end, then run this again.'],
    cause,
  });
}

/** What moves a file aside, with those that belong to it: with another they would be taken for its own. */
export const aside = (path: string): string =>
  [path, `${path}-wal`, `${path}-shm`]
    .filter(isThere)
    .map((one) => line`mv ${one} ${`${one}.damaged`}`)
    .join(' && ');

function damaged(path: string, cause: Error): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: cause instanceof NotOurs ? 'The file is not a state of obk.' : 'The state is damaged.',
    detail: `${path}: ${cause.message}.`,
    hint: [
      'obk help state import   # how to save what it still holds',
      `${aside(path)}   # obk goes on without it, and asks where that matters`,
    ],
    cause,
  });
}

/** The error of the system that a code of SQLite stands for. */
const ofSystem: Partial<Record<string, string>> = {
  SQLITE_READONLY: 'EROFS',
  SQLITE_FULL: 'ENOSPC',
  SQLITE_IOERR: 'EIO',
  SQLITE_CANTOPEN: 'EACCES',
  SQLITE_PERM: 'EACCES',
};

/** What the system says of a file or a folder: `EACCES` and its like, and what obk refuses there itself. */
const isOfSystem = (error: unknown): boolean =>
  /^E[A-Z]+$/.test(String((error as NodeJS.ErrnoException).code));

/** What an operator is told of an error; a bug stays what it is. */
export function failed(path: string, error: unknown, work: 'read' | 'written'): unknown {
  if (isDamage(error)) return damaged(path, error);
  const code = sqliteCode(error);
  if (code === undefined && !isOfSystem(error)) return error;
  const { message } = error as Error;
  const cause = code === undefined ? error : Object.assign(new Error(message), { code: ofSystem[code] });
  const [its, title] =
    work === 'read'
      ? (['STATE_UNREADABLE', 'The state cannot be read.'] as const)
      : (['STATE_NOT_WRITTEN', 'The state could not be written.'] as const);
  return guard(its, title, path, () => {
    throw cause;
  });
}
