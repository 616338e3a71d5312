import { advance, isFinal, isOpen } from './conversation.ts';
import type { Move, Sca, ScaMove } from './conversation.ts';
import type { ScaStatus } from '../../standard/xs2a/codes.ts';
import type { Database, SqlValue } from '../books/database.ts';
import { nextId, nextToken } from '../books/made.ts';
import { conclude, findParent } from './authorised-things.ts';
import type { Parent, ParentKind } from './authorised-things.ts';
import { forgetWrongSecrets } from '../books/people.ts';
import type { LedgerPerson } from '../books/people.ts';
import { spanMs } from '../rules/open-values.ts';
import { attemptsOf, countWrong, psuOf } from '../rules/psu.ts';
import { scenarioOf } from '../rules/scenario.ts';
import { pageOf } from '../stores/page.ts';
import type { Page } from '../stores/page.ts';
import { createHmac } from 'node:crypto';
import type { Ledger } from '../books/ledger.ts';

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
  updatedAt: string;
}

/** For how long an authorisation can be completed. */
const authorisationMs = 24 * 3_600_000;

const columns = [
  'authorisationId',
  'parentKind',
  'parentId',
  'tpp',
  'framework',
  'approach',
  'scaStatus',
  'psuId',
  'methodId',
  'passwords',
  'attempts',
  'confirm',
  'byToken',
  'pageToken',
  'redirectUri',
  'nokRedirectUri',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Authorisation)[];
const select = `SELECT ${columns.join(', ')} FROM authorisations`;

