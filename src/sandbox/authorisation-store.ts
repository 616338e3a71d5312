import { randomBytes, randomUUID } from 'node:crypto';
import { isFinal } from './conversation.ts';
import type { Sca } from './conversation.ts';
import type { Database } from './database.ts';
import { accept, findPayment, setStatus } from './payment-store.ts';
import type { Payment } from './payment-store.ts';

/** What an authorisation is for. */
export type ParentKind = 'payment' | 'cancellation';

/** An authorisation as the ledger keeps it. */
export interface Authorisation extends Sca {
  authorisationId: string;
  parentKind: ParentKind;
  parentId: string;
  tpp: string;
  /** The unguessable part of the address of its page. */
  pageToken: string;
  redirectUri: string | undefined;
  nokRedirectUri: string | undefined;
  createdAt: string;
}

const columns =
  'authorisationId, parentKind, parentId, tpp, approach, scaStatus, psuId, methodId, attempts, pageToken, ' +
  'redirectUri, nokRedirectUri, createdAt';

/** Adds an authorisation of a payment or of its cancellation. */
export function insertAuthorisation(
  database: Database,
  payment: Payment,
  parentKind: ParentKind,
  sca: Sca,
  now: Date,
): Authorisation {
  const authorisation: Authorisation = {
    ...sca,
    authorisationId: randomUUID(),
    parentKind,
    parentId: payment.paymentId,
    tpp: payment.tpp,
    pageToken: randomBytes(18).toString('base64url'),
    redirectUri: payment.redirectUri,
    nokRedirectUri: payment.nokRedirectUri,
    createdAt: now.toISOString(),
  };
  database.run(
    `INSERT INTO authorisations (${columns}, updatedAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    authorisation.authorisationId,
    parentKind,
    authorisation.parentId,
    authorisation.tpp,
    sca.approach,
    sca.scaStatus,
    sca.psuId ?? null,
    sca.methodId ?? null,
    sca.attempts,
    authorisation.pageToken,
    authorisation.redirectUri ?? null,
    authorisation.nokRedirectUri ?? null,
    authorisation.createdAt,
    authorisation.createdAt,
  );
  return authorisation;
}

type Row = Record<keyof Authorisation, unknown>;

const read = (row: Row): Authorisation =>
  ({
    authorisationId: row.authorisationId,
    parentKind: row.parentKind,
    parentId: row.parentId,
    tpp: row.tpp,
    approach: row.approach,
    scaStatus: row.scaStatus,
    psuId: row.psuId ?? undefined,
    methodId: row.methodId ?? undefined,
    attempts: Number(row.attempts),
    pageToken: row.pageToken,
    redirectUri: row.redirectUri ?? undefined,
    nokRedirectUri: row.nokRedirectUri ?? undefined,
    createdAt: row.createdAt,
  }) as Authorisation;

/** The authorisations of a parent, oldest first. */
export function authorisationsOf(database: Database, kind: ParentKind, parentId: string): Authorisation[] {
  return database
    .all<Row>(
      `SELECT ${columns} FROM authorisations WHERE parentId = ? AND parentKind = ? ORDER BY rowid`,
      parentId,
      kind,
    )
    .map(read);
}

/** The authorisation whose page has this token. */
export function authorisationOfPage(database: Database, pageToken: string): Authorisation | undefined {
  const [row] = database.all<Row>(`SELECT ${columns} FROM authorisations WHERE pageToken = ?`, pageToken);
  return row && read(row);
}

/** The authorisation with this id, of any parent. */
export function findAuthorisation(database: Database, authorisationId: string): Authorisation | undefined {
  const [row] = database.all<Row>(
    `SELECT ${columns} FROM authorisations WHERE authorisationId = ?`,
    authorisationId,
  );
  return row && read(row);
}

/** The authorisations with this id or of this parent that are still open, oldest first. */
export function openAuthorisations(database: Database, id: string): Authorisation[] {
  return database
    .all<Row>(
      `SELECT ${columns} FROM authorisations WHERE authorisationId = ? OR parentId = ? ORDER BY rowid`,
      id,
      id,
    )
    .map(read)
    .filter(({ scaStatus }) => !isFinal(scaStatus));
}

/** The open decoupled authorisations of a PSU, oldest first: what the phone shows. */
export function onPhone(database: Database, psuId: string): Authorisation[] {
  return database
    .all<Row>(
      `SELECT ${columns} FROM authorisations WHERE psuId = ? AND scaStatus = 'started' ORDER BY rowid`,
      psuId,
    )
    .map(read)
    .filter(({ approach }) => approach === 'DECOUPLED');
}

/** Saves where an authorisation stands; an end of it moves its payment. */
export function saveSca(
  database: Database,
  authorisation: Authorisation,
  sca: Sca,
  now: Date,
): Authorisation {
  const changed: Authorisation = { ...authorisation, ...sca };
  database.run(
    `UPDATE authorisations SET approach = ?, scaStatus = ?, psuId = ?, methodId = ?, attempts = ?, updatedAt = ?
     WHERE authorisationId = ?`,
    changed.approach,
    changed.scaStatus,
    changed.psuId ?? null,
    changed.methodId ?? null,
    changed.attempts,
    now.toISOString(),
    changed.authorisationId,
  );
  if (isFinal(changed.scaStatus) && !isFinal(authorisation.scaStatus)) conclude(database, changed, now);
  return changed;
}

function conclude(database: Database, authorisation: Authorisation, now: Date): void {
  const payment = findPayment(database, authorisation.parentId);
  if (payment === undefined) return;
  const failed = authorisation.scaStatus === 'failed';
  if (authorisation.parentKind === 'cancellation') {
    if (failed) return;
    if (payment.status === 'ACTC') setStatus(database, payment, 'CANC', now.toISOString());
  } else if (payment.status === 'RCVD') {
    if (authorisation.psuId !== undefined) bindPerson(database, payment, authorisation.psuId);
    if (failed) setStatus(database, payment, 'RJCT', now.toISOString());
    else accept(database, payment, now);
  }
  failOthers(database, authorisation, now);
}

function bindPerson(database: Database, payment: Payment, psuId: string): void {
  payment.psuId = psuId;
  database.run('UPDATE payments SET psuId = ? WHERE paymentId = ?', psuId, payment.paymentId);
}

/** With one authorisation decided, no other one of the same parent may stay open. */
export function failOthers(
  database: Database,
  decided: { parentKind: ParentKind; parentId: string; authorisationId?: string },
  now: Date,
): void {
  database.run(
    `UPDATE authorisations SET scaStatus = 'failed', updatedAt = ? WHERE parentId = ? AND parentKind = ?
     AND authorisationId <> ? AND scaStatus NOT IN ('finalised', 'failed', 'exempted')`,
    now.toISOString(),
    decided.parentId,
    decided.parentKind,
    decided.authorisationId ?? '',
  );
}
