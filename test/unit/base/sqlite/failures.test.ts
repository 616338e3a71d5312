import { describe, expect, it } from 'vitest';
import { isHeld, sqliteCode } from '../../../../src/base/sqlite/failures.ts';
import { openSqlite } from '../../../../src/base/sqlite/open.ts';

const user = { code: 'SANDBOX_UNAVAILABLE', name: 'The test' } as const;
const failure = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
};

describe('a refusal of SQLite', () => {
  const database = openSqlite(':memory:', { user, busyMs: 100, synchronous: 'NORMAL' });
  database.exec('CREATE TABLE one (name TEXT UNIQUE NOT NULL CHECK (length(name) < 9), size INTEGER) STRICT');
  const insert = database.prepare('INSERT INTO one VALUES (?, ?)');
  insert.run(['a', 1]);
  const run = (sql: string) => () => {
    database.exec(sql);
  };

  it.each<[string, () => unknown, string]>([
    ['a value twice, by a statement', () => insert.run(['a', 1]), 'SQLITE_CONSTRAINT'],
    ['a value twice, at once', run("INSERT INTO one VALUES ('a', 1)"), 'SQLITE_CONSTRAINT'],
    ['no value', () => insert.run([null, 1]), 'SQLITE_CONSTRAINT'],
    ['a value against a rule', () => insert.run(['123456789', 1]), 'SQLITE_CONSTRAINT'],
    ['a value of another type', () => insert.run(['b', 'x']), 'SQLITE_CONSTRAINT'],
    ['a table that is not there', () => database.prepare('SELECT * FROM two'), 'SQLITE_ERROR'],
    ['a column that is not there', run('SELECT two FROM one'), 'SQLITE_ERROR'],
    ['a limit that is no number', () => database.prepare('SELECT 1 LIMIT ?').all(['x']), 'SQLITE_MISMATCH'],
    ['a value too many', () => database.prepare('SELECT 1').all([1]), 'SQLITE'],
  ])('has its code: %s', (_, work, code) => {
    const error = failure(work);
    expect([sqliteCode(error), isHeld(error)]).toEqual([code, false]);
  });

  it('has a code where another process writes, at once and by a statement', () => {
    const error = (errcode?: number) => ({
      code: 'ERR_SQLITE_ERROR',
      errcode,
      message: 'database is locked',
    });
    for (const held of [error(5), error(261), error()])
      expect([sqliteCode(held), isHeld(held)]).toEqual(['SQLITE_BUSY', true]);
  });

  it('is distinguished from what Node or the system refuses', () => {
    const other = { code: 'ERR_INVALID_STATE', message: 'database is not open' };
    expect([sqliteCode(other), isHeld(other)]).toEqual([undefined, false]);
  });
});