/** Saves a new authorisation of a parent. */
export function insertAuthorisation(database: Database, parent: Parent, sca: Sca, now: Date): Authorisation {
  const authorisation: Authorisation = {
    ...sca,
    authorisationId: nextId(database, 'authorisation'),
    parentKind: parent.kind,
    parentId: parent.id,
    tpp: parent.tpp,
    pageToken: nextToken(database, 'page'),
    redirectUri: parent.redirectUri,
    nokRedirectUri: parent.nokRedirectUri,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
  const values = columns.map((column): SqlValue => {
    const value = authorisation[column];
    return typeof value === 'boolean' ? Number(value) : (value ?? null);
  });
  database.run(
    `INSERT INTO authorisations (${columns.join(', ')}, dueAt) VALUES (${columns.map(() => '?').join(', ')}, ?)`,
    ...values,
    dueAt(database, authorisation) ?? null,
  );
  return authorisation;
}

type AuthorisationRow = Record<(typeof columns)[number], unknown>;

const read = (row: AuthorisationRow): Authorisation => ({
  ...(Object.fromEntries(
    columns.map((column) => [column, row[column] ?? undefined]),
  ) as unknown as Authorisation),
  passwords: Number(row.passwords),
  attempts: Number(row.attempts),
  confirm: row.confirm === 1n,
  byToken: row.byToken === 1n,
});

function find(database: Database, rest: string, ...values: SqlValue[]): Authorisation[] {
  return database.all<AuthorisationRow>(`${select} ${rest}`, ...values).map(read);
}

/** The authorisations of a parent, oldest first. */
export function authorisationsOf(database: Database, kind: ParentKind, parentId: string): Authorisation[] {
  return find(database, 'WHERE parentId = ? AND parentKind = ? ORDER BY rowid', parentId, kind);
}

/** The authorisation whose page has this token. */
export function authorisationOfPage(database: Database, pageToken: string): Authorisation | undefined {
  return find(database, 'WHERE pageToken = ?', pageToken)[0];
}

/** The authorisation with this id, of any parent. */
export function findAuthorisation(database: Database, authorisationId: string): Authorisation | undefined {
  return find(database, 'WHERE authorisationId = ?', authorisationId)[0];
}

/** A page of the authorisations; those alone that are open. */
export function listAuthorisations(database: Database, page: Page & { open: boolean }): Authorisation[] {
  const open = "scaStatus NOT IN ('finalised', 'exempted', 'failed', 'unconfirmed')";
  return find(database, ...pageOf('authorisations', 'authorisationId', page, page.open ? open : undefined));
}

/** The authorisations with this id or of this parent that the PSU can still decide, oldest first. */
export function openAuthorisations(database: Database, id: string): Authorisation[] {
  return find(database, 'WHERE authorisationId = ? OR parentId = ? ORDER BY rowid', id, id).filter(
    ({ scaStatus }) => isOpen(scaStatus),
  );
}

/** The open decoupled authorisations of a PSU, oldest first: what the phone shows. */
export function onPhone(database: Database, psuId: string): Authorisation[] {
  return find(
    database,
    "WHERE psuId = ? AND scaStatus = 'started' AND approach = 'DECOUPLED' ORDER BY rowid",
    psuId,
  );
}

/** The most overdue authorisation, with the time at which it was due. */
export function dueAuthorisation(
  database: Database,
  now: Date,
): { authorisation: Authorisation; at: Date } | undefined {
  const [row] = database.all<AuthorisationRow & { dueAt: string }>(
    `SELECT ${columns.join(', ')}, dueAt FROM authorisations WHERE dueAt <= ? ORDER BY dueAt, rowid LIMIT 1`,
    now.toISOString(),
  );
  return row && { authorisation: read(row), at: new Date(row.dueAt) };
}

/** The time at which a timer changes an authorisation. */
function dueAt(database: Database, authorisation: Authorisation): string | undefined {
  const { scaStatus, approach, psuId } = authorisation;
  if (isFinal(scaStatus)) return undefined;
  const after = (start: string, ms: number) => new Date(Date.parse(start) + ms).toISOString();
  const person = psuId === undefined ? undefined : psuOf(database, psuId);
  const linkMs = isUnopened(authorisation) ? spanMs(scenarioOf(database).redirectLink) : undefined;
  const ownMs = person?.authorisationMs;
  if (linkMs !== undefined || ownMs !== undefined)
    return after(authorisation.createdAt, Math.min(linkMs ?? Infinity, ownMs ?? Infinity));
  const phone = approach === 'DECOUPLED' && scaStatus === 'started' ? person?.phone : undefined;
  return phone === undefined
    ? after(authorisation.createdAt, authorisationMs)
    : after(authorisation.updatedAt, phone.afterMs);
}

/** Whether a redirect was started and its page has not been logged in on. */
function isUnopened({ approach, scaStatus }: Sca): boolean {
  return approach === 'REDIRECT' && (scaStatus === 'received' || scaStatus === 'psuIdentified');
}

/** Saves the state of an authorisation; its end also moves the parent. */
export function saveSca(
  database: Database,
  authorisation: Authorisation,
  sca: Sca,
  now: Date,
): Authorisation {
  const changed = writeSca(database, authorisation, sca, now);
  noteSecrets(database, authorisation, changed);
  if (isFinal(changed.scaStatus) && !isFinal(authorisation.scaStatus)) ended(database, changed, now);
  return changed;
}

/** Saves the state of an authorisation without moving the parent: running out of time is not a decision. */
export function writeSca(
  database: Database,
  authorisation: Authorisation,
  sca: Sca,
  now: Date,
): Authorisation {
  const changed: Authorisation = { ...authorisation, ...sca, updatedAt: now.toISOString() };
  database.run(
    `UPDATE authorisations SET approach = ?, scaStatus = ?, psuId = ?, methodId = ?, passwords = ?, attempts = ?,
     confirm = ?, byToken = ?, updatedAt = ?, dueAt = ? WHERE authorisationId = ?`,
    changed.approach,
    changed.scaStatus,
    changed.psuId ?? null,
    changed.methodId ?? null,
    changed.passwords,
    changed.attempts,
    Number(changed.confirm),
    Number(changed.byToken),
    changed.updatedAt,
    dueAt(database, changed) ?? null,
    changed.authorisationId,
  );
  return changed;
}

function ended(database: Database, authorisation: Authorisation, now: Date): void {
  const { parentKind, parentId, psuId } = authorisation;
  const failed = authorisation.scaStatus === 'failed';
  const parent = findParent(database, parentKind, parentId, failed ? undefined : psuId);
  if (parent?.takes !== true) return;
  const done = doneBy(database, parent);
  const all = parent.authorisers.filter((id) => done.has(id)).length >= parent.needed;
  const outcome = failed ? 'failed' : all ? 'authorised' : 'partly';
  conclude(database, parent, { outcome, psuId, now });
  if (failed && parentKind === 'cancellation') return;
  if (all && parentKind === 'cancellation') failOthers(database, { parentKind: 'payment', parentId }, now);
  failOthers(database, authorisation, now, failed || all ? undefined : psuId);
  if (parent.kind === 'basket' && all) failMembers(database, parent, now);
}

/** What is authorised with its basket is authorised no more by itself. */
function failMembers(database: Database, { payments, consents }: Members, now: Date): void {
  for (const { paymentId } of payments)
    failOthers(database, { parentKind: 'payment', parentId: paymentId }, now);
  for (const { consentId } of consents)
    failOthers(database, { parentKind: 'consent', parentId: consentId }, now);
}

type Members = Pick<Extract<Parent, { kind: 'basket' }>, 'payments' | 'consents'>;

/** Counts what was wrong for the PSU as well, and forgets it once the PSU has authorised something. */
function noteSecrets(database: Database, before: Sca, { psuId, attempts, scaStatus }: Sca): void {
  if (psuId === undefined) return;
  const wrong = attempts - before.attempts;
  if (wrong > 0) countWrong(database, psuId, wrong, attempts);
  if (isAuthorised(scaStatus) && !isAuthorised(before.scaStatus)) forgetWrongSecrets(database, psuId);
}

const isAuthorised = (status: ScaStatus): boolean => !isOpen(status) && status !== 'failed';

/**
 * Advances an authorisation. Where too many wrong secrets lock the access of the PSU, those of other authorisations and of
 * logins count as well, since the last authorisation that succeeded: a new one brings no new attempts.
 */
export function advanceStored(
  database: Database,
  authorisation: Authorisation,
  move: Move,
  person: LedgerPerson,
): ScaMove {
  const most = attemptsOf(person);
  if (person.locks !== true) return advance(authorisation, move, person);
  const { wrongSecrets } = psuOf(database, person.psuId) ?? person;
  const attempts = Math.min(most, authorisation.attempts + most - wrongSecrets);
  return advance(authorisation, move, { ...person, attempts });
}

/** The PSUs who have authorised a parent. */
export function doneBy(
  database: Database,
  { kind, id, since = '' }: Pick<Parent, 'kind' | 'id' | 'since'>,
): ReadonlySet<string> {
  const good = authorisationsOf(database, kind, id).filter(
    ({ scaStatus, createdAt }) =>
      (scaStatus === 'finalised' || scaStatus === 'exempted') && createdAt >= since,
  );
  return new Set(good.flatMap(({ psuId }) => psuId ?? []));
}

/** Once one authorisation is decided, ends the other open ones of the same parent (and of the same PSU, if given). */
export function failOthers(
  database: Database,
  decided: { parentKind: ParentKind; parentId: string; authorisationId?: string },
  now: Date,
  psuId?: string,
): void {
  database.run(
    `UPDATE authorisations SET scaStatus = 'failed', updatedAt = ?, dueAt = NULL WHERE parentId = ? AND parentKind = ?
     AND authorisationId <> ? AND scaStatus NOT IN ('finalised', 'failed', 'exempted') AND (? IS NULL OR psuId = ?)`,
    now.toISOString(),
    decided.parentId,
    decided.parentKind,
    decided.authorisationId ?? '',
    psuId ?? null,
    psuId ?? null,
  );
}

/** The code that the redirect brings back if the TPP has to confirm, derived from the authorisation. */
export function confirmationCode(
  { pageKey }: Pick<Ledger, 'pageKey'>,
  { authorisationId }: Pick<Authorisation, 'authorisationId'>,
): string {
  return createHmac('sha256', pageKey).update(`confirm ${authorisationId}`).digest('base64url');
}
