import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, rmSync, statSync } from 'node:fs';
import { ObkError } from '../../errors.ts';
import { damage, unusable } from './damage.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { ownIban, ownPan } from './iban.ts';
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

/** The facts of one booking besides its entries. */
export interface Booking {
  bookedAt: string;
  paymentId?: string;
  /** Which entry of a bulk, or which execution of a standing order, from 0. */
  part?: number;
  /** The amount as ordered in another currency, such as `10.00 USD`. */
  instructed?: string;
  /** Further members of the transaction as the wire has them. */
  details?: object;
  /** The currency of all its entries; EUR by default. */
  currency?: string;
  debtorName?: string;
  debtorIban?: string;
  creditorName?: string;
  creditorIban?: string;
  endToEndId?: string;
  remittance?: string;
}

/** The bank's own accounts: what leaves the bank, and where opening balances come from. */
export const clearingIban = ownIban('DE', 9_000_001);
export const capitalIban = ownIban('DE', 9_000_002);

/** Opens a ledger and fills a new one with the seeded people. Throws SANDBOX_UNAVAILABLE or STATE_NEWER. */
export function openLedger(path: string, now: Date): Ledger {
  if (path === ':memory:') return opened(path, now);
  try {
    if (!existsSync(path)) makeLedger(path, now);
    // A ledger comes into its place whole: one without a byte is what became of it.
    else if (statSync(path).size === 0) throw unusable(path, 'it is empty, so what it held is lost');
    return opened(path, now);
  } catch (error) {
    throw damage(error, path);
  }
}

