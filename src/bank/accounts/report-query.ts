import { defined } from '../../base/defined.ts';
import { createHmac } from 'node:crypto';
import { checkIsoDate } from '../../standard/xs2a/check.ts';
import { bookingStatusesOf, valuesIn } from '../../standard/xs2a/codes.ts';
import { frameworkFacts } from '../../standard/xs2a/variants.ts';
import { queryFlag } from './account-calls.ts';
import type { AccountCall } from './account-calls.ts';
import type { Call } from '../trust/call.ts';
import { authorisationsOf } from '../sca/authorisation-store.ts';
import { findEntry, takeWatermark } from '../statements/entries.ts';
import type { Position, Span } from '../statements/entries.ts';
import { isoDay } from '../books/life-cycle.ts';
import type { ReportFormat } from '../books/people.ts';
import { formatError, Refusal } from '../rules/refusal.ts';
import type { SeenAccount } from '../stores/seen-accounts.ts';
import { entryIdOf } from './transaction-wire.ts';
import type { Account } from '../books/accounts.ts';
import { pendingOf } from '../statements/pending.ts';
import type { Pending } from '../statements/pending.ts';

/** The query of a list of transactions. */
export interface ReportQuery {
  bookingStatus: 'booked' | 'pending' | 'both' | 'information' | 'all';
  withBalance: boolean;
  /** First and last day; without a first one the list is a delta. */
  from: string | undefined;
  to: string;
  span: Span;
  /** The place of the page. */
  page: Page;
  /** The page by number, if the bank supports it. */
  numbered: { index: number; size: number } | undefined;
}

/** The kind of page: the first or last one, one after or before a place, or all as a download. */
export interface Page {
  kind: 'first' | 'last' | 'after' | 'before' | 'download';
  at?: Position;
  since?: bigint;
  format?: ReportFormat;
}

const dayMs = 86_400_000;
const refuse = (code: string, text: string, path: string) => new Refusal(400, code, text, { path });

/** Reads the query of a list of transactions (guidelines 6.5.3); throws FORMAT_ERROR, PERIOD_INVALID, PARAMETER_NOT_... */
export function readQuery(read: AccountCall, account: SeenAccount): ReportQuery {
  const { call } = read;
  const { query } = call;
  const bookingStatus = query.get('bookingStatus');
  if (bookingStatus === null) throw formatError('bookingStatus is missing.', 'bookingStatus');
  if (!valuesIn(call.variant.framework, bookingStatusesOf(call.operation.id)).includes(bookingStatus))
    throw formatError('bookingStatus has a value that the bank does not know.', 'bookingStatus');
  const { bookingStatuses: offered } = call.scenario;
  if (offered !== 'every' && !offered.split(',').includes(bookingStatus))
    throw refuse(
      'PARAMETER_NOT_SUPPORTED',
      `The bank lists ${offered.replaceAll(',', ', ')}.`,
      'bookingStatus',
    );
  const page = readCursor(read, account);
  const today = isoDay(call.now);
  const accounts = account.accounts.map(({ accountId }) => accountId);
  const base = {
    bookingStatus: bookingStatus as ReportQuery['bookingStatus'],
    withBalance: queryFlag(call, 'withBalance') || call.scenario.listBalances === 'always',
    numbered: undefined,
    page,
    to: today,
    from: undefined,
  };
  // Standing orders have no dates; all other parameters are ignored.
  if (bookingStatus === 'information') return { ...base, span: { accounts } };
  const numbered = readNumbers(call);
  const delta = readDelta(read, account, page, bookingStatus);
  if (delta?.since !== undefined && numbered !== undefined)
    throw refuse('PARAMETER_NOT_CONSISTENT', 'A deltaList has no page numbers.', 'deltaList');
  if (delta !== undefined) {
    const from = oldestDay(read);
    return { ...base, numbered, span: { accounts, ...delta, ...defined({ from }) } };
  }
  const { from, to } = readPeriod(read, today);
  return { ...base, numbered, from, to, span: { accounts, from, to } };
}

/** The oldest readable day, if the bank limits it. */
function oldestDay(read: AccountCall): string | undefined {
  const { scenario, now } = read.call;
  return scenario.history === '90-days' || isStale(read)
    ? isoDay(new Date(now.getTime() - 90 * dayMs))
    : undefined;
}

/** Some banks show all of the past only in the minutes after the SCA of the consent. */
function isStale({ bank, call, consent }: AccountCall): boolean {
  const minutes = bank.dialect?.settings.ais?.history?.freshMinutes;
  if (minutes === undefined) return false;
  const done = authorisationsOf(bank.ledger.main, 'consent', consent.consentId)
    .filter(({ scaStatus }) => scaStatus === 'finalised' || scaStatus === 'exempted')
    .map(({ updatedAt }) => Date.parse(updatedAt));
  return call.now.getTime() - Math.max(...done) > minutes * 60_000;
}

function readPeriod(read: AccountCall, today: string): { from: string; to: string } {
  const { query } = read.call;
  const from = query.get('dateFrom');
  const to = query.get('dateTo') ?? today;
  if (from === null) throw formatError('dateFrom is missing.', 'dateFrom');
  for (const [name, day] of [
    ['dateFrom', from],
    ['dateTo', to],
  ] as const)
    if (!checkIsoDate(day).ok) throw formatError(`${name} is not an ISO date.`, name);
  if (from > to) throw refuse('PERIOD_INVALID', 'dateFrom is after dateTo.', 'dateFrom');
  const oldest = oldestDay(read);
  if (oldest !== undefined && from < oldest)
    throw refuse('PERIOD_INVALID', `The oldest readable day is ${oldest}.`, 'dateFrom');
  return { from, to };
}

