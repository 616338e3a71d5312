import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { sqliteCode } from '../../base/sqlite/failures.ts';

/** What helps: a reset loses the ledger, so it is named only where the ledger is damaged already. */
type Remedy = 'room' | 'wait' | 'limit' | 'elsewhere' | 'reset';

/** The codes of the system and of SQLite: what is wrong, and what helps. */
const reasons: Readonly<Record<string, readonly [why: string, remedy: Remedy]>> = {
  ENOSPC: ['the disk is full', 'room'],
  SQLITE_FULL: ['the disk is full', 'room'],
  EDQUOT: ['the disk quota is used up', 'room'],
  EACCES: ['permission denied', 'elsewhere'],
  EPERM: ['permission denied', 'elsewhere'],
  EROFS: ['the file system is read-only', 'elsewhere'],
  SQLITE_READONLY: ['it cannot be written', 'elsewhere'],
  SQLITE_PERM: ['permission denied', 'elsewhere'],
  SQLITE_CANTOPEN: ['it cannot be opened', 'elsewhere'],
  ENOENT: ['it is not there and cannot be made', 'elsewhere'],
  ENOTDIR: ['a part of the path is not a directory', 'elsewhere'],
  EEXIST: ['it is not a directory', 'elsewhere'],
  EISDIR: ['it is a directory', 'elsewhere'],
  ELOOP: ['its symbolic links lead in a circle', 'elsewhere'],
  ENAMETOOLONG: ['its path is too long', 'elsewhere'],
  EMFILE: ['too many files are open', 'limit'],
  ENFILE: ['too many files are open', 'limit'],
  EIO: ['the disk reports an error', 'elsewhere'],
  SQLITE_IOERR: ['the disk reports an error', 'elsewhere'],
  SQLITE_BUSY: ['another process holds it', 'wait'],
  SQLITE_LOCKED: ['another process holds it', 'wait'],
  SQLITE_NOTADB: ['it is not a ledger', 'reset'],
  SQLITE_CORRUPT: ['it is damaged', 'reset'],
};

/** SQLite refuses what the ledger holds, and says what in its message: rows or tables are not those that obk has written. */
const inconsistent = /^SQLITE_(?:CONSTRAINT|ERROR|FORMAT|MISMATCH|SCHEMA)$/;

/** A reset empties the ledger of the default bank: one of another bank or tenant is put aside instead. */
const ofAnother = /[\\/](?:banks|ledger\.db\.tenants)[\\/]/;

const firstHints: Readonly<Record<Remedy, (path: string) => readonly string[]>> = {
  room: () => ['Make room: the answers of the bank are kept.'],
  wait: () => ['End the program that holds it, and try again: the answers of the bank are kept.'],
  limit: () => ['ulimit -n 4096   # more open files; then try again'],
  elsewhere: () => [],
  reset: (path) => [
    ofAnother.test(path)
      ? line`mv ${path} ${`${path}.damaged`}   # the bank then starts with a new ledger`
      : 'obk sandbox reset --yes   # a new ledger; the old one is lost',
  ],
};

const elsewhere = 'export OBK_STATE_DIR="$(mktemp -d)"   # or another folder that this user can write';

/** What is wrong with the ledger, where that made the bank fail. */
export const reasonOf = (error: unknown): string | undefined => known(codeOf(error))?.[0];

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return sqliteCode(error) ?? (typeof code === 'string' ? code : '');
}

/** The error of a folder or ledger that cannot be used (exit 3), with its path and the way out; any other error as it is. */
export function damage(error: unknown, path: string): unknown {
  if (error instanceof ObkError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  const [why, remedy] = known(`${code} ${error.message}`) ?? [];
  if (why === undefined && sqliteCode(error) === undefined) return error;
  const otherwise = inconsistent.test(code) ? 'reset' : 'elsewhere';
  const { path: own = path } = error as NodeJS.ErrnoException;
  return unusable(own, why ?? error.message, remedy ?? otherwise, error);
}

const known = (text: string) => Object.entries(reasons).find(([code]) => text.includes(code))?.[1];

/** The error for a folder or ledger that cannot be used. */
export function unusable(path: string, why: string, remedy: Remedy, cause?: unknown): ObkError {
  return new ObkError({
    code: 'SANDBOX_UNAVAILABLE',
    title: 'The bank inside cannot use its files.',
    detail: `${path}: ${why}.`,
    hint: [...firstHints[remedy](path), elsewhere],
    cause,
  });
}
