import { consentMoves } from '../../standard/xs2a/codes.ts';
import type { ConsentStatus } from '../../standard/xs2a/codes.ts';
import type { AccountAccess } from '../../standard/xs2a/wire-accounts.ts';
import type { Database, SqlValue } from '../books/database.ts';
import { isoDay, othersUntil } from '../books/life-cycle.ts';
import { pageOf } from './page.ts';
import type { Page } from './page.ts';

/** A consent as the ledger keeps it. */
export interface Consent {
  consentId: string;
  tpp: string;
  /** The access as requested, or as chosen by the PSU if the TPP left the choice open. */
  access: AccountAccess;
  recurring: boolean;
  frequencyPerDay: number;
  /** The last day. */
  validUntil: string;
  /** A payment of the same session follows. */
  combined: boolean;
  status: ConsentStatus;
  psuId: string | undefined;
  redirectUri: string | undefined;
  nokRedirectUri: string | undefined;
  redirectPreferred: boolean | undefined;
  decoupledPreferred: boolean | undefined;
  explicitPreferred: boolean | undefined;
  lastActionDate: string;
  /** Since when its deletion waits for the PSU (ISO 8601), at a bank where the PSU must agree to it. */
  deletingSince?: string | undefined;
}

const columns = [
  'consentId',
  'tpp',
  'access',
  'recurring',
  'frequencyPerDay',
  'validUntil',
  'combined',
  'status',
  'psuId',
  'redirectUri',
  'nokRedirectUri',
  'redirectPreferred',
  'decoupledPreferred',
  'explicitPreferred',
  'lastActionDate',
  'deletingSince',
] as const satisfies readonly (keyof Consent)[];

/** Adds a consent, to which something happens by itself at `dueAt` (ISO 8601). */
export function insertConsent(database: Database, consent: Consent, dueAt: string | undefined): void {
  const values = columns.map((column): SqlValue => {
    const value = consent[column];
    if (typeof value === 'boolean') return Number(value);
    return typeof value === 'object' ? JSON.stringify(value) : (value ?? null);
  });
  database.run(
    `INSERT INTO consents (${columns.join(', ')}, dueAt) VALUES (${columns.map(() => '?').join(', ')}, ?)`,
    ...values,
    dueAt ?? null,
  );
}

type ConsentRow = Record<keyof Consent, unknown>;

const flag = (value: unknown) => (value === null ? undefined : value === 1n);

const read = (row: ConsentRow): Consent => ({
  ...(Object.fromEntries(columns.map((column) => [column, row[column] ?? undefined])) as unknown as Consent),
  access: JSON.parse(row.access as string) as AccountAccess,
  recurring: row.recurring === 1n,
  combined: row.combined === 1n,
  frequencyPerDay: Number(row.frequencyPerDay),
  redirectPreferred: flag(row.redirectPreferred),
  decoupledPreferred: flag(row.decoupledPreferred),
  explicitPreferred: flag(row.explicitPreferred),
});

function find(database: Database, rest: string, ...values: SqlValue[]): Consent[] {
  return database
    .all<ConsentRow>(`SELECT ${columns.join(', ')} FROM consents WHERE ${rest} ORDER BY rowid`, ...values)
    .map(read);
}

/** A page of the consents, in the order of their creation or against it. */
export function listConsents(database: Database, page: Page): Consent[] {
  const [rest, ...values] = pageOf('consents', 'consentId', page);
  return database.all<ConsentRow>(`SELECT ${columns.join(', ')} FROM consents ${rest}`, ...values).map(read);
}

/** The consent with this id, of any TPP. */
export function findConsent(database: Database, consentId: string): Consent | undefined {
  return find(database, 'consentId = ?', consentId)[0];
}

/** All consents in the order of their creation, and when something happens to each by itself. */
export function allConsents(database: Database): (Consent & { dueAt: string | undefined })[] {
  const due = database.all<{ dueAt: string | null }>('SELECT dueAt FROM consents ORDER BY rowid');
  return find(database, 'TRUE').map((consent, index) => ({
    ...consent,
    dueAt: due[index]?.dueAt ?? undefined,
  }));
}

