import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteFor } from '../../src/base/sqlite/engine.ts';
import { openSqlite } from '../../src/base/sqlite/open.ts';
import type { Sqlite } from '../../src/base/sqlite/open.ts';
import type { Row, SqlValue, Statement } from '../../src/client/ports/engine.ts';
import { replace, select } from '../../src/client/state/tables.ts';
import type { Table } from '../../src/client/state/tables.ts';

/** The file of a home, as somebody opens it who looks into it by hand. */
export function opened(stateDir: string, file: 'state' | 'log'): Sqlite {
  return openSqlite(join(stateDir, `${file}.db`), {
    user: { code: 'STATE_UNREADABLE', name: 'The state' },
    busyMs: 5_000,
    synchronous: 'OFF',
  });
}

/** Changes a file of a home behind the back of obk; returns how many rows. */
export function plantInto(
  stateDir: string,
  file: 'state' | 'log',
  sql: string,
  values: readonly SqlValue[] = [],
): number {
  const at = opened(stateDir, file);
  try {
    return at.prepare(sql).run(values);
  } finally {
    at.close();
  }
}

/** Makes many changes behind the back of obk, all at once. */
export function plantAll(stateDir: string, file: 'state' | 'log', changes: readonly Statement[]): void {
  const at = opened(stateDir, file);
  try {
    at.exec('BEGIN IMMEDIATE');
    for (const { sql, values } of changes) at.prepare(sql).run(values);
    at.exec('COMMIT');
  } finally {
    at.close();
  }
}

/** Reads rows of a file of a home. */
export function rowsIn(
  stateDir: string,
  file: 'state' | 'log',
  sql: string,
  values: readonly SqlValue[] = [],
): Readonly<Record<string, SqlValue>>[] {
  const at = opened(stateDir, file);
  try {
    return at.prepare(sql).all(values) as Readonly<Record<string, SqlValue>>[];
  } finally {
    at.close();
  }
}

/**
 * A copy of the files of a home in a folder of its own, each whole without a write-ahead log: a connection that was closed may be
 * open until its statements are collected, and would go on with what stands in the place of its file.
 */
export function copyOf(stateDir: string, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of ['state', 'log'] as const) {
    if (!existsSync(join(stateDir, `${file}.db`))) continue;
    rowsIn(stateDir, file, 'PRAGMA wal_checkpoint(TRUNCATE)');
    copyFileSync(join(stateDir, `${file}.db`), join(folder, `${file}.db`));
  }
  return folder;
}

/** Changes the first row of a table as obk itself would write it: its sum is right, whatever it says. */
export function rewrite(
  stateDir: string,
  file: 'state' | 'log',
  of: Table,
  change: (row: Row) => Readonly<Record<string, SqlValue>>,
): void {
  const at = opened(stateDir, file);
  try {
    const [row] = at.prepare(select(of, 'ORDER BY rowid').sql).all([]) as Row[];
    if (row === undefined) throw new Error(`there is no row in ${of.name}`);
    const { sql, values } = replace(of, row as never, change(row) as never);
    at.prepare(sql).run(values);
  } finally {
    at.close();
  }
}

/** Puts a database into the place of a file as a program makes one that knows nothing of obk: with a rollback journal. */
export function foreignInto(path: string, sql = ''): void {
  rmSync(path, { force: true });
  const { DatabaseSync } = sqliteFor({ code: 'STATE_UNREADABLE', name: 'The test' });
  const other = new DatabaseSync(path);
  other.exec(`CREATE TABLE song (title TEXT); INSERT INTO song VALUES ('Yesterday'); ${sql}`);
  other.close();
  chmodSync(path, 0o600);
}
