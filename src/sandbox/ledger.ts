import { randomBytes, randomUUID } from 'node:crypto';
import { ObkError } from '../errors.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { ownIban } from './iban.ts';
import { definitions } from './people-seed.ts';
import { insertPerson } from './people.ts';
import { schema, schemaVersion, tables } from './schema.ts';

/** The books of the bank: two connections, so that the log of arrivals need not wait for the disk. */
export interface Ledger {
  /** Tells two ledgers apart; made at random with the file. */
  id: string;
  /** The key of what the pages sign. */
  pageKey: string;
  main: Database;
  log: Database;
  close(): void;
}

/** What one booking says beside its entries. */
export interface Booking {
  bookedAt: string;
  paymentId?: string;
  /** Which entry of a bulk, or which execution of a standing order, from 0. */
  part?: number;
  /** What was asked for in another currency, such as `10.00 USD`. */
  instructed?: string;
  debtorName?: string;
  debtorIban?: string;
  creditorName?: string;
  creditorIban?: string;
  endToEndId?: string;
  remittance?: string;
}

/** The bank's own accounts: what leaves the bank, and where opening balances come from. */
export const clearingIban = ownIban('DE', 9_000_001);
const capitalIban = ownIban('DE', 9_000_002);

/** Opens a ledger and fills a new one with the seeded people. Throws SANDBOX_UNAVAILABLE or STATE_NEWER. */
export async function openLedger(path: string, now: Date): Promise<Ledger> {
  const main = await openDatabase(path, { durable: true });
  try {
    main.atomically(() => {
      dropOlder(main);
      main.exec(schema);
      if (meta(main, 'schemaVersion') === undefined) seed(main, now);
    });
    checkVersion(main, path);
    const log = path === ':memory:' ? main : await openDatabase(path, { durable: false });
    return {
      id: meta(main, 'ledgerId') ?? '',
      pageKey: meta(main, 'pageKey') ?? '',
      main,
      log,
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

/** Empties a ledger and seeds it again; its id stays, so that a bank that serves it goes on. */
export function resetLedger(ledger: Ledger, now: Date): void {
  const { main, id, pageKey } = ledger;
  main.atomically(() => {
    for (const table of tables) main.run(`DELETE FROM ${table}`);
    seed(main, now);
    setMeta(main, 'ledgerId', id);
    setMeta(main, 'pageKey', pageKey);
  });
}

/** The tables of an earlier version are test data: the bank begins anew. */
function dropOlder(database: Database): void {
  const made = database.one("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'meta'");
  if (made === undefined || Number(meta(database, 'schemaVersion')) >= schemaVersion) return;
  for (const table of tables) database.exec(`DROP TABLE IF EXISTS ${table}`);
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

function meta(database: Database, key: string): string | undefined {
  return database.one<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value;
}

function setMeta(database: Database, key: string, value: string): void {
  database.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value);
}

function seed(database: Database, now: Date): void {
  setMeta(database, 'schemaVersion', String(schemaVersion));
  setMeta(database, 'ledgerId', randomUUID());
  setMeta(database, 'pageKey', randomBytes(32).toString('base64url'));
  addAccount(database, clearingIban, undefined, 'Clearing', 1);
  addAccount(database, capitalIban, undefined, 'Capital', 2);
  let number = 1000;
  for (const [position, definition] of definitions.entries()) {
    insertPerson(database, definition, position);
    for (const [index, account] of definition.accounts.entries()) {
      number += 111;
      const iban = ownIban(account.country, number);
      addAccount(database, iban, definition.psuId, account.name, index);
      const entries = [
        { iban: capitalIban, minor: BigInt(-account.opening) },
        { iban, minor: BigInt(account.opening) },
      ];
      book(database, { bookedAt: now.toISOString(), remittance: 'Opening balance' }, entries);
    }
  }
}

function addAccount(
  database: Database,
  iban: string,
  psuId: string | undefined,
  name: string,
  position: number,
): void {
  database.run(
    "INSERT INTO accounts (iban, psuId, currency, name, position) VALUES (?, ?, 'EUR', ?, ?)",
    iban,
    psuId ?? null,
    name,
    position,
  );
}

/** Writes one booking whose entries sum to zero, and moves the balances; call it inside a transaction. */
export function book(
  database: Database,
  booking: Booking,
  entries: readonly { iban: string; minor: bigint }[],
): void {
  if (entries.reduce((sum, entry) => sum + entry.minor, 0n) !== 0n)
    throw new Error('entries do not sum to zero');
  const row = database.one<{ bookingId: bigint }>(
    `INSERT INTO bookings (bookedAt, paymentId, part, currency, debtorName, debtorIban, creditorName, creditorIban,
     endToEndId, remittance, instructed) VALUES (?, ?, ?, 'EUR', ?, ?, ?, ?, ?, ?, ?) RETURNING bookingId`,
    booking.bookedAt,
    booking.paymentId ?? null,
    booking.part ?? 0,
    booking.debtorName ?? null,
    booking.debtorIban ?? null,
    booking.creditorName ?? null,
    booking.creditorIban ?? null,
    booking.endToEndId ?? null,
    booking.remittance ?? null,
    booking.instructed ?? null,
  );
  const bookingId = row?.bookingId ?? 0n;
  for (const { iban, minor } of entries) {
    database.run('INSERT INTO entries (bookingId, iban, minor) VALUES (?, ?, ?)', bookingId, iban, minor);
    database.run('UPDATE accounts SET balance = balance + ? WHERE iban = ?', minor, iban);
  }
}

/** An account of the bank; `psuId` is null for the bank's own. */
export interface Account {
  iban: string;
  psuId: string | null;
  currency: string;
  name: string;
  balance: bigint;
}

/** The account with this IBAN. */
export function findAccount(database: Database, iban: string): Account | undefined {
  return database.one<Account>(
    'SELECT iban, psuId, currency, name, balance FROM accounts WHERE iban = ?',
    iban,
  );
}

/** The accounts of a PSU, the first one first. */
export function accountsOf(database: Database, psuId: string): Account[] {
  return database.all<Account>(
    'SELECT iban, psuId, currency, name, balance FROM accounts WHERE psuId = ? ORDER BY position',
    psuId,
  );
}
