import { defined } from '../../base/defined.ts';
import { addDays, isoDate } from '../consents/consent-body.ts';
import { sha256Hex } from '../../signing/digest.ts';
import type { TransactionRow } from '../../standard/formats/rows/transaction-row.ts';
import type { AccountRead } from './counted-read.ts';
import { endless } from './page-guard.ts';
import { idOf } from './report-keeper.ts';
import { readPages } from './transactions.ts';
import type { ReportPage, ReportRead } from './transactions.ts';

/** Days that one call may ask for, both ends included; the newest has no end where none was asked for. */
export interface Window {
  readonly dateFrom: string;
  readonly dateTo?: string;
}

/** Returns the windows of so many days from one day to another, the newest first: each day is in one of them. */
export function windowsOf(from: string, to: string | undefined, today: string, days: number): Window[] {
  const day = (text: string) => new Date(`${text}T00:00:00Z`);
  const last = to ?? today;
  const windows: Window[] = [];
  for (let end = last; end >= from;) {
    const first = isoDate(addDays(day(end), 1 - days));
    const dateFrom = first < from ? from : first;
    windows.push({ dateFrom, ...(end === last && to === undefined ? {} : { dateTo: end }) });
    end = isoDate(addDays(day(dateFrom), -1));
  }
  return windows;
}

/**
 * Reads a long time window by window, each an access of its own. A transaction that a bank gives with both windows beside a day
 * comes once, where its ids are stable. Throws REPORT_ENDLESS where a window brings what another has brought, since the bank does
 * not look at the days then.
 */
export async function* readWindows(
  reading: AccountRead,
  wanted: ReportRead,
  windows: readonly Window[],
): AsyncGenerator<ReportPage> {
  const heads = new Set<string>();
  const isStable = reading.target.profile.decode?.ids !== 'unstable';
  let before: ReadonlySet<string> = new Set();
  for (const { dateFrom, dateTo } of windows) {
    const { dateFrom: _, dateTo: __, ...rest } = wanted.query;
    const query = { dateFrom, ...defined({ dateTo }), ...rest };
    const edge = new Set<string>();
    let first = true;
    for await (const page of readPages(reading, { ...wanted, query })) {
      if (first && page.head.some((row) => idOf(row) !== undefined)) {
        const content = sha256Hex(JSON.stringify(page.head.slice(0, 100)));
        if (heads.has(content))
          throw endless('other days bring the same transactions', [
            '--date-from DATE --date-to DATE   # one window',
          ]);
        heads.add(content);
      }
      first = false;
      yield { ...page, rows: once(page.rows, isStable ? before : new Set(), edge, dateFrom) };
    }
    before = edge;
  }
}

/** The rows without those of the window before; notes the ids at the edge to the next one. */
async function* once(
  rows: AsyncIterable<readonly TransactionRow[]>,
  before: ReadonlySet<string>,
  edge: Set<string>,
  dateFrom: string,
): AsyncGenerator<readonly TransactionRow[]> {
  for await (const some of rows) {
    const own = some.filter((row) => idOf(row) === undefined || !before.has(keyOf(row)));
    for (const row of own)
      if (row.bookingDate === undefined || row.bookingDate <= dateFrom) edge.add(keyOf(row));
    if (own.length > 0) yield own;
  }
}

/** What tells a transaction from others: its id beside all else that is known of it. */
const keyOf = (row: TransactionRow): string => JSON.stringify(row);
