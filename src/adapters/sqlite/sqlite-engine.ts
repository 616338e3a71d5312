import { lstatSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { guard } from '../files/file-errors.ts';
import { isHeld, sqliteCode } from '../../base/sqlite/failures.ts';
import { openImmutable, openSqlite } from '../../base/sqlite/open.ts';
import type { Sqlite, SqliteStatement } from '../../base/sqlite/open.ts';
import type { Decision, Engine, Row, SqlValue, Statement } from '../../client/ports/engine.ts';

/** "obk" and a 1: who looks into the file sees whose it is (https://sqlite.org/pragma.html#pragma_application_id). */
const applicationId = 0x6f626b31;

export interface SqliteFile {
  path: string;
  /** Whether a commit waits for the disk; without, the last second may be lost in a power cut. */
  durable: boolean;
  /** The statements that make the tables, and the version of the schema that they make. */
  ddl: readonly string[];
  version: number;
  /** Makes the folder, and refuses a file that others could have made. */
  ready: () => void;
  /** How long a change waits for others that write, in milliseconds. */
  patienceMs: number;
}

const user = { code: 'STATE_NOT_WRITTEN', name: 'The state' } as const;

/** What the engine has for the types of columns, and what follows a table. */
export const sqliteWords = { text: 'TEXT', int: 'INTEGER', bytes: 'BLOB', table: ' STRICT' };

/** One file of SQLite, opened when it is needed first; where there is none, nothing is read from it. */
export function sqliteEngine(file: SqliteFile): Engine {
  let open: Sqlite | undefined;
  const prepared = new Map<string, SqliteStatement>();

  /** Whether there is a database without making one. */
  const isOpenable = () => open !== undefined || isThere(file.path);

  function connection(): Sqlite {
    if (open !== undefined) return open;
    file.ready();
    const made = openSqlite(file.path, {
      user,
      busyMs: 0,
      synchronous: file.durable ? 'FULL' : 'OFF',
      before: 'PRAGMA auto_vacuum = INCREMENTAL',
    });
    try {
      made.exec('PRAGMA secure_delete = ON');
      makeTables(made, file);
    } catch (error) {
      made.close();
      throw error;
    }
    open = made;
    return made;
  }

  function statement({ sql, values }: Statement): readonly [SqliteStatement, readonly SqlValue[]] {
    const known = prepared.get(sql) ?? connection().prepare(sql);
    prepared.set(sql, known);
    return [known, values];
  }

  const all = (asked: Statement): readonly Row[] => {
    const [known, values] = statement(asked);
    return known.all(values) as readonly Row[];
  };

  let unchanging: Sqlite | undefined;
  /** Where the file cannot be opened for writing, it can be read if nothing of it is left in the log of the engine. */
  function readable(asked: Statement): readonly Row[] {
    try {
      if (unchanging === undefined) return all(asked);
    } catch (error) {
      const isLocked =
        ['SQLITE_CANTOPEN', 'SQLITE_READONLY'].includes(sqliteCode(error) ?? '') || isReadOnly(error);
      if (!isLocked || sizeOf(`${file.path}-wal`) > 0) throw error;
      unchanging = openImmutable(file.path, user);
    }
    return unchanging.prepare(asked.sql).all(asked.values) as readonly Row[];
  }

  function inOneTurn<T>(
    scope: readonly Statement[],
    decide: (found: readonly (readonly Row[])[]) => Decision<T>,
  ): T {
    if (!isOpenable()) {
      // What changes nothing makes no file.
      const { changes, result } = decide(scope.map(() => []));
      if (changes.length === 0) return result;
    }
    const at = connection();
    at.exec('BEGIN IMMEDIATE');
    try {
      const { changes, result } = decide(scope.map(all));
      for (const change of changes) {
        const [known, values] = statement(change);
        const count = known.run(values);
        if (change.rows !== undefined && count !== change.rows) throw unlike(file.path, change.sql, count);
      }
      at.exec('COMMIT');
      return result;
    } catch (error) {
      at.rollBack();
      throw error;
    }
  }

  return {
    rows: (asked) => patiently(file, 'read', () => (isOpenable() ? readable(asked) : [])),
    change: (scope, decide) => patiently(file, 'written', () => inOneTurn(scope, decide)),
    scrub: () =>
      patiently(file, 'written', () => {
        // What is removed is overwritten in the file at once; what it was before stands in the log of the engine until this.
        if (!isOpenable()) return;
        const [row] = connection().prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]) as Row[];
        if (row?.['busy'] === 1n) throw held();
      }),
    close: () => {
      prepared.clear();
      unchanging?.close();
      open?.close();
      open = undefined;
      return Promise.resolve();
    },
  };
}

