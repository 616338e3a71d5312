import { defined } from '../../base/defined.ts';
import { bookAll } from '../books/bulk-booking.ts';
import { cardPast } from './card-past.ts';
import type { Database } from '../books/database.ts';
import type { Past } from './seeded-past.ts';
import { foreignPast, householdPast } from './household.ts';
import { book, capitalIban, openingText } from '../books/booking.ts';
import { isCard } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import type { Booking } from '../books/booking.ts';
import { findPerson } from '../books/people.ts';

/**
 * Writes the past of an account into the books when it is first looked at, so that a new ledger is there at once. The
 * balance stays: the opening moves to the beginning of the past and takes up the difference.
 */
export function ensurePast(database: Database, account: Account): void {
  const { accountId } = account;
  const row = database.one<{ hasHistory: bigint }>(
    'SELECT hasHistory FROM accounts WHERE accountId = ?',
    accountId,
  );
  if (row?.hasHistory !== 0n || account.psuId === null) return;
  database.atomically(() => {
    database.run('UPDATE accounts SET hasHistory = 1 WHERE accountId = ?', accountId);
    writePast(database, account);
  });
}

function writePast(database: Database, account: Account): void {
  const { accountId, iban } = account;
  const opening = database.one<{ bookingId: bigint; minor: bigint }>(
    `SELECT bookingId, minor FROM entries JOIN bookings USING (bookingId)
     WHERE accountId = ? AND remittance = ? ORDER BY entryId LIMIT 1`,
    accountId,
    openingText,
  );
  const past = pastOf(database, account, birthOf(database));
  const [first] = past;
  // An account that was opened without money has no opening yet; a card has none at all.
  if ((opening !== undefined || !isCard(account)) && first !== undefined) {
    const sum = past.reduce((total, { minor }) => total + minor, 0n);
    const bookedAt = `${first.bookedAt.slice(0, 7)}-01T00:00:00.000Z`;
    if (opening !== undefined) removeBooking(database, opening.bookingId);
    bookOpening(database, account, (opening?.minor ?? 0n) - sum, bookedAt);
  }
  const owner = findPerson(database, account.psuId ?? '')?.name ?? '';
  bookAll(
    database,
    account,
    past.map((one) => ({ ...bookingOf(one, owner, iban), minor: one.minor })),
  );
}

function pastOf(database: Database, { accountId, iban, pan, currency }: Account, before: string): Past[] {
  if (pan !== null) return cardPast(pan, before);
  if (currency !== 'EUR') return foreignPast(iban ?? '', currency, before);
  return householdPast(iban ?? '', before, cardOf(database, accountId));
}

/** The card whose invoices an account pays. */
function cardOf(database: Database, accountId: bigint): string | undefined {
  return database.one<{ pan: string }>('SELECT pan FROM accounts WHERE settledBy = ?', accountId)?.pan;
}

/** The day on which the ledger began: the past ends before it. */
function birthOf(database: Database): string {
  const row = database.one<{ value: string }>("SELECT value FROM meta WHERE key = 'seededAt'");
  return row?.value.slice(0, 10) ?? '';
}

function bookingOf(past: Past, owner: string, iban: string | null): Booking {
  const { bookedAt, minor, name, remittance, endToEndId, details } = past;
  const own = { name: owner, iban: iban ?? undefined };
  const other = { name, iban: past.iban };
  const [debtor, creditor] = minor < 0n ? [own, other] : [other, own];
  return {
    bookedAt,
    debtorName: debtor.name,
    ...defined({ debtorIban: debtor.iban }),
    creditorName: creditor.name,
    ...defined({ creditorIban: creditor.iban }),
    remittance,
    ...defined({ endToEndId }),
    details,
  };
}

function removeBooking(database: Database, bookingId: bigint): void {
  const entries = database.all<{ accountId: bigint; minor: bigint }>(
    'SELECT accountId, minor FROM entries WHERE bookingId = ?',
    bookingId,
  );
  for (const entry of entries)
    database.run(
      'UPDATE accounts SET balance = balance - ? WHERE accountId = ?',
      entry.minor,
      entry.accountId,
    );
  database.run('DELETE FROM entries WHERE bookingId = ?', bookingId);
  database.run('DELETE FROM bookings WHERE bookingId = ?', bookingId);
}

function bookOpening(
  database: Database,
  { accountId, currency }: Account,
  minor: bigint,
  bookedAt: string,
): void {
  book(database, { bookedAt, currency, remittance: openingText }, [
    { iban: capitalIban, minor: -minor },
    { accountId, minor },
  ]);
}
