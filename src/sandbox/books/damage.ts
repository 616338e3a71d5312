import { ObkError } from '../../errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  SQLITE_FULL: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  SQLITE_READONLY: 'it cannot be written',
  SQLITE_CANTOPEN: 'it cannot be opened',
  ENOENT: 'it is not there and cannot be made',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'it is not a directory',
  EISDIR: 'it is a directory',
  EIO: 'the disk reports an error',
  SQLITE_IOERR: 'the disk reports an error',
  SQLITE_NOTADB: 'it is not a ledger',
  SQLITE_CORRUPT: 'it is damaged',
  SQLITE_BUSY: 'another process holds it',
};

const room = 'Make room: what the bank has answered is kept.';

/** What helps where nothing is damaged, and a new ledger would lose what the old one has. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: room,
  SQLITE_FULL: room,
  EDQUOT: room,
  SQLITE_BUSY: 'End the program that holds it, and try again: what the bank has answered is kept.',
};

/** What is wrong with the ledger, where that made the bank fail. */
export function reasonOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  const known = Object.keys(reasons).find((name) => typeof code === 'string' && code.startsWith(name));
  return known === undefined ? undefined : reasons[known];
}

/** Whether an error of this code says that a disk is full. */
export const isFull = (code: string): boolean => remedies[code] === room;

/** The error of a folder or ledger that cannot be used (exit 3), with its path and the way out; any other error as it is. */
export function damage(error: unknown, path: string): unknown {
  if (error instanceof ObkError || !(error instanceof Error)) return error;
  const { code, path: own } = error as NodeJS.ErrnoException & { code?: unknown };
  const text = `${typeof code === 'string' ? code : ''} ${error.message}`;
  const known = Object.keys(reasons).find((name) => text.includes(name)) ?? phrase(text);
  if (known === undefined && !/sqlite|libsql/i.test(`${error.name} ${text}`)) return error;
  return unusable(own ?? path, reasons[known ?? ''] ?? error.message, error, remedies[known ?? '']);
}

/** SQLite's own text, for an error without a code. */
function phrase(text: string): string | undefined {
  if (/malformed|corrupt/i.test(text)) return 'SQLITE_CORRUPT';
  if (/not a database/i.test(text)) return 'SQLITE_NOTADB';
  if (/is locked/i.test(text)) return 'SQLITE_BUSY';
  if (/disk is full/i.test(text)) return 'SQLITE_FULL';
  if (/readonly|read-only/i.test(text)) return 'SQLITE_READONLY';
  if (/unable to open/i.test(text)) return 'SQLITE_CANTOPEN';
  return /disk i\/o/i.test(text) ? 'SQLITE_IOERR' : undefined;
}

/** The error for a folder or ledger that cannot be used; nothing is lost where there is a remedy. */
export function unusable(path: string, why: string, cause?: unknown, remedy?: string): ObkError {
  return new ObkError({
    code: 'SANDBOX_UNAVAILABLE',
    title: 'The bank inside cannot use its files.',
    detail: `${path}: ${why}.`,
    hint: [
      remedy ?? 'obk sandbox reset --yes   # a new ledger; the old one is lost',
      'Or name another folder: OBK_STATE_DIR.',
    ],
    cause,
  });
}
