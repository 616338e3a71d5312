import type { TransactionStatus } from '../../standard/xs2a/codes.ts';
import type { basketStatuses } from '../../standard/xs2a/codes.ts';
import type { Database } from '../books/database.ts';

/** The statuses of a signing basket (guidelines 8.3). */
export type BasketStatus = (typeof basketStatuses)['emitted'][number];

/** A signing basket as the ledger keeps it. */
export interface Basket {
  basketId: string;
  tpp: string;
  status: BasketStatus;
  psuId: string | undefined;
  redirectUri: string | undefined;
  nokRedirectUri: string | undefined;
  redirectPreferred: boolean | undefined;
  paymentIds: readonly string[];
  consentIds: readonly string[];
}

/** Adds a basket in status RCVD that waits until `dueAt` (ISO 8601) for its authorisation. */
export function insertBasket(database: Database, basket: Basket, dueAt: string): void {
  const { basketId, redirectPreferred } = basket;
  database.run(
    `INSERT INTO baskets (basketId, tpp, status, psuId, redirectUri, nokRedirectUri, redirectPreferred, dueAt)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    basketId,
    basket.tpp,
    basket.status,
    basket.psuId ?? null,
    basket.redirectUri ?? null,
    basket.nokRedirectUri ?? null,
    redirectPreferred === undefined ? null : Number(redirectPreferred),
    dueAt,
  );
  for (const paymentId of basket.paymentIds)
    database.run('INSERT INTO basketMembers (basketId, paymentId) VALUES (?, ?)', basketId, paymentId);
  for (const consentId of basket.consentIds)
    database.run('INSERT INTO basketMembers (basketId, consentId) VALUES (?, ?)', basketId, consentId);
}

type BasketRow = Record<Exclude<keyof Basket, 'paymentIds' | 'consentIds'>, unknown>;

/** The basket with this id, of any TPP. */
export function findBasket(database: Database, basketId: string): Basket | undefined {
  const [row] = database.all<BasketRow>(
    'SELECT basketId, tpp, status, psuId, redirectUri, nokRedirectUri, redirectPreferred FROM baskets WHERE basketId = ?',
    basketId,
  );
  if (row === undefined) return undefined;
  const members = database.all<{ paymentId: string | null; consentId: string | null }>(
    'SELECT paymentId, consentId FROM basketMembers WHERE basketId = ? ORDER BY rowid',
    basketId,
  );
  return {
    basketId,
    tpp: row.tpp as string,
    status: row.status as BasketStatus,
    psuId: (row.psuId ?? undefined) as string | undefined,
    redirectUri: (row.redirectUri ?? undefined) as string | undefined,
    nokRedirectUri: (row.nokRedirectUri ?? undefined) as string | undefined,
    redirectPreferred: row.redirectPreferred === null ? undefined : row.redirectPreferred === 1n,
    paymentIds: members.flatMap(({ paymentId }) => paymentId ?? []),
    consentIds: members.flatMap(({ consentId }) => consentId ?? []),
  };
}

/**
 * The status of the basket that a payment or a consent is in; a deleted or rejected basket no longer holds its members.
 */
export function basketOf(database: Database, id: string): TransactionStatus | undefined {
  const [row] = database.all<{ status: TransactionStatus }>(
    `SELECT status FROM baskets JOIN basketMembers USING (basketId)
     WHERE (paymentId = ? OR consentId = ?) AND status NOT IN ('CANC', 'RJCT')`,
    id,
    id,
  );
  return row?.status;
}

/** Sets the status of a basket; without `dueAt` no timer changes it any more. */
export function setBasket(database: Database, basketId: string, status: BasketStatus, dueAt?: string): void {
  database.run(
    'UPDATE baskets SET status = ?, dueAt = ? WHERE basketId = ?',
    status,
    dueAt ?? null,
    basketId,
  );
}

/** The baskets that have waited too long. */
export function dueBaskets(database: Database, now: Date): string[] {
  return database
    .all<{ basketId: string }>('SELECT basketId FROM baskets WHERE dueAt <= ?', now.toISOString())
    .map(({ basketId }) => basketId);
}