/** The consents with a timer that is due. */
export function dueConsents(database: Database, now: Date): Consent[] {
  return find(database, 'dueAt <= ?', now.toISOString());
}

/** The consents that a PSU has authorised and that are valid. */
export function consentsOfPerson(database: Database, psuId: string): Consent[] {
  return find(
    database,
    `status = 'valid' AND consentId IN (SELECT parentId FROM authorisations
     WHERE psuId = ? AND parentKind = 'consent' AND scaStatus IN ('finalised', 'exempted'))`,
    psuId,
  );
}

/** The newest consent of a PSU for a TPP, if it is valid. */
export function newestConsent(database: Database, psuId: string, tpp: string): Consent | undefined {
  return consentsOfPerson(database, psuId).findLast((consent) => consent.tpp === tpp);
}

/** Sets the status of a consent, and when it changes by itself. An illegal move is a bug. */
export function setConsent(database: Database, consent: Consent, status: ConsentStatus, now: Date): void {
  if (status !== consent.status && !consentMoves[consent.status].includes(status))
    throw new Error(`no move from ${consent.status} to ${status}`);
  consent.status = status;
  database.run(
    'UPDATE consents SET status = ?, lastActionDate = ?, dueAt = ? WHERE consentId = ?',
    status,
    isoDay(now),
    dueOf(consent, status, now) ?? null,
    consent.consentId,
  );
}

const onceMs = 20 * 60_000;
const dayMs = 86_400_000;

/** When a consent ends by itself: if valid, after its last day or its twenty minutes; if other PSUs are to come, after their time. */
function dueOf({ validUntil, recurring }: Consent, status: ConsentStatus, now: Date): string | undefined {
  if (status === 'partiallyAuthorised') return othersUntil(now);
  if (status !== 'valid') return undefined;
  const lastDay = validUntil.startsWith('9999')
    ? undefined
    : new Date(Date.parse(validUntil) + dayMs).toISOString();
  const once = new Date(now.getTime() + onceMs).toISOString();
  return recurring || (lastDay ?? '~') < once ? lastDay : once;
}

/** Notes that the deletion of a consent waits for its PSU, or that it no longer does. */
export function setDeleting(database: Database, consent: Consent, since: string | undefined): void {
  consent.deletingSince = since;
  database.run('UPDATE consents SET deletingSince = ? WHERE consentId = ?', since ?? null, consent.consentId);
}

/** Saves the PSU who authorises a consent, and the access as the PSU chose it. */
export function updateConsent(
  database: Database,
  consent: Consent,
  change: { psuId: string } | { access: AccountAccess },
): void {
  Object.assign(consent, change);
  database.run(
    'UPDATE consents SET psuId = ?, access = ? WHERE consentId = ?',
    consent.psuId ?? null,
    JSON.stringify(consent.access),
    consent.consentId,
  );
}

/** Makes an authorised consent valid; an older recurring one of the same TPP ends. */
export function makeValid(database: Database, consent: Consent, now: Date): void {
  const { consentId, tpp, psuId, recurring } = consent;
  setConsent(database, consent, 'valid', now);
  if (!recurring || psuId === undefined) return;
  const older = find(
    database,
    "psuId = ? AND tpp = ? AND recurring = 1 AND status = 'valid' AND consentId <> ?",
    psuId,
    tpp,
    consentId,
  );
  for (const one of older) setConsent(database, one, 'terminatedByTpp', now);
}

/** Revokes a valid consent for its PSU; returns whether there was one. */
export function revokeConsent(database: Database, psuId: string, consentId: string, now: Date): boolean {
  return database.atomically(() => {
    const consent = consentsOfPerson(database, psuId).find((one) => one.consentId === consentId);
    if (consent !== undefined) setConsent(database, consent, 'revokedByPsu', now);
    return consent !== undefined;
  });
}
