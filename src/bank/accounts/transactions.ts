import { hasMember } from '../../standard/xs2a/member-changes.ts';
import type { Links } from '../../standard/xs2a/wire.ts';
import type { TransactionsResponse } from '../../standard/xs2a/wire-accounts.ts';
import { demand, readsAccount } from './account-calls.ts';
import type { AccountCall } from './account-calls.ts';
import { balancesIn, selfOf } from './accounts.ts';
import type { Reply } from '../trust/call.ts';
import { camtReport } from './camt-report.ts';
import { allEntriesIn, entriesIn, findEntry } from '../statements/entries.ts';
import type { EntryRow, Span } from '../statements/entries.ts';
import { isoDay } from '../books/life-cycle.ts';
import { findPerson } from '../books/people.ts';
import type { ReportFormat } from '../books/people.ts';
import { mt940Report } from './mt940-report.ts';
import { ensurePast } from '../statements/seeded-entries.ts';
import { pendingIn, pageHref, readQuery } from './report-query.ts';
import { numberIn } from '../rules/open-values.ts';
import { reportFormats } from '../rules/policy.ts';
import { Refusal, resourceUnknown } from '../rules/refusal.ts';
import type { Page, ReportQuery } from './report-query.ts';
import { quality } from '../../referee/request-headers.ts';
import { referenceTo } from '../stores/seen-accounts.ts';
import type { SeenAccount } from '../stores/seen-accounts.ts';
import {
  amountOf,
  bookedTransaction,
  cardTransaction,
  entryIdOf,
  pendingTransaction,
  standingOrders,
  transactionIdOf,
} from './transaction-wire.ts';

/** GET transactions of an account. */
export const getTransactions = readsAccount('account', (read, account) => {
  demand(account.transactions, 'transactions');
  for (const one of account.accounts) ensurePast(read.bank.ledger.main, one);
  const query = readQuery(read, account);
  const format = query.page.format ?? formatFor(read, query, reportsOf(read, account));
  const { kind } = query.page;
  if (kind !== 'download' && read.call.scenario.report === 'download')
    return {
      status: 200,
      body: { _links: { download: { href: hrefOf(read, account, { kind: 'download', format }) } } },
    };
  if (format === 'json') return inJson(read, account, query);
  const report = { read, account, query };
  return format === 'text' ? mt940Report(report) : camtReport({ ...report, format });
});

/** GET transactions of a card account: JSON only. */
export const getCardTransactions = readsAccount('card', (read, account) => {
  demand(account.transactions, 'transactions');
  for (const one of account.accounts) ensurePast(read.bank.ledger.main, one);
  const { call } = read;
  const { framework } = call.variant;
  const query = readQuery(read, account);
  const hasBooked = query.bookingStatus === 'booked' || query.bookingStatus === 'both';
  const has = (member: string) => hasMember(framework, 'transactions of a card account', member);
  const { rows, links } = hasBooked ? pageOf(read, account, query) : { rows: [], links: {} };
  const today = isoDay(call.now);
  return {
    status: 200,
    body: {
      cardAccount: referenceTo(account),
      ...(has('debitAccounting') && { debitAccounting: false }),
      cardTransactions: {
        booked: rows.map((row) => cardTransaction(row, framework, today)),
        ...(hasPending(query) && {
          pending: pendingIn(read, account.accounts, query).map((one) => ({
            transactionDate: one.day,
            transactionAmount: amountOf(one.minor, one.currency),
            transactionDetails: one.creditorName ?? one.debtorName ?? one.remittance ?? 'Reservation',
          })),
        }),
        _links: { cardAccount: { href: selfOf(call.variant, account) }, ...links },
      },
      ...(query.withBalance && account.balances && { balances: balancesIn(read, account) }),
    },
  };
});

/** GET one transaction. */
export const getTransaction = readsAccount('account', ({ bank, call }, account) => {
  demand(account.transactions, 'transactions');
  const entry = findEntry(bank.ledger.main, entryIdOf(call.params.transactionId ?? '') ?? 0n);
  const mine = account.accounts.some(({ accountId }) => accountId === entry?.accountId);
  if (entry === undefined || !mine) throw resourceUnknown('transaction');
  return { status: 200, body: { transactionsDetails: bookedTransaction(entry, call.variant.framework) } };
});

