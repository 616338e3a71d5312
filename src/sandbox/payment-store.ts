import { parseAmount } from '../formats/amount.ts';
import { transactionMoves } from '../xs2a/codes.ts';
import type { TransactionStatus } from '../xs2a/codes.ts';
import type { SqlValue, Database } from './database.ts';
import { book, clearingIban, findAccount } from './ledger.ts';
import type { SepaPayment } from './payment-check.ts';
import { findPerson } from './people.ts';

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
  fields: SepaPayment;
  status: TransactionStatus;
  psuId: string | undefined;
  redirectUri: string | undefined;
  nokRedirectUri: string | undefined;
  redirectPreferred: boolean | undefined;
  explicitPreferred: boolean | undefined;
  /** The day of booking where it is not today. */
  executeOn: string | undefined;
  cancelRequested: boolean;
  createdAt: string;
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
  'fields',
  'status',
  'psuId',
  'redirectUri',
  'nokRedirectUri',
  'redirectPreferred',
  'explicitPreferred',
  'executeOn',
  'cancelRequested',
  'createdAt',
] as const;

const flag = (value: unknown) => (value === null ? undefined : value === 1n);
const bind = (value: boolean | undefined) => (value === undefined ? null : Number(value));

/** Adds a payment in status RCVD. */
export function insertPayment(database: Database, payment: Payment): void {
  const values = columns.map((column): SqlValue => {
    const value = payment[column];
    if (column === 'fields') return JSON.stringify(value);
    if (typeof value === 'boolean') return bind(value);
    return (value ?? null) as SqlValue;
  });
  const places = columns.map(() => '?').join(', ');
  database.run(`INSERT INTO payments (${columns.join(', ')}) VALUES (${places})`, ...values);
  note(database, payment.paymentId, payment.status, payment.createdAt);
}

/** The payment with this id, of any TPP. */
export function findPayment(database: Database, paymentId: string): Payment | undefined {
  const row = database.one<Record<string, unknown>>(
    `SELECT ${columns.join(', ')} FROM payments WHERE paymentId = ?`,
    paymentId,
  );
  return row && read(row);
}

/** All payments in the order of their creation. */
export function allPayments(database: Database): Payment[] {
  return database
    .all<Record<string, unknown>>(`SELECT ${columns.join(', ')} FROM payments ORDER BY rowid`)
    .map(read);
}

function read(row: Record<string, unknown>): Payment {
  const plain = Object.fromEntries(columns.map((column) => [column, row[column] ?? undefined]));
  return {
    ...plain,
    fields: JSON.parse(String(row['fields'])) as SepaPayment,
    redirectPreferred: flag(row['redirectPreferred']),
    explicitPreferred: flag(row['explicitPreferred']),
    cancelRequested: row['cancelRequested'] === 1n,
  } as Payment;
}

/** Moves a payment on; an illegal move is a bug. */
export function setStatus(database: Database, payment: Payment, status: TransactionStatus, at: string): void {
  if (!transactionMoves[payment.status].includes(status)) {
    throw new Error(`no move from ${payment.status} to ${status}`);
  }
  payment.status = status;
  database.run('UPDATE payments SET status = ? WHERE paymentId = ?', status, payment.paymentId);
  note(database, payment.paymentId, status, at);
}

function note(database: Database, parentId: string, status: string, at: string): void {
  database.run('INSERT INTO history (parentId, status, at) VALUES (?, ?, ?)', parentId, status, at);
}

/** The statuses of a payment with their times, oldest first. */
export function historyOf(database: Database, parentId: string): { status: string; at: string }[] {
  return database.all('SELECT status, at FROM history WHERE parentId = ? ORDER BY rowid', parentId);
}

/** Takes an authorised payment: books it at once, or keeps it until its day. */
export function accept(database: Database, payment: Payment, now: Date): void {
  setStatus(database, payment, 'ACTC', now.toISOString());
  const executeOn = dayOfBooking(database, payment, now);
  if (executeOn === undefined) {
    execute(database, payment, now);
    return;
  }
  payment.executeOn = executeOn;
  database.run('UPDATE payments SET executeOn = ? WHERE paymentId = ?', executeOn, payment.paymentId);
}

function dayOfBooking(database: Database, payment: Payment, now: Date): string | undefined {
  const today = isoDay(now);
  const asked = payment.fields.requestedExecutionDate;
  if (asked !== undefined && asked > today) return asked;
  const person = payment.psuId === undefined ? undefined : findPerson(database, payment.psuId);
  return person?.booking === 'next-day' ? isoDay(new Date(now.getTime() + 86_400_000)) : undefined;
}

/** The civil day of the bank, which is that of UTC. */
export function isoDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** Books a payment on both sides, or rejects it where the funds do not suffice. */
function execute(database: Database, payment: Payment, now: Date): void {
  const { fields } = payment;
  const debtor = findAccount(database, fields.debtorAccount.iban);
  const amount = parseAmount(fields.instructedAmount.amount, fields.instructedAmount.currency);
  const bookedAt = now.toISOString();
  if (debtor === undefined || !amount.ok || debtor.balance < amount.value.minor) {
    setStatus(database, payment, 'RJCT', bookedAt);
    return;
  }
  const creditor = findAccount(database, fields.creditorAccount.iban);
  const debtorName = payment.psuId === undefined ? undefined : findPerson(database, payment.psuId)?.name;
  book(
    database,
    {
      bookedAt,
      paymentId: payment.paymentId,
      ...(debtorName !== undefined && { debtorName }),
      debtorIban: debtor.iban,
      creditorName: fields.creditorName,
      creditorIban: fields.creditorAccount.iban,
      ...(fields.endToEndIdentification !== undefined && { endToEndId: fields.endToEndIdentification }),
      ...(fields.remittanceInformationUnstructured !== undefined && {
        remittance: fields.remittanceInformationUnstructured,
      }),
    },
    [
      { iban: debtor.iban, minor: -amount.value.minor },
      { iban: creditor?.iban ?? clearingIban, minor: amount.value.minor },
    ],
  );
  setStatus(database, payment, 'ACSC', bookedAt);
}

/** Books the payments whose day has come. */
export function settleDue(database: Database, now: Date): void {
  const due = () =>
    database.all<{ paymentId: string }>(
      "SELECT paymentId FROM payments WHERE status = 'ACTC' AND executeOn <= ?",
      isoDay(now),
    );
  if (due().length === 0) return;
  database.atomically(() => {
    for (const { paymentId } of due()) {
      const payment = findPayment(database, paymentId);
      if (payment !== undefined) execute(database, payment, now);
    }
  });
}
