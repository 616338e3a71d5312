import type { ValueOf } from '../../base/schema.ts';
import { defined } from '../../base/defined.ts';
import type { Account } from '../books/accounts.ts';
import { book, clearingIban } from '../books/double-entry.ts';
import type { Database } from '../books/database.ts';
import { isoDay } from '../books/life-cycle.ts';
import { entriesIn } from '../statements/entries.ts';
import type { EntryRow } from '../statements/entries.ts';
import { addedPending, addPending } from '../statements/pending.ts';
import type { AddedPending } from '../statements/pending.ts';
import { ensurePast } from '../statements/seeded-entries.ts';
import { minorOf, textOf } from './people.ts';
import { badRequest } from './problem.ts';
import { list, named, object, orNull, text, textUpTo, words } from '../openapi/schema.ts';
import { amountPattern, Currency } from '../openapi/shared-schemas.ts';
import { limit } from '../openapi/operation.ts';
import { accountOf, byAccount } from './accounts.ts';
import type { ControlCall, Operations } from './control-call.ts';

const entry = {
  entryId: '1200',
  status: 'booked',
  bookingDate: '2026-11-20',
  amount: '-12.50',
  currency: 'EUR',
  counterpartName: 'Shop',
  counterpartAccount: 'DE02120300000000202051',
  remittance: 'Order 1',
  endToEndId: null,
  paymentId: null,
};

const states = ['booked', 'pending'] as const;

const Day = named('Date', text('ISO 8601, a day.', { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }));

const Entry = named(
  'Entry',
  object({
    entryId: text(),
    status: words(states),
    bookingDate: Day,
    amount: text('Negative where money goes out.', { pattern: amountPattern }),
    currency: Currency,
    counterpartName: orNull(text()),
    counterpartAccount: orNull(text()),
    remittance: orNull(text()),
    endToEndId: orNull(text()),
    paymentId: orNull(text()),
  }),
);

const NewEntry = named(
  'NewEntry',
  object(
    { amount: text('Money in, or with a minus money out; not zero.', { pattern: amountPattern }) },
    {
      status: words(states, 'booked if it is not given; a pending entry moves no money.'),
      bookingDate: Day,
      counterpartName: textUpTo(140),
      counterpartAccount: textUpTo(34),
      remittance: textUpTo(140),
      endToEndId: textUpTo(35),
    },
  ),
);

type NewEntry = ValueOf<typeof NewEntry>;

/** What happened on an account. */
export const entries = {
  listEntries: {
    at: 'GET /accounts/{account}/entries',
    summary: 'What happened on an account',
    about: 'The newest entries, oldest of them first; the pending ones last.',
    parameters: [byAccount, limit],
    gives: {
      status: 200,
      about: 'The entries.',
      schema: object({ entries: list(Entry) }),
      example: { entries: [entry] },
    },
    also: [404],
    run(call) {
      const account = accountOf(call);
      const { main } = call.books.ledger;
      ensurePast(main, account);
      const limit = Number(call.given['limit']);
      const pending = addedPending(main, account).map((one) => waiting(one, account));
      const booked = entriesIn(main, { accounts: [account.accountId] }, limit, true).map(bookedEntry);
      return { status: 200, body: { entries: [...booked, ...pending].slice(-limit) } };
    },
  },
  addEntry: {
    at: 'POST /accounts/{account}/entries',
    summary: 'Add a booking',
    about:
      'Money in, money out, or something pending. The TPP sees it in the list of transactions, and a booked one in the balances.',
    parameters: [byAccount],
    takes: {
      schema: NewEntry,
      example: {
        amount: '-12.50',
        counterpartName: 'Shop',
        counterpartAccount: 'DE02120300000000202051',
        remittance: 'Order 1',
      },
    },
    gives: { status: 201, about: 'The entry as the bank has it.', schema: Entry, example: entry },
    also: [404],
    run(call: ControlCall<NewEntry>) {
      const account = accountOf(call);
      const { main } = call.books.ledger;
      const wish = call.body;
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
  },
} as const satisfies Operations;

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
    ...defined({ [side[0]]: counterpartName, [side[1]]: counterpartAccount, remittance, endToEndId }),
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
