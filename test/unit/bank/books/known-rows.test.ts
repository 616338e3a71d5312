import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/bank/books/database.ts';
import type { Database } from '../../../../src/bank/books/database.ts';
import { kindOf, otherProcesses } from '../../../../src/bank/books/known-rows.ts';
import { openLedgerFile } from '../../../helpers/ledger-file.ts';

const folders: string[] = [];
const open: { close: () => void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const ask = 'SELECT value FROM meta WHERE key = ?';
const valueOf = (database: Database, key = 'a') => database.one<{ value: string }>(ask, key)?.value;
const change = (database: Database, value: string) => {
  database.run('UPDATE meta SET value = ?', value);
};

/** Two connections as a ledger has them, and one of another process, whose changes nobody tells. */
function connections() {
  const folder = mkdtempSync(join(tmpdir(), 'obk-known-'));
  folders.push(folder);
  const path = join(folder, 'ledger.db');
  const [main, log] = [openDatabase(path, { durable: false }), openDatabase(path, { durable: false })];
  main.exec('CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)');
  main.exec('CREATE TABLE arrivals (arrivalId INTEGER PRIMARY KEY)');
  main.exec("INSERT INTO meta VALUES ('a', 'one'), ('b', 'other')");
  const others = otherProcesses(log);
  for (const database of [main, log]) database.remember(others);
  const foreign = openLedgerFile(path);
  open.push(main, log, foreign);
  const elsewhere = (value: string) => {
    foreign.prepare("UPDATE meta SET value = ? WHERE key = 'a'").run([value]);
  };
  return { main, log, elsewhere };
}

describe('known rows of a ledger', () => {
  it('are not read twice in one sequence of work, and again after another process has changed them', async () => {
    const { main, log, elsewhere } = connections();
    for (const database of [main, log]) expect(valueOf(database)).toBe('one');
    elsewhere('two');
    for (const database of [main, log]) expect(valueOf(database)).toBe('one');
    await turn();
    for (const database of [main, log]) expect(valueOf(database)).toBe('two');
  });

  it('are read again after each change of this process, by either connection', () => {
    const { main, log } = connections();
    for (const [by, value] of [[main, 'two'] as const, [log, 'three'] as const]) {
      for (const database of [main, log]) valueOf(database);
      change(by, value);
      for (const database of [main, log]) expect(valueOf(database)).toBe(value);
    }
    main.exec("UPDATE meta SET value = 'four'");
    expect(valueOf(log)).toBe('four');
    expect(main.one("UPDATE meta SET value = 'five' RETURNING value")).toMatchObject({ value: 'five' });
    expect(valueOf(log)).toBe('five');
  });

  it('are those that a transaction has written, then those that it leaves', () => {
    const { main, log } = connections();
    main.atomically(() => {
      expect(valueOf(main)).toBe('one');
      change(main, 'two');
      expect([valueOf(main), valueOf(log)]).toEqual(['two', 'one']);
    });
    expect([valueOf(main), valueOf(log)]).toEqual(['two', 'two']);
    const undone = () =>
      main.atomically(() => {
        change(main, 'three');
        expect(valueOf(main)).toBe('three');
        throw new Error('undone');
      });
    expect(undone).toThrow('undone');
    expect([valueOf(main), valueOf(log)]).toEqual(['two', 'two']);
  });

  it('are no longer known when a transaction begins after another process has written', () => {
    const { main, elsewhere } = connections();
    expect(valueOf(main)).toBe('one');
    elsewhere('two');
    expect(main.atomically(() => valueOf(main))).toBe('two');
  });

  it('stay known while the log of calls grows', () => {
    const { main, log, elsewhere } = connections();
    expect(valueOf(main)).toBe('one');
    elsewhere('two');
    log.run('INSERT INTO arrivals (arrivalId) VALUES (1)');
    expect(valueOf(main)).toBe('one');
  });

  it('are distinguished by their values, and cannot be changed by their readers', () => {
    const { main } = connections();
    expect([valueOf(main, 'a'), valueOf(main, 'b'), valueOf(main, 'c')]).toEqual(['one', 'other', undefined]);
    const typeOf = 'SELECT typeof(?) AS type';
    const types = ['1', 1n, 1.5, null].map((value) => main.one<{ type: string }>(typeOf, value)?.type);
    expect(types).toEqual(['text', 'integer', 'real', 'null']);
    const rows = main.all<{ value: string }>('SELECT value FROM meta ORDER BY key');
    rows.reverse();
    expect(main.all('SELECT value FROM meta ORDER BY key')).toEqual([{ value: 'one' }, { value: 'other' }]);
    expect(() => (rows[0]!.value = 'two')).toThrow(TypeError);
  });

  it.each([
    ['SELECT value FROM meta', 'asks'],
    ['SELECT count(*) FROM arrivals', 'leaves'],
    ['SELECT data FROM events', 'leaves'],
    ['INSERT INTO arrivals (at) VALUES (?) RETURNING arrivalId', 'leaves'],
    ['DELETE FROM messages WHERE arrivalId <= ?', 'leaves'],
    ['INSERT OR REPLACE INTO meta (key) VALUES (?)', 'changes'],
    ['WITH x AS (SELECT 1) DELETE FROM meta', 'changes'],
    ['DELETE FROM arrivalsOfOthers', 'changes'],
  ])('are treated right by the statement: %s %s', (sql, kind) => {
    expect(kindOf(sql)).toBe(kind);
  });
});
