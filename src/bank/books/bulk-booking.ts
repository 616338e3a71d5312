import type { Database, SqlValue } from './database.ts';
import { findAccount } from './accounts.ts';
import { clearingIban } from './booking.ts';
import type { Account } from './accounts.ts';
import type { Booking } from './booking.ts';

const rowsAtOnce = 250;
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