const mediaOf = { json: 'json', 'camt.052': 'xml', 'camt.053': 'xml', text: 'plain' } as const;

const namesOf: Readonly<Record<ReportFormat, string>> = {
  json: 'JSON',
  'camt.052': 'camt.052',
  'camt.053': 'camt.053',
  text: 'text (MT940, MT942)',
};

/** The forms in which the transactions of an account come: those of the policy, else those of its owner. */
function reportsOf(
  { bank, call }: AccountCall,
  { accounts: [account] }: SeenAccount,
): readonly ReportFormat[] {
  const { reportFormats: policy } = call.scenario;
  if (policy !== 'every') return policy.split(',') as ReportFormat[];
  return findPerson(bank.ledger.main, account.psuId ?? '')?.reports ?? reportFormats;
}

/** The report format for the Accept header, of those on offer; throws REQUESTED_FORMATS_INVALID. */
function formatFor(
  { call }: AccountCall,
  { bookingStatus }: ReportQuery,
  offered: readonly ReportFormat[],
): ReportFormat {
  // Standing orders are in JSON only.
  const possible = offered.filter((format) => format === 'json' || bookingStatus !== 'information');
  const camts = possible.filter((format) => mediaOf[format] === 'xml');
  const asked = call.headers.get('accept')?.trim() ?? '';
  const namedIn = (range: string) =>
    /camt\..{0,3}/i.exec(range)?.[0].toLowerCase() as ReportFormat | undefined;
  // Other camt messages are not offered for this report.
  const ranges = asked.split(',').filter((range) => {
    const named = namedIn(range);
    return named === undefined || camts.includes(named);
  });
  const accept = asked === '' ? '*/*' : ranges.join(',');
  const weights = possible.map((format) => ({ format, q: quality(accept, mediaOf[format]) }));
  const [best] = weights.sort((one, other) => other.q - one.q);
  if (best === undefined || best.q === 0)
    throw new Refusal(
      406,
      'REQUESTED_FORMATS_INVALID',
      `The bank reports in ${offered.map((format) => namesOf[format]).join(', ')}.`,
    );
  if (mediaOf[best.format] !== 'xml') return best.format;
  const usual = bookingStatus === 'booked' ? 'camt.053' : 'camt.052';
  return namedIn(accept) ?? (camts.includes(usual) ? usual : best.format);
}

function inJson(read: AccountCall, account: SeenAccount, query: ReportQuery): Reply {
  const { main } = read.bank.ledger;
  const { framework } = read.call.variant;
  const self = selfOf(read.call.variant, account);
  const whole = query.page.kind === 'download' || read.call.scenario.pages === 'whole';
  const detailsOf = (row: EntryRow) =>
    bookedTransaction(row, framework, `${self}/transactions/${transactionIdOf(row)}`);
  const head: TransactionsResponse = {
    account: referenceTo(account),
    ...(query.withBalance && account.balances && { balances: balancesIn(read, account) }),
  };
  const links: Links = { account: { href: self } };
  if (query.bookingStatus === 'information') {
    const information = account.accounts.flatMap((one) => standingOrders(main, one));
    return { status: 200, body: { ...head, transactions: { information, _links: links } } };
  }
  const pending = hasPending(query)
    ? pendingIn(read, account.accounts, query).map(pendingTransaction)
    : undefined;
  const orders = query.bookingStatus === 'all' && isFirst(query);
  const information = orders && account.accounts.flatMap((one) => standingOrders(main, one));
  const others = { ...(pending && { pending }), ...(information && { information }) };
  if (whole && query.bookingStatus !== 'pending') {
    const report = { ...others, _links: links };
    return jsonReport(head, report, allEntriesIn(main, query.span), detailsOf);
  }
  const page = query.bookingStatus === 'pending' ? undefined : pageOf(read, account, query);
  return {
    status: 200,
    body: {
      ...head,
      transactions: {
        ...(page && { booked: page.rows.map(detailsOf) }),
        ...others,
        _links: { ...links, ...page?.links },
      },
    },
  };
}

