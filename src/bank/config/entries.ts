import { defined } from '../../base/defined.ts';
import { capitalIban, clearingIban, openingText, insertRows } from '../books/double-entry.ts';
import { findAccount, numberOf } from '../books/accounts.ts';
import type { Database, SqlValue } from '../books/database.ts';
import { diceOf, shops } from '../statements/seeded-past.ts';
import { fractionDigits } from '../../standard/formats/money/amount.ts';
import type { AccountToOpen, EntryToBook } from './plan.ts';

const dayMs = 86_400_000;
const rowsAtOnce = 250;

/**
 * Writes the entries of all accounts of an empty ledger, each against the clearing account, and an opening that makes up the
 * balance. An entry keeps the id that its file gives it.
 */
export function writeEntries(
  database: Database,
  opened: readonly { accountId: bigint; account: AccountToOpen }[],
  now: Date,
): void {
  const writer = new Writer(database);
  const given = opened.flatMap(({ account }) => account.entries.flatMap(({ entryId }) => entryId ?? []));
  writer.keep(given);
  for (const { accountId, account } of opened) {
    if (!account.hasHistory) continue;
    const listed = [...account.entries, ...generatedFor(account)];
    const sum = listed.reduce((total, { minor }) => total + minor, 0n);
    const first = listed.reduce(
      (day, one) => (one.day < day ? one.day : day),
      now.toISOString().slice(0, 10),
    );
    if (account.balance !== sum) {
      const bookedAt = listed.length === 0 ? now.toISOString() : `${before(first)}T00:00:00.000Z`;
      const day = bookedAt.slice(0, 10);
      writer.write(
        accountId,
        account,
        { day, bookedAt, minor: account.balance - sum, remittance: openingText },
        capitalIban,
      );
    }
    for (const entry of listed) writer.write(accountId, account, entry, clearingIban);
  }
  writer.end();
}

const before = (day: string) => new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10);

/** Gathers rows, and gives entries without an id the free ones. */
class Writer {
  readonly #database: Database;
  readonly #taken = new Set<bigint>();
  readonly #sums = new Map<bigint, bigint>();
  readonly #own = new Map<string, bigint>();
  #bookings: SqlValue[][] = [];
  #entries: SqlValue[][] = [];
  #others: SqlValue[][] = [];
  #bookingId = 0n;
  #entryId = 0n;

  constructor(database: Database) {
    this.#database = database;
    const last = (column: string, table: string) =>
      database.one<{ last: bigint }>(`SELECT coalesce(max(${column}), 0) AS last FROM ${table}`)?.last ?? 0n;
    this.#bookingId = last('bookingId', 'bookings');
    this.#entryId = last('entryId', 'entries');
  }

  keep(ids: readonly bigint[]): void {
    for (const id of ids) this.#taken.add(id);
  }

  write(accountId: bigint, account: AccountToOpen, entry: EntryToBook, against: string): void {
    const { currency } = account;
    this.#bookingId += 1n;
    const { day, minor, details } = entry;
    const owner = { iban: numberOf({ ...none, ...defined(account) }) };
    const other = { name: entry.name ?? null, iban: entry.account ?? null };
    const [debtor, creditor] =
      minor < 0n ? [{ name: null, ...owner }, other] : [other, { name: null, ...owner }];
    this.#bookings.push([
      this.#bookingId,
      entry.bookedAt ?? `${day}T12:00:00.000Z`,
      entry.paymentId ?? null,
      entry.part ?? 0,
      currency,
      debtor.name,
      debtor.iban,
      creditor.name,
      creditor.iban,
      entry.endToEndId ?? null,
      entry.remittance ?? null,
      entry.instructed ?? null,
      details === undefined || Object.keys(details).length === 0 ? null : JSON.stringify(details),
    ]);
    const counter = this.#counter(against, currency);
    this.#entries.push([entry.entryId ?? this.#free(), this.#bookingId, accountId, day, minor]);
    this.#others.push([this.#bookingId, counter, day, -minor]);
    this.#add(accountId, minor);
    this.#add(counter, -minor);
    if (this.#bookings.length >= rowsAtOnce) this.#flush();
  }

  /** The other side comes last, with ids above all that were given. */
  end(): void {
    this.#flush();
    for (const [accountId, sum] of this.#sums)
      this.#database.run('UPDATE accounts SET balance = balance + ? WHERE accountId = ?', sum, accountId);
    for (let at = 0; at < this.#others.length; at += rowsAtOnce)
      insertRows(
        this.#database,
        'entries (bookingId, accountId, day, minor)',
        this.#others.slice(at, at + rowsAtOnce),
      );
  }

  #flush(): void {
    insertRows(
      this.#database,
      `bookings (bookingId, bookedAt, paymentId, part, currency, debtorName, debtorIban, creditorName, creditorIban, endToEndId,
       remittance, instructed, details)`,
      this.#bookings,
    );
    insertRows(this.#database, 'entries (entryId, bookingId, accountId, day, minor)', this.#entries);
    this.#bookings = [];
    this.#entries = [];
  }

  #free(): bigint {
    do this.#entryId += 1n;
    while (this.#taken.has(this.#entryId));
    return this.#entryId;
  }

  #add(accountId: bigint, minor: bigint): void {
    this.#sums.set(accountId, (this.#sums.get(accountId) ?? 0n) + minor);
  }

  #counter(iban: string, currency: string): bigint {
    const key = `${iban} ${currency}`;
    const known = this.#own.get(key) ?? findAccount(this.#database, iban, currency)?.accountId;
    if (known === undefined) throw new Error(`the bank has no account of its own in ${currency}`);
    this.#own.set(key, known);
    return known;
  }
}

const none = { iban: null, bban: null, msisdn: null, pan: null, maskedPan: null };

/** Purchases and what comes in for them, so many on each day: each pair leaves the balance as it was. */
function* generatedFor({ generated, numbers, currency }: AccountToOpen): Generator<EntryToBook> {
  if (generated === undefined) return;
  const { seed, perDay, from, to } = generated;
  const dice = diceOf(`${seed} ${numbers.length === 0 ? '' : 'entries'}`);
  const unit = 10n ** BigInt(fractionDigits(currency));
  let refund: EntryToBook | undefined;
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) {
    const day = new Date(at).toISOString().slice(0, 10);
    for (let count = 0; count < perDay; count += 1) {
      if (refund !== undefined) {
        yield { ...refund, day, bookedAt: `${day}T12:00:00.000Z` };
        refund = undefined;
        continue;
      }
      const [name, town, , least, most] = dice.pick(shops);
      const minor = (BigInt(dice.between(least, most)) * unit) / 100n + 1n;
      const remittance = `${name}, ${town}`;
      yield { day, minor: -minor, name, remittance, details: { bankTransactionCode: 'PMNT-CCRD-POSD' } };
      refund = {
        day,
        minor,
        name,
        remittance: `Refund ${remittance}`,
        details: { bankTransactionCode: 'PMNT-CCRD-RIMB' },
      };
    }
  }
}
