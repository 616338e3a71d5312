import { ObkError } from '../../base/errors.ts';
import { formatMinor } from '../../standard/formats/money/amount.ts';
import { bookAll } from '../books/double-entry.ts';
import type { Database } from '../books/database.ts';
import { diceOf, shops } from './seeded-past.ts';
import { accountById, accountsOf, numberOf } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import type { Booking } from '../books/double-entry.ts';
import { isoDay } from '../books/life-cycle.ts';
import { ensurePast } from './seeded-entries.ts';

/** A part of the transactions that somebody wants: from one number to before another, of so many. */
export interface SeedPart {
  from: number;
  to: number;
  of: number;
  psuId: string;
}

/** The account into which transactions were written, with its balance then, and how many entries it has now. */
export interface BankSeed {
  psuId: string;
  iban: string;
  balance: string;
  currency: string;
  entries: number;
}

const daysBack = 1095;
const dayMs = 86_400_000;

/** Writes a part of many transactions, spread over the three years before now, into the first account of a PSU. Throws USAGE. */
export function seedTransactions(database: Database, part: SeedPart, now: Date): BankSeed {
  const { psuId } = part;
  const [account] = accountsOf(database, psuId);
  if (account === undefined) throw new ObkError({ code: 'USAGE', title: `The bank knows no PSU ${psuId}.` });
  database.atomically(() => {
    ensurePast(database, account);
    bookAll(database, account, made(account, part, now));
  });
  const counted = database.one<{ entries: bigint }>(
    'SELECT count(*) AS entries FROM entries WHERE accountId = ?',
    account.accountId,
  );
  const balance = accountById(database, account.accountId)?.balance ?? 0n;
  const { currency } = account;
  return {
    psuId,
    iban: numberOf(account),
    currency,
    balance: formatMinor(balance, currency),
    entries: Number(counted?.entries ?? 0n),
  };
}

/** Each purchase is refunded by the next entry, so that the balance stays near where it was. */
function* made(
  account: Account,
  { from, to, of }: SeedPart,
  now: Date,
): Generator<Booking & { minor: bigint }> {
  const own = numberOf(account);
  for (let number = from; number < to; number += 1) {
    const pair = number - (number % 2);
    const dice = diceOf(`${own} ${String(pair)}`);
    const [shop, town, , least, most] = dice.pick(shops);
    const price = BigInt(dice.between(least, most));
    const ago = daysBack - Math.floor((number * daysBack) / of);
    const refund = number !== pair;
    yield {
      bookedAt: `${isoDay(new Date(now.getTime() - ago * dayMs))}T12:00:00.000Z`,
      minor: refund ? price : -price,
      ...(refund ? { debtorName: shop, creditorIban: own } : { creditorName: shop, debtorIban: own }),
      remittance: `${refund ? 'Refund' : 'Purchase'} ${String(number + 1)}, ${shop}, ${town}`,
    };
  }
}
