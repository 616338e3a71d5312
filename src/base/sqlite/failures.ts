/**
 * The primary result codes of SQLite that obk tells apart (https://sqlite.org/rescode.html), and their words: the package for
 * Node 20 names no code for what fails while a prepared statement runs.
 */
const codes = [
  ['SQLITE_ERROR', 1, /^no such (?:table|column)|^unsupported file format/],
  ['SQLITE_PERM', 3, /^access permission denied/],
  ['SQLITE_BUSY', 5, /^database is locked/],
  ['SQLITE_LOCKED', 6, /^database (?:table|schema) is locked/],
  ['SQLITE_READONLY', 8, /readonly database/],
  ['SQLITE_IOERR', 10, /disk I\/O error/],
  ['SQLITE_CORRUPT', 11, /malformed/],
  ['SQLITE_FULL', 13, /disk is full/],
  ['SQLITE_CANTOPEN', 14, /unable to open database/],
  ['SQLITE_SCHEMA', 17, /^database schema has changed/],
  ['SQLITE_CONSTRAINT', 19, /constraint failed|^cannot store /],
  ['SQLITE_MISMATCH', 20, /^datatype mismatch/],
  ['SQLITE_FORMAT', 24, /^auxiliary database format error/],
  ['SQLITE_NOTADB', 26, /not a database/],
] as const;

/** Each of those codes, and SQLITE for any other. */
export type SqliteCode = (typeof codes)[number][0] | 'SQLITE';

/** The code of an error that SQLite has reported; undefined for any other error. */
export function sqliteCode(error: unknown): SqliteCode | undefined {
  const { code, errcode, message } = error as { code?: unknown; errcode?: number; message: string };
  if (code !== 'ERR_SQLITE_ERROR') return undefined;
  // An extended code has its primary one in the last byte.
  const isIt = (number: number, words: RegExp) =>
    errcode === undefined ? words.test(message) : (errcode & 0xff) === number;
  return codes.find(([, number, words]) => isIt(number, words))?.[0] ?? 'SQLITE';
}

/** Whether another connection holds the file. */
export function isHeld(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED';
}