/** The requested delta: since the last report or since an entry; undefined for neither. */
function readDelta(
  { bank, call, consent }: AccountCall,
  account: SeenAccount,
  page: Page,
  bookingStatus: string,
): Pick<Span, 'since' | 'after'> | undefined {
  const { main } = bank.ledger;
  const reference = call.query.get('entryReferenceFrom');
  const deltaList = queryFlag(call, 'deltaList');
  if (!deltaList && reference === null) return undefined;
  const name = deltaList ? 'deltaList' : 'entryReferenceFrom';
  if (call.scenario.deltas === 'reject')
    throw refuse('PARAMETER_NOT_SUPPORTED', 'The bank has no delta lists.', name);
  if (deltaList && reference !== null)
    throw formatError('deltaList and entryReferenceFrom exclude each other.', 'entryReferenceFrom');
  if (bookingStatus === 'pending')
    throw refuse('PARAMETER_NOT_CONSISTENT', 'A delta list has booked entries only.', name);
  const accounts = account.accounts.map(({ accountId }) => accountId);
  if (deltaList) return { since: page.since ?? takeWatermark(main, consent.consentId, account.id, accounts) };
  const entry = findEntry(main, entryIdOf(reference ?? '') ?? 0n);
  if (entry === undefined || !accounts.includes(entry.accountId))
    throw formatError('The account has no such entry.', 'entryReferenceFrom');
  return { after: { day: entry.day, entryId: entry.entryId } };
}

function readNumbers({ query, scenario, variant }: Call): ReportQuery['numbered'] {
  const names = ['pageIndex', 'itemsPerPage'] as const;
  const { pageNumbers } = frameworkFacts[variant.framework];
  if (!pageNumbers || !names.some((name) => query.has(name))) return undefined;
  if (scenario.pageNumbers === 'reject') {
    const name = names.find((one) => query.has(one)) ?? 'pageIndex';
    throw refuse('PARAMETER_NOT_SUPPORTED', 'This bank has no page numbers.', name);
  }
  if (query.has('cursor'))
    throw refuse(
      'PARAMETER_NOT_CONSISTENT',
      'A page is requested by number or by cursor, not both.',
      'pageIndex',
    );
  const [index = 0, size = 20] = names.map((name) => {
    const value = query.get(name);
    if (value === null) return undefined;
    const least = name === 'pageIndex' ? 0 : 1;
    if (!/^[0-9]{1,5}$/.test(value) || Number(value) < least || (least === 1 && Number(value) > mostEntries))
      throw formatError(`${name} is not a whole number in its range.`, name);
    return Number(value);
  });
  return { index, size };
}

const mostEntries = 10_000;

/** The cursor in a link, sealed so that it cannot be forged. */
function readCursor(read: AccountCall, account: SeenAccount): Page {
  const cursor = read.call.query.get('cursor');
  if (cursor === null) return { kind: 'first' };
  const [text = '', seal] = cursor.split('.');
  if (seal !== sealOf(read, account, text)) throw formatError('There is no such page.', 'cursor');
  const [kind, day = '', entryId = '', since = '', format = '', made = ''] = Buffer.from(text, 'base64url')
    .toString()
    .split(' ');
  const lasts = read.bank.dialect?.settings.ais?.paging?.expiresS;
  if (lasts !== undefined && read.call.now.getTime() - Number(made) > lasts * 1000)
    throw new Refusal(403, 'RESOURCE_EXPIRED', 'The link of this page has expired.', { path: 'cursor' });
  return {
    kind: kind as Page['kind'],
    ...(day !== '' && { at: { day, entryId: BigInt(entryId) } }),
    ...(since !== '' && { since: BigInt(since) }),
    ...(format !== '' && { format: format as ReportFormat }),
  };
}

/** The path of a page with its query: that of the call and the place of the page. */
export function pageHref(read: AccountCall, account: SeenAccount, self: string, page: Page): string {
  const query = new URLSearchParams(read.call.query);
  query.delete('cursor');
  // Also on the first page of a delta: without its starting place the link would lead to another delta.
  if (page.kind !== 'first' || page.since !== undefined) {
    const { kind, at, since, format } = page;
    const parts = [kind, at?.day, at?.entryId, since, format, madeAt(read)].map((part) => String(part ?? ''));
    const text = Buffer.from(parts.join(' ')).toString('base64url');
    query.set('cursor', `${text}.${sealOf(read, account, text)}`);
  }
  return `${self}?${query.toString()}`;
}

/** When a link was made, where it does not hold for ever. */
const madeAt = ({ bank, call }: AccountCall): number | undefined =>
  bank.dialect?.settings.ais?.paging?.expiresS === undefined ? undefined : call.now.getTime();

function sealOf({ bank, call }: AccountCall, { id }: SeenAccount, text: string): string {
  const query = new URLSearchParams(call.query);
  query.delete('cursor');
  return createHmac('sha256', bank.ledger.pageKey)
    .update(`${id} ${query.toString()} ${text}`)
    .digest('base64url')
    .slice(0, 16);
}

/** The content of a report. */
export interface Report {
  read: AccountCall;
  account: SeenAccount;
  query: ReportQuery;
}

/** The pending transactions of some accounts on the requested days. */
export function pendingIn(
  { bank, call }: AccountCall,
  accounts: readonly Account[],
  { from, to }: Pick<ReportQuery, 'from' | 'to'>,
): (Pending & { currency: string })[] {
  return accounts
    .flatMap((account) =>
      pendingOf(bank.ledger.main, account, call.now).map((one) => ({ ...one, currency: account.currency })),
    )
    .filter(({ day }) => (from === undefined || day >= from) && day <= to);
}
