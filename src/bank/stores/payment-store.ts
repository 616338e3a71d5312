import { transactionMoves } from '../../standard/xs2a/codes.ts';
import type { TransactionStatus } from '../../standard/xs2a/codes.ts';
import { debtorAccount } from '../books/accounts.ts';
import type { SqlValue, Database } from '../books/database.ts';
import type { Stage } from '../books/life-cycle.ts';
import type { Order } from '../books/order.ts';
import { pageOf } from './page.ts';
import type { Page } from './page.ts';

/** A transfer that the bank did not execute, by its place in the payment, with an ISO 20022 reason such as AM04. */
export interface Rejected {
  part: number;
  reason: string;
}

/** A payment as the ledger keeps it; `body` are the bytes as sent. */
export interface Payment {
  paymentId: string;
  tpp: string;
  requestId: string;
  framework: string;
  service: string;
  product: string;
  contentType: string;
  body: Uint8Array;
  content: Order;
  status: TransactionStatus;
  psuId: string | undefined;
  /** The PSU whose first factor is replaced by a consent of the same session. */
  sessionPsuId: string | undefined;
  redirectUri: string | undefined;
  nokRedirectUri: string | undefined;
  redirectPreferred: boolean | undefined;
  decoupledPreferred: boolean | undefined;
  explicitPreferred: boolean | undefined;
  noFundsPreferred: boolean | undefined;
  /** The stages still ahead, in order; empty before the acceptance. */
  stages: readonly Stage[];
  rejected: readonly Rejected[];
  /** The number of executions: any for a standing order, else 0 or 1. */
  booked: number;
  cancelRequested: boolean;
  createdAt: string;
  /** The time of the next timer. */
  dueAt: string | undefined;
}

const columns = [
  'paymentId',
  'tpp',
  'requestId',
  'framework',
  'service',
  'product',
  'contentType',
  'body',
  'content',
  'status',
  'psuId',
  'sessionPsuId',
  'redirectUri',
  'nokRedirectUri',
  'redirectPreferred',
  'decoupledPreferred',
  'explicitPreferred',
  'noFundsPreferred',
  'stages',
  'rejected',
  'booked',
  'cancelRequested',
  'createdAt',
  'dueAt',
] as const satisfies readonly (keyof Payment)[];

const json = new Set<keyof Payment>(['content', 'stages', 'rejected']);
const flags = [
  'redirectPreferred',
  'decoupledPreferred',
  'explicitPreferred',
  'noFundsPreferred',
  'cancelRequested',
] as const;

function bind(payment: Payment, column: keyof Payment): SqlValue {
  const value = payment[column];
  if (json.has(column)) return JSON.stringify(value);
  if (typeof value === 'boolean') return Number(value);
  return (value ?? null) as SqlValue;
}

/** Adds a payment, whose history begins with its status unless `isNew` is false. */
export function insertPayment(database: Database, payment: Payment, isNew = true): void {
  const places = columns.map(() => '?').join(', ');
  database.run(
    `INSERT INTO payments (${columns.join(', ')}, debtorId) VALUES (${places}, ?)`,
    ...columns.map((column) => bind(payment, column)),
    debtorAccount(database, payment.content.debtor)?.accountId ?? null,
  );
  if (isNew) noteHistory(database, payment.paymentId, payment.status, payment.createdAt);
}

const sqlOfOne = `SELECT ${columns.join(', ')} FROM payments WHERE paymentId = ?`;
/** What stands in a row is read once: a small one is the same until something changes. */
const known = new WeakMap<object, Payment>();

/** The payment with this id, of any TPP. */
export function findPayment(database: Database, paymentId: string): Payment | undefined {
  const row = database.one<Record<string, unknown>>(sqlOfOne, paymentId);
  if (row === undefined) return undefined;
  const payment = known.get(row) ?? read(row);
  known.set(row, payment);
  // Its members are set to other values before it is saved.
  return { ...payment };
}

/** Whether a TPP has made a payment with the same order since then, which was neither rejected nor cancelled. */
export function hasEqualPayment(
  database: Database,
  { tpp, order, since }: { tpp: string; order: Order; since: string },
): boolean {
  const sql = `SELECT 1 FROM payments WHERE tpp = ? AND createdAt >= ? AND status NOT IN ('RJCT', 'CANC') AND content = ?
    LIMIT 1`;
  return database.one(sql, tpp, since, JSON.stringify(order)) !== undefined;
}

/** All payments in the order of their creation. */
export function allPayments(database: Database): Payment[] {
  return database
    .all<Record<string, unknown>>(`SELECT ${columns.join(', ')} FROM payments ORDER BY rowid`)
    .map(read);
}

/** A page of the payments, in the order of their creation or against it. */
export function listPayments(database: Database, page: Page): Payment[] {
  const [rest, ...values] = pageOf('payments', 'paymentId', page);
  return database
    .all<Record<string, unknown>>(`SELECT ${columns.join(', ')} FROM payments ${rest}`, ...values)
    .map(read);
}

/** The payment whose timer is most overdue. */
export function duePayment(database: Database, now: Date): Payment | undefined {
  const [row] = database.all<Record<string, unknown>>(
    `SELECT ${columns.join(', ')} FROM payments WHERE dueAt <= ? ORDER BY dueAt, rowid LIMIT 1`,
    now.toISOString(),
  );
  return row && read(row);
}

function read(row: Record<string, unknown>): Payment {
  const plain = Object.fromEntries(
    columns.map((column) => {
      const value = row[column] ?? undefined;
      return [column, json.has(column) ? JSON.parse(value as string) : value];
    }),
  );
  for (const name of flags) plain[name] = plain[name] === undefined ? undefined : plain[name] === 1n;
  return { ...plain, booked: Number(row['booked']) } as Payment;
}

/** Saves members of a payment except the status (see `setStatus`). */
export function updatePayment(
  database: Database,
  payment: Payment,
  change: Partial<Pick<Payment, 'psuId' | 'stages' | 'rejected' | 'booked' | 'cancelRequested' | 'dueAt'>>,
): void {
  Object.assign(payment, change);
  const changed = Object.keys(change) as (keyof typeof change)[];
  database.run(
    `UPDATE payments SET ${changed.map((column) => `${column} = ?`).join(', ')} WHERE paymentId = ?`,
    ...changed.map((column) => bind(payment, column)),
    payment.paymentId,
  );
}

/** Sets the status of a payment; an illegal move is a bug. */
export function setStatus(database: Database, payment: Payment, status: TransactionStatus, at: string): void {
  if (!transactionMoves[payment.status].includes(status)) {
    throw new Error(`no move from ${payment.status} to ${status}`);
  }
  payment.status = status;
  database.run('UPDATE payments SET status = ? WHERE paymentId = ?', status, payment.paymentId);
  noteHistory(database, payment.paymentId, status, at);
}

/** Adds a status that a payment has had. */
export function noteHistory(database: Database, parentId: string, status: string, at: string): void {
  database.run('INSERT INTO history (parentId, status, at) VALUES (?, ?, ?)', parentId, status, at);
}

/** The statuses of a payment with their times, oldest first. */
export function historyOf(database: Database, parentId: string): { status: string; at: string }[] {
  return database.all('SELECT status, at FROM history WHERE parentId = ? ORDER BY rowid', parentId);
}