/** Makes a ledger beside its place; of two processes the first one's stays. */
function makeLedger(path: string, now: Date): void {
  const fresh = `${path}.${String(process.pid)}.new`;
  const remove = () => {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(fresh + end, { force: true });
  };
  remove();
  try {
    const ledger = opened(fresh, now);
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

function opened(path: string, now: Date): Ledger {
  const main = openDatabase(path, { durable: true });
  try {
    main.atomically(() => {
      dropOlder(main);
      main.exec(schema);
      if (meta(main, 'schemaVersion') === undefined) seed(main, now);
    });
    checkVersion(main, path);
    const log = path === ':memory:' ? main : openDatabase(path, { durable: false });
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
  setMeta(database, 'seededAt', now.toISOString());
  setMeta(database, 'pageKey', randomBytes(32).toString('base64url'));
  for (const currency of ledgerCurrencies) {
    addAccount(database, { iban: clearingIban, currency, name: 'Clearing' }, 1);
    addAccount(database, { iban: capitalIban, currency, name: 'Capital' }, 2);
  }
  let number = 1000;
  for (const [position, definition] of definitions.entries()) {
    insertPerson(database, definition, position);
    const { psuId } = definition;
    for (const [index, { country, name, opening, others = [], card }] of definition.accounts.entries()) {
      number += 111;
      const iban = ownIban(country, number);
      let main = 0n;
      for (const [sub, { currency, opening: cents }] of [{ currency: 'EUR', opening }, ...others].entries()) {
        const accountId = addAccount(database, { iban, currency, psuId, name }, index * 10 + sub);
        if (sub === 0) main = accountId;
        addOpening(database, { accountId, iban, currency }, cents, now);
      }
      if (card !== undefined)
        addAccount(
          database,
          { ...card, pan: ownPan(number), currency: 'EUR', psuId, settledBy: main },
          index * 10 + 9,
        );
    }
  }
}

/** The currencies in which the bank keeps accounts. */
const ledgerCurrencies = ['EUR', 'USD', 'GBP'] as const;

function addOpening(
  database: Database,
  { accountId, iban, currency }: { accountId: bigint; iban: string; currency: string },
  cents: number,
  now: Date,
): void {
  const booking = { bookedAt: now.toISOString(), currency, remittance: openingText, creditorIban: iban };
  book(database, booking, [
    { iban: capitalIban, minor: BigInt(-cents) },
    { accountId, minor: BigInt(cents) },
  ]);
}

/** The text of an account's first entry. */
export const openingText = 'Opening balance';

function addAccount(
  database: Database,
  account: {
    iban?: string;
    pan?: string;
    currency: string;
    psuId?: string;
    name: string;
    creditLimit?: number;
    settledBy?: bigint;
  },
  position: number,
): bigint {
  const row = database.one<{ accountId: bigint }>(
    `INSERT INTO accounts (iban, pan, currency, psuId, name, creditLimit, settledBy, position) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     RETURNING accountId`,
    account.iban ?? null,
    account.pan ?? null,
    account.currency,
    account.psuId ?? null,
    account.name,
    account.creditLimit ?? null,
    account.settledBy ?? null,
    position,
  );
  return row?.accountId ?? 0n;
}

/** One side of a booking; an IBAN stands for its account in the currency of the booking. */
export type Entry = { minor: bigint } & ({ iban: string } | { accountId: bigint });

/** Writes one booking whose entries sum to zero, and moves the balances; call it inside a transaction. */
export function book(database: Database, booking: Booking, entries: readonly Entry[]): void {
  if (entries.reduce((sum, entry) => sum + entry.minor, 0n) !== 0n)
    throw new Error('entries do not sum to zero');
  const currency = booking.currency ?? 'EUR';
  const row = database.one<{ bookingId: bigint }>(
    `INSERT INTO bookings (bookedAt, paymentId, part, currency, debtorName, debtorIban, creditorName, creditorIban,
     endToEndId, remittance, instructed, details) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING bookingId`,
    booking.bookedAt,
    booking.paymentId ?? null,
    booking.part ?? 0,
    currency,
    booking.debtorName ?? null,
    booking.debtorIban ?? null,
    booking.creditorName ?? null,
    booking.creditorIban ?? null,
    booking.endToEndId ?? null,
    booking.remittance ?? null,
    booking.instructed ?? null,
    booking.details === undefined ? null : JSON.stringify(booking.details),
  );
  const bookingId = row?.bookingId ?? 0n;
  for (const entry of entries) {
    const accountId =
      'accountId' in entry ? entry.accountId : findAccount(database, entry.iban, currency)?.accountId;
    if (accountId === undefined) throw new Error('an entry for an account that is not there');
    database.run(
      'INSERT INTO entries (bookingId, accountId, day, minor) VALUES (?, ?, ?, ?)',
      bookingId,
      accountId,
      booking.bookedAt.slice(0, 10),
      entry.minor,
    );
    database.run('UPDATE accounts SET balance = balance + ? WHERE accountId = ?', entry.minor, accountId);
  }
}

/** An account of the bank, or a card account (with a PAN and no IBAN); `psuId` is null for the bank's own. */
export interface Account {
  accountId: bigint;
  iban: string | null;
  pan: string | null;
  psuId: string | null;
  currency: string;
  name: string;
  balance: bigint;
  /** In minor units; card accounts only. */
  creditLimit: bigint | null;
  /** The account that pays the invoices of a card. */
  settledBy: bigint | null;
}

const columns = 'accountId, iban, pan, psuId, currency, name, balance, creditLimit, settledBy';

/** A card account. */
export type CardAccount = Account & { pan: string };

/** An account that is not a card account. */
export type IbanAccount = Account & { iban: string };

/** The account with this IBAN in this currency, which for payments is EUR. */
export function findAccount(database: Database, iban: string, currency = 'EUR'): IbanAccount | undefined {
  return database.one<IbanAccount>(
    `SELECT ${columns} FROM accounts WHERE iban = ? AND currency = ?`,
    iban,
    currency,
  );
}

const ofPerson = `SELECT ${columns} FROM accounts WHERE psuId = ?`;

/** The accounts of a PSU, the first one first. */
export function accountsOf(database: Database, psuId: string): IbanAccount[] {
  return database.all<IbanAccount>(`${ofPerson} AND pan IS NULL ORDER BY position`, psuId);
}

/** The card accounts of a PSU. */
export function cardsOf(database: Database, psuId: string): CardAccount[] {
  return database.all<CardAccount>(`${ofPerson} AND pan IS NOT NULL ORDER BY position`, psuId);
}

/** The account with this number of the ledger's own. */
export function accountById(database: Database, accountId: bigint): Account | undefined {
  return database.one<Account>(`SELECT ${columns} FROM accounts WHERE accountId = ?`, accountId);
}

/** The kinds of names for an account. */
export const accountNames = {
  iban: 'iban',
  bban: 'substr(iban, 5)',
  pan: 'pan',
  maskedPan: "substr(pan, 1, 6) || '******' || substr(pan, 13)",
} as const;

/** The accounts of PSUs that a name may mean: several where it is that of a multicurrency account. */
export function accountsNamed(database: Database, by: keyof typeof accountNames, name: string): Account[] {
  return database.all<Account>(
    `SELECT ${columns} FROM accounts WHERE ${accountNames[by]} = ? AND psuId IS NOT NULL ORDER BY position`,
    name,
  );
}
