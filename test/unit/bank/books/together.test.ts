import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, patienceOf } from '../../../../src/bank/books/database.ts';
import type { Database } from '../../../../src/bank/books/database.ts';
import { otherProcesses } from '../../../../src/bank/books/known-rows.ts';

let folder: string;
let main: Database;
let log: Database;
let elsewhere: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'obk-together-'));
  const path = join(folder, 'ledger.db');
  const patience = patienceOf(300);
  main = openDatabase(path, { durable: true, patience });
  log = openDatabase(path, { durable: false, patience });
  elsewhere = openDatabase(path, { durable: false, patience: patienceOf(50) });
  main.run('CREATE TABLE calls (number INTEGER PRIMARY KEY, path TEXT UNIQUE) STRICT');
  for (const database of [main, log]) database.remember(otherProcesses(log));
});
afterEach(() => {
  for (const database of [elsewhere, log, main]) database.close();
  rmSync(folder, { recursive: true, force: true });
});

const note = (path: string) => () => log.run('INSERT INTO calls (path) VALUES (?)', path);
const paths = (database: Database) =>
  database.all<{ path: string }>('SELECT path FROM calls ORDER BY number').map(({ path }) => path);

describe('the work of one turn of the event loop', () => {
  it('is done at once and committed together before all its promises resolve', async () => {
    const first = log.together(note('a'));
    const second = log.together(note('b'));
    expect(paths(log)).toEqual(['a', 'b']);
    expect(paths(elsewhere)).toEqual([]);
    await first;
    expect(paths(elsewhere)).toEqual(['a', 'b']);
    await second;
    await log.together(note('c'));
    expect(paths(elsewhere)).toEqual(['a', 'b', 'c']);
  });

  it('is committed before another connection of the ledger writes, which would wait in vain', async () => {
    const noted = log.together(note('a'));
    main.run('INSERT INTO calls (path) VALUES (?)', 'main');
    expect(paths(elsewhere)).toEqual(['a', 'main']);
    log.atomically(note('alone'));
    expect(paths(elsewhere)).toEqual(['a', 'main', 'alone']);
    await noted;
  });

  it('is committed before another ledger of this process writes to the same file', async () => {
    const noted = log.together(note('a'));
    elsewhere.run('INSERT INTO calls (path) VALUES (?)', 'elsewhere');
    expect(paths(elsewhere)).toEqual(['a', 'elsewhere']);
    await noted;
  });

  it('loses nothing where one part of it fails', async () => {
    const first = log.together(note('a'));
    await expect(log.together(note('a'))).rejects.toThrow('UNIQUE');
    const third = log.together(note('c'));
    await Promise.all([first, third]);
    expect(paths(elsewhere)).toEqual(['a', 'c']);
  });

  it('is acknowledged to nobody where it could not be committed', async () => {
    const first = log.together(note('a'));
    const second = log.together(() => log.run('ROLLBACK'));
    await expect(first).rejects.toThrow();
    await expect(second).rejects.toThrow();
    expect(paths(log)).toEqual([]);
    await log.together(note('later'));
    expect(paths(elsewhere)).toEqual(['later']);
  });
});

describe('a value derived from rows', () => {
  const count = () =>
    main.madeOf('count', () => Number(main.one<{ n: bigint }>('SELECT count(*) AS n FROM calls')?.n));

  it('is computed once, until a row changes, by whatever connection', async () => {
    let made = 0;
    const value = () => main.madeOf('once', () => (made += 1));
    expect([value(), value()]).toEqual([1, 1]);
    expect(count()).toBe(0);
    main.run('INSERT INTO calls (path) VALUES (?)', 'x');
    expect([value(), count()]).toEqual([2, 1]);
    elsewhere.run('INSERT INTO calls (path) VALUES (?)', 'y');
    await new Promise(setImmediate);
    expect([value(), count()]).toEqual([3, 2]);
  });

  it('is that of the transaction within it, and not what was undone after it', () => {
    expect(() =>
      main.atomically(() => {
        main.run('INSERT INTO calls (path) VALUES (?)', 'x');
        expect(count()).toBe(1);
        throw new Error('undone');
      }),
    ).toThrow('undone');
    expect(count()).toBe(0);
  });
});
