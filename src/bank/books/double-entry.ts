import { findAccount } from './accounts.ts';
import type { Database, SqlValue } from './database.ts';
import { ownIban } from './iban.ts';
import type { Account } from './accounts.ts';

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

/** The text of an account's first entry. */
export const openingText = 'Opening balance';

/** One side of a booking; an IBAN stands for its account in the currency of the booking. */
export type Entry = { minor: bigint } & ({ iban: string } | { accountId: bigint });

/** The columns of every booking; a payment has further ones. */
const bookingColumns = [
  'bookedAt',
  'debtorName',
  'debtorIban',
  'creditorName',
  'creditorIban',
  'endToEndId',
  'remittance',
] as const;

/**
 * Writes one booking whose entries sum to zero, and moves the balances; call it inside a transaction. Which bookings a payment makes,
 * `bank/booking` decides.
 */
export function book(database: Database, booking: Booking, entries: readonly Entry[]): void {
  if (entries.reduce((sum, entry) => sum + entry.minor, 0n) !== 0n)
    throw new Error('entries do not sum to zero');
  const { currency = 'EUR', part = 0, details } = booking;
  const values = { ...booking, currency, part, details: details && JSON.stringify(details) };
  const columns = [...bookingColumns, 'paymentId', 'part', 'currency', 'instructed', 'details'] as const;
  const row = database.one<{ bookingId: bigint }>(
    `INSERT INTO bookings (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) RETURNING bookingId`,
    ...columns.map((column) => values[column] ?? null),
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

const rowsAtOnce = 250;

/**
 * Writes many bookings between an account and the clearing account, in few statements, and moves the balances at the end;
 * call it inside a transaction.
 */
export function bookAll(
  database: Database,
  account: Pick<Account, 'accountId' | 'currency'>,
  bookings: Iterable<Booking & { minor: bigint }>,
): void {
  const { accountId, currency } = account;
  const clearing = findAccount(database, clearingIban, currency)?.accountId;
  if (clearing === undefined) throw new Error(`no clearing in ${currency}`);
  const last = database.one<{ id: bigint | null }>('SELECT max(bookingId) AS id FROM bookings');
  let bookingId = last?.id ?? 0n;
  let sum = 0n;
  let rows: SqlValue[][] = [];
  let entries: SqlValue[][] = [];
  const flush = () => {
    insertRows(database, `bookings (bookingId, currency, details, ${bookingColumns.join(', ')})`, rows);
    insertRows(database, 'entries (bookingId, accountId, day, minor)', entries);
    rows = [];
    entries = [];
  };
  for (const booking of bookings) {
    bookingId += 1n;
    sum += booking.minor;
    const details = booking.details === undefined ? null : JSON.stringify(booking.details);
    const day = booking.bookedAt.slice(0, 10);
    rows.push([bookingId, currency, details, ...bookingColumns.map((column) => booking[column] ?? null)]);
    entries.push([bookingId, accountId, day, booking.minor], [bookingId, clearing, day, -booking.minor]);
    if (rows.length === rowsAtOnce) flush();
  }
  flush();
  database.run('UPDATE accounts SET balance = balance + ? WHERE accountId = ?', sum, accountId);
  database.run('UPDATE accounts SET balance = balance - ? WHERE accountId = ?', sum, clearing);
}

/** Inserts rows in one statement; there may be none. */
export function insertRows(database: Database, into: string, rows: readonly SqlValue[][]): void {
  const [first] = rows;
  if (first === undefined) return;
  const row = `(${first.map(() => '?').join(', ')})`;
  database.run(`INSERT INTO ${into} VALUES ${rows.map(() => row).join(', ')}`, ...rows.flat());
}
