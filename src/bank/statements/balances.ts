import { formatMinor } from '../../standard/formats/money/amount.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { Balance } from '../../standard/xs2a/wire-accounts.ts';
import type { Database } from '../books/database.ts';
import { accountById, factsOf, isCard } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import { isoDay } from '../books/life-cycle.ts';
import { ensurePast } from './seeded-entries.ts';
import { pendingOf } from './pending.ts';

const dayMs = 86_400_000;

/** The booked balance of an account at the end of a day. */
export function closingOf(database: Database, { accountId }: Account, day: string): bigint {
  const later = database.one<{ sum: bigint }>(
    'SELECT coalesce(sum(minor), 0) AS sum FROM entries WHERE accountId = ? AND day > ?',
    accountId,
    day,
  );
  return (accountById(database, accountId)?.balance ?? 0n) - (later?.sum ?? 0n);
}

/** The balances of an account now (guidelines 14.16); a card has what is not yet invoiced. */
export function balancesOf(
  database: Database,
  account: Account,
  { now, framework }: { now: Date; framework: Framework },
): Balance[] {
  ensurePast(database, account);
  const { currency, creditLimit, accountId } = account;
  const yesterday = isoDay(new Date(now.getTime() - dayMs));
  const today = isoDay(now);
  const booked = accountById(database, accountId)?.balance ?? 0n;
  const waiting = pendingOf(database, account, now).map(({ minor }) => minor);
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, minor) => total + minor, 0n);
  const held = sum(waiting.filter((minor) => minor < 0n));
  const last = database.one<{ at: string | null }>(
    `SELECT max(bookedAt) AS at FROM bookings WHERE bookingId =
     (SELECT bookingId FROM entries WHERE accountId = ? ORDER BY day DESC, entryId DESC LIMIT 1)`,
    accountId,
  );
  const balance = (balanceType: string, minor: bigint, more: Partial<Balance>): Balance => ({
    balanceAmount: { currency, amount: formatMinor(minor, currency) },
    balanceType,
    ...more,
  });
  const changed = typeof last?.at === 'string' ? { lastChangeDateTime: last.at } : {};
  const { balances } = factsOf(account);
  if (balances !== undefined)
    return balances.map(({ balanceType, ahead, creditLimitIncluded }) =>
      balance(balanceType, booked + held + BigInt(ahead), {
        referenceDate: today,
        ...(creditLimitIncluded !== undefined &&
          hasMember(framework, 'balance', 'creditLimitIncluded') && { creditLimitIncluded }),
      }),
    );
  const isCredit = isCard(account);
  return [
    isCredit
      ? balance('nonInvoiced', booked, { referenceDate: today })
      : balance('closingBooked', closingOf(database, account, yesterday), { referenceDate: yesterday }),
    balance('expected', booked + sum(waiting), { referenceDate: today, ...changed }),
    balance('interimAvailable', booked + held + (creditLimit ?? 0n), {
      referenceDate: today,
      ...(hasMember(framework, 'balance', 'creditLimitIncluded') && { creditLimitIncluded: isCredit }),
    }),
  ];
}