/** A file that may not be looked at is not one that is missing, and a link to nothing is there. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const isReadOnly = (error: unknown): boolean =>
  ['EROFS', 'EACCES'].includes(String((error as NodeJS.ErrnoException).code));

/** Makes the tables of a new file; a file of a newer obk is refused, and nothing is written to it. */
function makeTables(at: Sqlite, { path, ddl, version }: SqliteFile): void {
  const found = Number(pragma(at, 'user_version'));
  if (found === version) return;
  if (found > version)
    throw new ObkError({
      code: 'STATE_NEWER',
      title: 'A newer obk has written the state.',
      detail: `${path} has schema ${String(found)}; this obk knows ${String(version)}.`,
      hint: ['Use the newer obk.'],
    });
  at.exec('BEGIN IMMEDIATE');
  try {
    if (Number(pragma(at, 'user_version')) === 0) {
      for (const sql of ddl) at.exec(sql);
      at.exec(`PRAGMA application_id = ${String(applicationId)}; PRAGMA user_version = ${String(version)}`);
    }
    at.exec('COMMIT');
  } catch (error) {
    at.rollBack();
    throw error;
  }
}

function pragma(at: Sqlite, name: string): SqlValue | undefined {
  const [row] = at.prepare(`PRAGMA ${name}`).all([]) as Row[];
  return row?.[name];
}

/**
 * Waits, without holding up this process, while others write: each time a little longer, and by chance, so that those who wait do not
 * come back together.
 */
async function patiently<T>(
  { path, patienceMs }: SqliteFile,
  what: 'read' | 'written',
  work: () => T,
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (let most = 2; ; most = Math.min(most * 2, 100)) {
    try {
      return work();
    } catch (error) {
      if (!isHeld(error)) throw failed(path, error, what);
      if (performance.now() >= until) throw busy(path, error);
    }
    await setTimeout(1 + Math.random() * most);
  }
}

/** As SQLite says it, so that it is tried again. */
const held = (): Error =>
  Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });

function busy(path: string, cause: unknown): ObkError {
  return new ObkError({
    code: 'LOCK_BUSY',
    title: 'Another process is writing the state.',
    detail: `${path} was held all the time.`,
    hint: ['Wait for it to end, then run this again.'],
    cause,
  });
}

/** A row that was just read is not there: the index and the table do not say the same. */
function unlike(path: string, sql: string, count: number): ObkError {
  return damaged(path, `${sql.split(' ', 3).join(' ')} changed ${String(count)} rows`);
}

/** What moves a file aside, with those that belong to it: with another they would be taken for its own. */
const aside = (path: string): string =>
  [path, `${path}-wal`, `${path}-shm`]
    .filter((one, at) => at === 0 || isThere(one))
    .map((one) => line`mv ${one} ${`${one}.damaged`}`)
    .join(' && ');

function damaged(path: string, why: string, cause?: unknown): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'The state is damaged.',
    detail: `${path}: ${why}.`,
    hint: [`${aside(path)}   # obk goes on without it, and asks where that matters`],
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

function failed(path: string, error: unknown, work: 'read' | 'written'): unknown {
  const code = sqliteCode(error);
  const { message } = error as Error;
  if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB' || code === 'SQLITE_FORMAT')
    return damaged(path, message, error);
  if (code === undefined && !isOfSystem(error)) return error;
  const cause = code === undefined ? error : Object.assign(new Error(message), { code: ofSystem[code] });
  const [its, title] =
    work === 'read'
      ? (['STATE_UNREADABLE', 'The state cannot be read.'] as const)
      : (['STATE_NOT_WRITTEN', 'The state could not be written.'] as const);
  return guard(its, title, path, () => {
    throw cause;
  });
}