/** Entries that are not booked are on the first page. */
function hasPending(query: ReportQuery): boolean {
  return ['pending', 'both', 'all'].includes(query.bookingStatus) && isFirst(query);
}

function isFirst({ page, numbered }: ReportQuery): boolean {
  return (page.kind === 'first' || page.kind === 'download') && (numbered?.index ?? 0) === 0;
}

/** The booked entries of one page, and the links to the others. */
function pageOf(
  read: AccountCall,
  account: SeenAccount,
  query: ReportQuery,
): { rows: EntryRow[]; links: Links } {
  const { main } = read.bank.ledger;
  const { page, numbered } = query;
  if (numbered !== undefined) return numberedPage(read, account, query, numbered);
  const { pages } = read.call.scenario;
  const size = pages === 'whole' ? Number.MAX_SAFE_INTEGER : numberIn(pages);
  const since = query.span.since === undefined ? {} : { since: query.span.since };
  const span: Span = {
    ...query.span,
    ...(page.kind === 'after' && page.at && { after: page.at }),
    ...(page.kind === 'before' && page.at && { before: page.at }),
  };
  const rows = entriesIn(main, span, size, page.kind === 'last' || page.kind === 'before');
  const [first] = rows;
  const last = rows.at(-1);
  const more = (direction: 'after' | 'before', edge: EntryRow | undefined) =>
    edge !== undefined &&
    entriesIn(main, { ...query.span, [direction]: narrowed(query.span, direction, edge) }, 1).length > 0
      ? { href: hrefOf(read, account, { kind: direction, at: edge, ...since }) }
      : undefined;
  const next = more('after', last);
  const previous = more('before', first);
  if (next === undefined && previous === undefined) return { rows, links: {} };
  return {
    rows,
    links: {
      first: { href: hrefOf(read, account, { kind: 'first', ...since }) },
      ...(previous && { previous }),
      ...(next && { next }),
      last: { href: hrefOf(read, account, { kind: 'last', ...since }) },
    },
  };
}

/** Never before the place where a delta begins. */
function narrowed(span: Span, direction: 'after' | 'before', edge: EntryRow) {
  return direction === 'after' && span.after !== undefined && edge.day < span.after.day ? span.after : edge;
}

function numberedPage(
  read: AccountCall,
  account: SeenAccount,
  { span }: ReportQuery,
  { index, size }: { index: number; size: number },
): { rows: EntryRow[]; links: Links } {
  const until = (index + 1) * size;
  const rows = entriesIn(read.bank.ledger.main, span, until + 1);
  const href = (at: number) => {
    const query = new URLSearchParams(read.call.query);
    query.set('pageIndex', String(at));
    query.set('itemsPerPage', String(size));
    return { href: `${selfOf(read.call.variant, account)}/transactions?${query.toString()}` };
  };
  return {
    rows: rows.slice(index * size, until),
    links: {
      first: href(0),
      ...(index > 0 && { previous: href(index - 1) }),
      ...(rows.length > until && { next: href(index + 1) }),
    },
  };
}

function hrefOf(read: AccountCall, account: SeenAccount, page: Page): string {
  return pageHref(read, account, `${selfOf(read.call.variant, account)}/transactions`, page);
}

const chunkLength = 64 * 1024;

/** A list of all entries in one answer, generated while it is sent, so that memory stays constant. */
function jsonReport(
  head: TransactionsResponse,
  report: object,
  rows: Iterable<EntryRow>,
  detailsOf: (row: EntryRow) => object,
): Reply {
  return {
    status: 200,
    content: { type: 'application/json', chunks: chunks(head, report, rows, detailsOf) },
  };
}

function* chunks(
  head: object,
  report: object,
  rows: Iterable<EntryRow>,
  detailsOf: (row: EntryRow) => object,
): Generator<Uint8Array> {
  let text = `${JSON.stringify(head).slice(0, -1)},"transactions":{"booked":[`;
  let comma = '';
  for (const row of rows) {
    text += comma + JSON.stringify(detailsOf(row));
    comma = ',';
    if (text.length < chunkLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}],${JSON.stringify(report).slice(1)}}`);
}
