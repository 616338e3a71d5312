import { closeSync, openSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { sqliteFor } from './engine.ts';
import type { Connection, SqliteUser, SqlValue } from './engine.ts';
import { isHeld } from './failures.ts';

/** One connection to a file of SQLite, or to `:memory:`. */
export interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  /** Undoes the transaction, if SQLite has not undone it by itself, as it does where the disk is full. */
  rollBack(): void;
  close(): void;
}

/** A statement that may run again and again; each run reads all of its rows. */
export interface SqliteStatement {
  all(values: readonly SqlValue[]): unknown[];
  /** Returns the number of changed rows. */
  run(values: readonly SqlValue[]): number;
}

export interface SqliteOptions {
  user: SqliteUser;
  /** How long a statement waits for another connection that writes. */
  busyMs: number;
  /** What a commit waits for (https://sqlite.org/pragma.html#pragma_synchronous). */
  synchronous: 'FULL' | 'NORMAL' | 'OFF';
  /** Settings that count only before the first table is made. */
  before?: string;
  /** Asked before anything is written to the file: throws where it is not to be used. */
  accept?: (at: Sqlite) => void;
}

/**
 * Opens a file with a write-ahead log, and makes it where it is not there: nobody but this user can read it. Throws the error of
 * `user` where there is no SQLite.
 */
export function openSqlite(
  path: string,
  { user, busyMs, synchronous, before = '', accept }: SqliteOptions,
): Sqlite {
  const { DatabaseSync } = sqliteFor(user);
  if (path !== ':memory:') createPrivately(path);
  const connection = new DatabaseSync(path);
  const opened = wrap(connection);
  try {
    connection.exec(`PRAGMA busy_timeout = ${busyMs}`);
    // Before the log of the engine is made: its first page waits for the disk too.
    connection.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`);
    accept?.(opened);
    // In a file that has tables it would write the first page anew each time.
    if (path === ':memory:' || statSync(path).size === 0) connection.exec(before);
    if (path !== ':memory:') inWal(connection, busyMs);
  } catch (error) {
    connection.close();
    throw error;
  }
  return opened;
}

/**
 * Opens a file where nothing can be written, such as on a read-only file system: it must not change meanwhile, and its write-ahead log
 * must be empty (https://sqlite.org/wal.html#readonly).
 */
export function openImmutable(path: string, user: SqliteUser): Sqlite {
  const { DatabaseSync } = sqliteFor(user);
  return wrap(new DatabaseSync(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true }));
}

function wrap(connection: Connection): Sqlite {
  return {
    exec: (sql) => {
      connection.exec(sql);
    },
    prepare(sql) {
      const statement = connection.prepare(sql);
      statement.setReadBigInts(true);
      return {
        all: (values) => statement.all(...values.map(bindable)),
        run: (values) => Number(statement.run(...values.map(bindable)).changes),
      };
    },
    rollBack() {
      try {
        connection.exec('ROLLBACK');
      } catch {
        // There is no transaction any more.
      }
    },
    close: () => {
      connection.close();
    },
  };
}

/**
 * A value as every engine keeps it. The package cuts a text at a NUL when it is bound, Node 22 when it is read: `id` would be found
 * by `id\0x`. And Node 22 binds empty bytes with an ArrayBuffer of their own as NULL; a new array has none until it is asked for.
 */
function bindable(value: SqlValue): SqlValue {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  return value instanceof Uint8Array && value.length === 0 ? new Uint8Array() : value;
}

/**
 * Makes an empty file that only this user can read; SQLite gives its other files the mode of this one. An existing file is not
 * touched: to open and close it would drop the POSIX locks that other connections of this process hold on it, and another process
 * would then delete the WAL in use.
 */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Turning WAL on needs exclusive access to the file for a moment, and honours the busy timeout only where another connection has
 * the whole file for itself: no longer than that timeout in all.
 */
function inWal(connection: Connection, busyMs: number): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const until = performance.now() + busyMs;
  for (;;) {
    try {
      connection.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (performance.now() >= until || !isHeld(error)) throw error;
      Atomics.wait(pause, 0, 0, 25);
    }
  }
}
