import type { Database, SqlValue } from '../books/database.ts';

/** A booked entry of an account with what its booking says. */
export interface EntryRow {
  entryId: bigint;
  accountId: bigint;
  /** The booking date. */
  day: string;
  minor: bigint;
  currency: string;
  paymentId: string | null;
  debtorName: string | null;
  debtorIban: string | null;
  creditorName: string | null;
  creditorIban: string | null;
  endToEndId: string | null;
  remittance: string | null;
  instructed: string | null;
  /** JSON. */
  details: string | null;
}

/** A place between two entries: they are ordered by day, then by the time at which they came into the books. */
export interface Position {
  day: string;
  entryId: bigint;
}

/** Which entries are asked for. */
export interface Span {
  accounts: readonly bigint[];
  /** First and last day, both included. */
  from?: string;
  to?: string;
  /** Those alone that came into the books later than this one. */
  since?: bigint;
  after?: Position;
  before?: Position;
}

const columns = `entryId, accountId, day, minor, currency, paymentId, debtorName, debtorIban, creditorName, creditorIban,
  endToEndId, remittance, instructed, details`;

/** At most `limit` entries of a span, oldest first; with `fromEnd` the last ones. */
export function entriesIn(database: Database, span: Span, limit: number, fromEnd = false): EntryRow[] {
  const [where, values] = conditions(span);
  const order = fromEnd ? 'DESC' : 'ASC';
  const rows = database.all<EntryRow>(
    `SELECT ${columns} FROM entries JOIN bookings USING (bookingId) WHERE ${where}
     ORDER BY day ${order}, entryId ${order} LIMIT ?`,
    ...values,
    limit,
  );
  return fromEnd ? rows.reverse() : rows;
}

const chunk = 2000;

/** All entries of a span, oldest first, a few at a time. */
export function* allEntriesIn(database: Database, span: Span): Generator<EntryRow> {
  let after = span.after;
  for (;;) {
    const rows = entriesIn(database, { ...span, ...(after && { after }) }, chunk);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < chunk) return;
    after = last;
  }
}

function conditions({ accounts, from, to, since, after, before }: Span): [string, SqlValue[]] {
  const parts: string[] = [`accountId IN (${accounts.map(() => '?').join(', ')})`];
  const values: SqlValue[] = [...accounts];
  const add = (part: string, ...more: SqlValue[]) => {
    parts.push(part);
    values.push(...more);
  };
  if (from !== undefined) add('day >= ?', from);
  if (to !== undefined) add('day <= ?', to);
  if (since !== undefined) add('entryId > ?', since);
  if (after !== undefined) add('(day, entryId) > (?, ?)', after.day, after.entryId);
  if (before !== undefined) add('(day, entryId) < (?, ?)', before.day, before.entryId);
  return [parts.join(' AND '), values];
}

/** The entry with this number. */
export function findEntry(database: Database, entryId: bigint): EntryRow | undefined {
  return database.one<EntryRow>(
    `SELECT ${columns} FROM entries JOIN bookings USING (bookingId) WHERE entryId = ?`,
    entryId,
  );
}

/** Up to where a TPP knows the entries of an account, and to remember how far it has read. */
export function takeWatermark(
  database: Database,
  consentId: string,
  account: string,
  accounts: readonly bigint[],
): bigint {
  const known = database.one<{ entryId: bigint }>(
    'SELECT entryId FROM watermarks WHERE consentId = ? AND account = ?',
    consentId,
    account,
  );
  const newest = database.one<{ entryId: bigint | null }>(
    `SELECT max(entryId) AS entryId FROM entries WHERE accountId IN (${accounts.map(() => '?').join(', ')})`,
    ...accounts,
  );
  database.run(
    'INSERT OR REPLACE INTO watermarks (consentId, account, entryId) VALUES (?, ?, ?)',
    consentId,
    account,
    newest?.entryId ?? 0n,
  );
  return known?.entryId ?? 0n;
}
