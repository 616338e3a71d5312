import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { ObkError } from '../../base/errors.ts';
import { isHeld, sqliteCode } from '../../base/sqlite/failures.ts';
import { openImmutable, openSqlite } from '../../base/sqlite/open.ts';
import type { Sqlite, SqliteStatement } from '../../base/sqlite/open.ts';
import type { Decision, Engine, Row, SqlValue, Statement } from '../../client/ports/engine.ts';
import type { StateWaits } from '../../base/waits.ts';
import { identityOf, Moving, needUnmoved } from './moved-file.ts';
import { busy, failed, held, isDamage, isThere, NotOurs, Unlike } from './state-failures.ts';

/** "obk" and a 1: who looks into the file sees whose it is (https://sqlite.org/pragma.html#pragma_application_id). */
const applicationId = 0x6f626b31;

/** How a file is opened, and how long a change waits for others that write. */
export interface SqliteFile extends StateWaits {
  path: string;
  /** Whether a commit waits for the disk; without, the last second may be lost in a power cut. */
  durable: boolean;
  /** The statements that make the tables, and the version of the schema that they make. */
  ddl: readonly string[];
  version: number;
  /** Makes the folder, and refuses a file that others could have made. */
  ready: () => void;
  /** Asked before each first write: throws where nothing may be written. */
  fit?: () => void;
  /** Of a file that may be lost: called when it was damaged and stands now at `to`, and a new one begins. */
  lost?: (to: string, why: string) => Promise<void>;
}

/** A file that is damaged again and again is no longer begun anew. */
const mostLosses = 2;

/** What is said where there is no engine. */
export const user = { code: 'STATE_UNREACHABLE', name: 'The state' } as const;

/** What the engine has for the types of columns, and what follows a table. */
export const sqliteWords = { text: 'TEXT', int: 'INTEGER', bytes: 'BLOB', table: ' STRICT' };

/** One file of SQLite, opened when it is needed first; where there is none, nothing is read from it. */
export function sqliteEngine(file: SqliteFile): Engine {
  let open: Sqlite | undefined;
  /** Of the file that was opened last. */
  let identity: string | undefined;
  let losses = 0;
  const prepared = new Map<string, SqliteStatement>();

  /** Whether there is a database without making one. */
  const isOpenable = () => open !== undefined || isThere(file.path);

  function connection(): Sqlite {
    if (open !== undefined) return open;
    file.ready();
    identity = identityOf(file.path);
    let isNew = false as boolean;
    const made = openSqlite(file.path, {
      user,
      busyMs: 0,
      synchronous: file.durable ? 'FULL' : 'OFF',
      before: 'PRAGMA auto_vacuum = INCREMENTAL',
      accept: (at) => {
        isNew = within(at, 'BEGIN', () => hasNothing(at, file));
      },
    });
    try {
      made.exec('PRAGMA secure_delete = ON');
      if (isNew) makeTables(made, file);
      identity ??= identityOf(file.path);
      if (file.lost !== undefined) needUnmoved(file.path, identity);
    } catch (error) {
      made.close();
      throw error;
    }
    open = made;
    return made;
  }

  function close(): void {
    prepared.clear();
    unchanging?.close();
    open?.close();
    unchanging = open = undefined;
  }

  /** Whether a file that may be lost begins anew, or has while it was opened. */
  async function begunAnew(error: unknown): Promise<boolean> {
    if (file.lost === undefined || !(error instanceof Moving || (isDamage(error) && losses < mostLosses)))
      return false;
    close();
    const { moveAside, untilMoved } = await import('./move-aside.ts');
    if (error instanceof Moving) {
      await untilMoved(file.path);
      return true;
    }
    losses += 1;
    // Where nothing can be moved, the damage is what counts.
    const to = await moveAside(file.path, identity).catch(() => null);
    if (typeof to === 'string') await file.lost(to, error.message);
    return to !== null;
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
      const found = openImmutable(file.path, user);
      try {
        hasNothing(found, file);
      } catch (refused) {
        found.close();
        throw refused;
      }
      unchanging = found;
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
    file.fit?.();
    return within(connection(), 'BEGIN IMMEDIATE', () => {
      const { changes, result } = decide(scope.map(all));
      for (const change of changes) {
        const [known, values] = statement(change);
        const count = known.run(values);
        if (change.rows !== undefined && count !== change.rows) throw new Unlike(change.sql, count);
      }
      return result;
    });
  }

  return {
    rows: (asked) => patiently(file, 'read', begunAnew, () => (isOpenable() ? readable(asked) : [])),
    change: (scope, decide) => patiently(file, 'written', begunAnew, () => inOneTurn(scope, decide)),
    scrub: () =>
      patiently(file, 'written', begunAnew, () => {
        // What is removed is overwritten in the file at once; what it was before stands in the log of the engine until this.
        if (!isOpenable()) return;
        const [row] = connection().prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]) as Row[];
        if (row?.['busy'] === 1n) throw held();
      }),
    close: () => {
      close();
      return Promise.resolve();
    },
  };
}

/** The version of the engine that opens the files. */
export function sqliteVersion(): string {
  const at = openSqlite(':memory:', { user, busyMs: 0, synchronous: 'OFF' });
  try {
    const [row] = at.prepare('SELECT sqlite_version() AS version').all([]) as { version: string }[];
    return row?.version ?? '';
  } finally {
    at.close();
  }
}

/** In bytes; 0 where there is no such file. */
export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const isReadOnly = (error: unknown): boolean =>
  ['EROFS', 'EACCES'].includes(String((error as NodeJS.ErrnoException).code));

/** Does it in one transaction, or not at all. */
function within<T>(at: Sqlite, begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
  at.exec(begin);
  try {
    const result = work();
    at.exec('COMMIT');
    return result;
  } catch (error) {
    at.rollBack();
    throw error;
  }
}

/** Whether no tables were made in the file yet. Throws where those in it are of a newer obk, or not of obk. */
function hasNothing(at: Sqlite, { path, version }: SqliteFile): boolean {
  const id = Number(pragma(at, 'application_id'));
  const found = Number(pragma(at, 'user_version'));
  if (id === 0 && found === 0 && at.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').all([]).length === 0)
    return true;
  if (id !== applicationId) throw new NotOurs('it is a database of another program');
  if (found > version)
    throw new ObkError({
      code: 'STATE_NEWER',
      title: 'A newer obk has written the state.',
      detail: `${path} has schema ${String(found)}; this obk knows ${String(version)}.`,
      hint: ['Use the newer obk.'],
    });
  if (found < version) throw new NotOurs(`it has schema ${String(found)}, which no obk has made`);
  return false;
}

/** Makes the tables of a new file, unless another process has made them meanwhile. */
function makeTables(at: Sqlite, file: SqliteFile): void {
  within(at, 'BEGIN IMMEDIATE', () => {
    if (!hasNothing(at, file)) return;
    for (const sql of file.ddl) at.exec(sql);
    const { version } = file;
    at.exec(`PRAGMA application_id = ${String(applicationId)}; PRAGMA user_version = ${String(version)}`);
  });
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
  { path, patienceMs, signal }: SqliteFile,
  what: 'read' | 'written',
  begunAnew: (error: unknown) => Promise<boolean>,
  work: () => T,
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (let most = 2; ; most = Math.min(most * 2, 100)) {
    try {
      return work();
    } catch (error) {
      if (!isHeld(error)) {
        if (await begunAnew(error)) continue;
        throw failed(path, error, what);
      }
      if (performance.now() >= until) throw busy(path, error);
    }
    await setTimeout(1 + Math.random() * most);
    signal?.throwIfAborted();
  }
}
