import { accountById, accountsOf, cardsOf, updateAccount } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import { book, clearingIban } from '../books/booking.ts';
import type { Database } from '../books/database.ts';
import { isoDay } from '../books/life-cycle.ts';
import { allPeople, findPerson } from '../books/people.ts';
import { entriesIn } from '../statements/entries.ts';
import type { EntryRow } from '../statements/entries.ts';
import { addPending, addedPending } from '../statements/pending.ts';
import type { AddedPending } from '../statements/pending.ts';
import { ensurePast } from '../statements/seeded-entries.ts';
import { doDueWork } from '../sca/timers.ts';
import type { ControlCall, ControlHandler } from './control-call.ts';
import { removeAccount } from '../steering/leave.ts';
import { freeIban, minorOf, taken, textOf, unlessTaken } from './people.ts';
import { badRequest, notThere } from './problem.ts';

interface NewEntry {
  amount: string;
  status?: 'booked' | 'pending';
  bookingDate?: string;
  counterpartName?: string;
  counterpartAccount?: string;
  remittance?: string;
  endToEndId?: string;
}

/** Accounts and their entries. */
export const accounts = {
  listAccounts(call) {
    const { main } = duly(call);
    const { psuId } = call.given;
    const owners = psuId === undefined ? allPeople(main).map((one) => one.psuId) : [String(psuId)];
    const found = owners.flatMap((owner) => [...accountsOf(main, owner), ...cardsOf(main, owner)]);
    return { status: 200, body: { accounts: found.map(shown) } };
  },
  async addAccount(call) {
    const { main } = call.books.ledger;
    const { psuId, ...wish } = call.body as { psuId: string } & Readonly<Record<string, unknown>>;
    const { readAccount } = await import('../config/added.ts');
    const { addAccounts } = await import('../config/fill.ts');
    if (findPerson(main, psuId) === undefined) throw notThere('PSU', psuId, 'people');
    const isNamed = ['iban', 'bban', 'msisdn', 'pan', 'maskedPan'].some((name) => wish[name] !== undefined);
    const given = isNamed ? wish : { iban: freeIban(main), ...wish };
    const account = taken(await readAccount(main, given, { psuId, place: psuId }));
    let added: bigint | undefined;
    main.atomically(() => {
      unlessTaken(() => {
        [added] = addAccounts(main, psuId, [account], call.books.clock.now());
      });
    });
    return { status: 201, body: shown(accountById(main, added ?? 0n) as Account) };
  },
  async changeAccount(call) {
    const { main } = call.books.ledger;
    const account = accountOf(call);
    const { accountId, psuId } = account;
    const { changedAccount, readAccount } = await import('../config/added.ts');
    const whole = changedAccount(main, account, call.body as object);
    const { name, facts, creditLimit } = taken(
      await readAccount(main, whole, { psuId: psuId ?? '', place: psuId ?? '' }),
    );
    updateAccount(main, accountId, { name, facts, creditLimit });
    return { status: 200, body: shown(accountById(main, accountId) as Account) };
  },
  removeAccount(call) {
    const { main } = call.books.ledger;
    const account = accountOf(call);
    const now = call.books.clock.now();
    return { status: 200, body: main.atomically(() => removeAccount(main, account, now)) };
  },
  getAccount: (call) => ({ status: 200, body: shown(accountOf(call)) }),
  listEntries(call) {
    const account = accountOf(call);
    const { main } = call.books.ledger;
    ensurePast(main, account);
    const limit = Number(call.given['limit']);
    const pending = addedPending(main, account).map((one) => waiting(one, account));
    const booked = entriesIn(main, { accounts: [account.accountId] }, limit, true).map(bookedEntry);
    return { status: 200, body: { entries: [...booked, ...pending].slice(-limit) } };
  },
  addEntry(call) {
    const account = accountOf(call);
    const { main } = call.books.ledger;
    const wish = call.body as NewEntry;
    const minor = minorOf(wish.amount, account.currency, '/amount');
    if (minor === 0n) throw badRequest('/amount is zero.', 'An entry moves money in or out.', '/amount');
    const day = dayOf(wish.bookingDate, call.books.clock.now());
    if (wish.status === 'pending') {
      const added = addPending(main, account, {
        day,
        minor,
        name: wish.counterpartName,
        account: wish.counterpartAccount,
        endToEndId: wish.endToEndId,
        remittance: wish.remittance,
      });
      return { status: 201, body: waiting(added, account) };
    }
    main.atomically(() => {
      // The past of the account is made up before it has entries of another hand.
      ensurePast(main, account);
      bookEntry(main, account, { ...wish, day, minor }, call.books.clock.now());
    });
    const [entry] = main.all<{ entryId: bigint }>(
      'SELECT max(entryId) AS entryId FROM entries WHERE accountId = ?',
      account.accountId,
    );
    const span = { accounts: [account.accountId], since: (entry?.entryId ?? 1n) - 1n };
    return { status: 201, body: bookedEntry(entriesIn(main, span, 1)[0] as EntryRow) };
  },
} as const satisfies Readonly<Record<string, ControlHandler>>;

