import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, rmSync, statSync } from 'node:fs';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { damage, unusable } from './damage.ts';
import { openDatabase, patienceOf } from './database.ts';
import type { Database } from './database.ts';
import { otherProcesses } from './known-rows.ts';
import { madeFrom, remember } from './made.ts';
import { addReadyPeople, seedPeople } from './ready-people.ts';
import { kept, schema, schemaVersion, tables } from './schema.ts';

/** The books of the bank: two connections, so that the log of arrivals need not wait for the disk. */
export interface Ledger {
  /** Tells two ledgers apart; made at random with the file. */
  id: string;
  /** The key of what the pages sign. */
  pageKey: string;
  main: Database;
  log: Database;
  /** What a reset goes back to. */
  filling: Filling;
  close(): void;
}

/** What a new ledger holds. */
export interface Filling {
  /** Ids and secrets are made from it, the same ones each time; without it they are made at random. */
  seed?: string;
  /** The key of what the pages sign; from the seed without it. */
  pageKey?: string;
  /** Tells two fillings apart. */
  name: string;
  /** Fills empty books; `now` is the time of the world. */
  fill: (database: Database, now: Date) => void;
}

const ownPeople: Filling = { name: 'own', fill: seedPeople };

/** Opens a ledger and fills a new one, by default with the people of the bank inside. Throws SANDBOX_UNAVAILABLE or STATE_NEWER. */
export function openLedger(path: string, now: Date, filling = ownPeople): Ledger {
  if (path === ':memory:') return opened(path, now, filling);
  try {
    if (!existsSync(path)) makeLedger(path, now, filling);
    else needWhole(path);
    return opened(path, now, filling);
  } catch (error) {
    throw damage(error, path);
  }
}

/** A ledger comes into its place whole: a folder, or a file without a byte, is what became of it. */
function needWhole(path: string): void {
  const found = statSync(path);
  if (found.isDirectory()) throw unusable(path, 'it is a directory', 'reset');
  if (found.size === 0) throw unusable(path, 'it is empty, so its content is lost', 'reset');
}

/** Makes a ledger beside its place; of two processes the first one's stays. */
function makeLedger(path: string, now: Date, filling: Filling): void {
  const fresh = `${path}.${String(process.pid)}.new`;
  const remove = () => {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(fresh + end, { force: true });
  };
  remove();
  try {
    const ledger = opened(fresh, now, filling);
    // All of it into the one file: what stands beside it is not taken along.
    ledger.log.close();
    ledger.main.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    ledger.main.exec('PRAGMA journal_mode = DELETE');
    ledger.main.close();
    linkSync(fresh, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    remove();
  }
}

function opened(path: string, now: Date, filling: Filling): Ledger {
  const patience = patienceOf();
  const main = openDatabase(path, { durable: true, patience });
  try {
    main.atomically(() => {
      dropOlder(main);
      main.exec(schema);
      if (meta(main, 'schemaVersion') === undefined) begin(main, now, filling);
    });
    checkVersion(main, path);
    checkFilling(main, path, filling);
    const log = path === ':memory:' ? main : openDatabase(path, { durable: false, patience });
    const [id = '', pageKey = ''] = [meta(main, 'ledgerId'), meta(main, 'pageKey')];
    const others = otherProcesses(log);
    for (const database of [main, log]) database.remember(others);
    return {
      id,
      pageKey,
      main,
      log,
      filling,
      close() {
        if (log !== main) log.close();
        main.close();
      },
    };
  } catch (error) {
    main.close();
    throw error;
  }
}

/** Empties a ledger and fills it again; its id stays, so that a bank that serves it goes on. `now` is the time of the world. */
export function resetLedger(ledger: Ledger, now: Date): void {
  const { main, id, pageKey, filling } = ledger;
  main.atomically(() => {
    for (const table of tables) main.run(`DELETE FROM ${table}`);
    begin(main, now, filling);
    setMeta(main, 'ledgerId', id);
    setMeta(main, 'pageKey', pageKey);
    addReadyPeople(main, now);
  });
}

/** The tables of an earlier version are test data: the bank begins anew. */
function dropOlder(database: Database): void {
  const made = database.one("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'meta'");
  if (made === undefined || Number(meta(database, 'schemaVersion')) >= schemaVersion) return;
  for (const table of [...kept, ...tables]) database.exec(`DROP TABLE IF EXISTS ${table}`);
}

function checkVersion(database: Database, path: string): void {
  const version = Number(meta(database, 'schemaVersion'));
  if (version <= schemaVersion) return;
  throw new ObkError({
    code: 'STATE_NEWER',
    title: 'The ledger of the bank inside was made by a newer obk.',
    detail: `${path} has schema version ${version}, this obk knows ${schemaVersion}.`,
  });
}

/** A ledger that is there goes on as it stands: it is never filled with another bank. */
function checkFilling(database: Database, path: string, { name, seed }: Filling): void {
  if (seed === undefined || meta(database, 'filling') === name) return;
  throw new ObkError({
    code: 'SANDBOX_UNAVAILABLE',
    title: "The ledger is not one of this bank's file.",
    detail: `${path} was made without that file, or the file has changed since: what it holds would be lost.`,
    hint: [
      line`obk sandbox start --port 0 --database ${path}   # the bank that it was, for \`obk sandbox export\``,
    ],
  });
}

function meta(database: Database, key: string): string | undefined {
  return database.one<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value;
}

/** Tells what a ledger holds from what it held before a reset; a snapshot brings its own back. */
export function beginningOf({ main, id }: Ledger): string {
  return meta(main, 'beganAs') ?? id;
}

function setMeta(database: Database, key: string, value: string): void {
  database.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value);
}

function begin(database: Database, now: Date, { seed, pageKey, name, fill }: Filling): void {
  setMeta(database, 'schemaVersion', String(schemaVersion));
  setMeta(database, 'ledgerId', randomUUID());
  setMeta(database, 'beganAs', randomUUID());
  setMeta(database, 'seededAt', now.toISOString());
  setMeta(database, 'filling', name);
  if (seed !== undefined) remember(database, seed);
  const made = seed === undefined ? randomBytes(32).toString('base64url') : madeFrom(seed, 'page key');
  setMeta(database, 'pageKey', pageKey ?? made);
  fill(database, now);
}
