import { defined } from '../../base/defined.ts';
import { createHash } from 'node:crypto';
import type { Database } from '../books/database.ts';
import { factsOf, numberOf } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import type { Order } from '../books/order.ts';
import { debitOf } from '../books/order.ts';
import { isoDay } from '../books/life-cycle.ts';
import type { Stage } from '../books/life-cycle.ts';

/** An entry that is not booked yet: a payment with a future date, or a card reservation. */
export interface Pending {
  /** The day of the entry (ISO date). */
  day: string;
  minor: bigint;
  creditorName?: string;
  creditorIban?: string;
  debtorName?: string;
  debtorIban?: string;
  endToEndId?: string;
  remittance?: string;
}

const dayMs = 86_400_000;

/** The pending transactions of an account, oldest first. */
export function pendingOf(database: Database, account: Account, now: Date): Pending[] {
  const added = addedPending(database, account).map(pendingOfAdded);
  return [...reservationsOf(account, now), ...paymentsOf(database, account, now), ...added].sort(
    (one, other) => (one.day < other.day ? -1 : 1),
  );
}

/** A pending entry that a tester has added; a debit names the creditor, a credit the debtor. */
export interface AddedPending {
  pendingId: bigint;
  day: string;
  minor: bigint;
  name: string | undefined;
  account: string | undefined;
  endToEndId: string | undefined;
  remittance: string | undefined;
}

/** Adds a pending entry to an account, which stays until the ledger is reset. */
export function addPending(
  database: Database,
  { accountId }: Account,
  pending: Omit<AddedPending, 'pendingId'>,
): AddedPending {
  const { day, minor, name = null, account = null, endToEndId = null, remittance = null } = pending;
  const row = database.one<{ pendingId: bigint }>(
    `INSERT INTO pendingEntries (accountId, day, minor, name, account, endToEndId, remittance)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING pendingId`,
    accountId,
    day,
    minor,
    name,
    account,
    endToEndId,
    remittance,
  );
  return { pendingId: row?.pendingId ?? 0n, ...pending };
}

/** The pending entries that a tester has added to an account, oldest first. */
export function addedPending(database: Database, { accountId }: Account): AddedPending[] {
  return database
    .all<Record<string, unknown>>(
      `SELECT pendingId, day, minor, name, account, endToEndId, remittance FROM pendingEntries
       WHERE accountId = ? ORDER BY day, pendingId`,
      accountId,
    )
    .map(
      (row) =>
        Object.fromEntries(
          Object.entries(row).map(([column, value]) => [column, value ?? undefined]),
        ) as unknown as AddedPending,
    );
}

function pendingOfAdded({ day, minor, name, account, endToEndId, remittance }: AddedPending): Pending {
  const [who, where] =
    minor < 0n ? (['creditorName', 'creditorIban'] as const) : (['debtorName', 'debtorIban'] as const);
  return {
    day,
    minor,
    ...defined({ [who]: name, [where]: account, endToEndId, remittance }),
  };
}

/** Accepted payments that will be booked within a day; later ones and standing orders are no entries yet. */
function paymentsOf(database: Database, account: Account, now: Date): Pending[] {
  const rows = database.all<{ content: string; stages: string; createdAt: string }>(
    `SELECT content, stages, createdAt FROM payments WHERE dueAt IS NOT NULL AND booked = 0
     AND status NOT IN ('RCVD', 'PATC') AND debtorId = ?`,
    account.accountId,
  );
  const until = new Date(now.getTime() + dayMs).toISOString();
  return rows.flatMap(({ content, stages, createdAt }) => {
    const order = JSON.parse(content) as Order;
    const soon = (JSON.parse(stages) as Stage[]).some(({ book, at }) => book === true && at <= until);
    if (!soon || order.standing !== undefined) return [];
    return order.transfers.map((transfer) => ({
      day: createdAt.slice(0, 10),
      minor: -debitOf(transfer, account.currency),
      creditorName: transfer.creditorName,
      creditorIban: transfer.creditorAccount,
      debtorIban: numberOf(account),
      ...defined({ endToEndId: transfer.endToEndId, remittance: transfer.remittance }),
    }));
  });
}

const holders = ['Filling station Nord', 'Hotel Seeblick', 'Car rental Mobil', 'Parking garage Mitte'];

/** Deposits that a card holds for two days and that are never booked; the same ones however often one looks. */
function reservationsOf({ accountId, iban, pan, balance, facts }: Account, now: Date): Pending[] {
  // What a bank's file says of an account is all that there is.
  if (facts !== null && factsOf({ facts }).deposits !== true) return [];
  if (balance < 100_000n && pan === null) return [];
  return [1, 0].flatMap((ago) => {
    const day = isoDay(new Date(now.getTime() - ago * dayMs));
    const hash = createHash('sha256')
      .update(`${String(accountId)} ${iban ?? pan ?? ''} ${day}`)
      .digest();
    if (hash.readUInt8(0) > 160) return [];
    const creditorName = holders[hash.readUInt8(1) % holders.length] ?? '';
    return [
      { day, minor: -BigInt(1000 + (hash.readUInt16BE(2) % 9000)), creditorName, remittance: 'Deposit' },
    ];
  });
}