/** The ledger with all done that is due. */
function duly({ books }: ControlCall): { main: Database } {
  doDueWork(books.ledger.main, books.clock.now());
  return books.ledger;
}

function accountOf(call: ControlCall): Account {
  const { main } = duly(call);
  const name = call.path['account'] ?? '';
  const byNumber = /^[0-9]{1,15}$/.test(name) ? accountById(main, BigInt(name)) : undefined;
  const byIban = main.one<{ accountId: bigint }>(
    "SELECT accountId FROM accounts WHERE iban = ? ORDER BY currency = 'EUR' DESC, position LIMIT 1",
    name,
  );
  const found = byNumber ?? (byIban && accountById(main, byIban.accountId));
  if (found === undefined || found.psuId === null) throw notThere('account', name, 'accounts');
  return found;
}

const shown = ({ accountId, iban, bban, msisdn, pan, currency, name, psuId, balance }: Account) => ({
  accountId: String(accountId),
  iban,
  bban,
  msisdn,
  pan,
  currency,
  name,
  psuId,
  balance: textOf(balance, currency),
});

function dayOf(wish: string | undefined, now: Date): string {
  if (wish === undefined) return isoDay(now);
  const at = new Date(`${wish}T00:00:00.000Z`);
  if (!Number.isNaN(at.getTime()) && isoDay(at) === wish && wish <= isoDay(now)) return wish;
  throw badRequest(
    `/bookingDate does not take ${wish}.`,
    `It is a day up to today, which is ${isoDay(now)} at this bank.`,
    '/bookingDate',
    ['POST /sandbox/api/clock moves the day.'],
  );
}

type Added = NewEntry & { day: string; minor: bigint };

function bookEntry(main: Database, account: Account, added: Added, now: Date): void {
  const { day, minor, counterpartName, counterpartAccount, remittance, endToEndId } = added;
  const side =
    minor < 0n ? (['creditorName', 'creditorIban'] as const) : (['debtorName', 'debtorIban'] as const);
  const booking = {
    bookedAt: day === isoDay(now) ? now.toISOString() : `${day}T12:00:00.000Z`,
    currency: account.currency,
    ...(counterpartName !== undefined && { [side[0]]: counterpartName }),
    ...(counterpartAccount !== undefined && { [side[1]]: counterpartAccount }),
    ...(remittance !== undefined && { remittance }),
    ...(endToEndId !== undefined && { endToEndId }),
  };
  book(main, booking, [
    { iban: clearingIban, minor: -minor },
    { accountId: account.accountId, minor },
  ]);
}

function bookedEntry(row: EntryRow) {
  const { entryId, day, minor, currency, remittance, endToEndId, paymentId } = row;
  const out = minor < 0n;
  return {
    entryId: String(entryId),
    status: 'booked',
    bookingDate: day,
    amount: textOf(minor, currency),
    currency,
    counterpartName: out ? row.creditorName : row.debtorName,
    counterpartAccount: out ? row.creditorIban : row.debtorIban,
    remittance,
    endToEndId,
    paymentId,
  };
}

const waiting = (added: AddedPending, { currency }: Account) => ({
  entryId: `P${String(added.pendingId)}`,
  status: 'pending',
  bookingDate: added.day,
  amount: textOf(added.minor, currency),
  currency,
  counterpartName: added.name ?? null,
  counterpartAccount: added.account ?? null,
  remittance: added.remittance ?? null,
  endToEndId: added.endToEndId ?? null,
  paymentId: null,
});
