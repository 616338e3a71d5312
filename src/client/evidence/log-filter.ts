import type { Journal } from '../ports/journal.ts';
import type { ExchangeView } from '../../settings/records/exchange.ts';
import type { EndedRun, JournalRecord, JournalRun } from '../../settings/records/journal.ts';
import { exchangesAbout, listedRun } from './journal-runs.ts';
import type { RunSummary } from './journal-runs.ts';
import { readable, recordsOf } from '../resources/run-records.ts';
import { viewsOfRecords } from '../exchange/exchange-view.ts';

/** Conditions on a listed run, of which those on calls must hold for one and the same call. */
export interface LogFilter {
  profile?: string;
  operation?: string;
  /** HTTP status (`401`, `4xx`) or outcome (`UNKNOWN`). */
  status?: string;
  /** A paymentId, consentId, basketId, authorisationId or X-Request-ID. */
  resource?: string;
  since?: Date;
  until?: Date;
}

/** The runs that a filter lets through, newest first; one that is damaged is listed where no call is asked for. */
export async function* filterRuns(journal: Journal, filter: LogFilter): AsyncGenerator<RunSummary> {
  const isSearch = asksForCalls(filter) || filter.profile !== undefined;
  const runs = isSearch ? await journal.runsThat((ended) => mayMatch(filter, ended)) : await journal.runs();
  for await (const run of runs) {
    if (run.run === journal.run) continue;
    if (isBefore(run, filter)) return;
    if (!isInTime(run, filter)) continue;
    const records = await recordsOf(journal, run);
    // Rows of another key do not concern this run: it only counts them.
    if (records === 'sealed') continue;
    if (records === 'damaged') {
      if (!asksForCalls(filter) && filter.profile === undefined) yield listedRun(run, undefined);
    } else if (matchesRun(filter, records)) yield listedRun(run, records);
  }
}

/** The calls of a run that a filter lets through, in their order, each with its id in the journal. */
export function matchingCalls(
  filter: LogFilter,
  records: readonly JournalRecord[],
): { exchange: string; view: ExchangeView }[] {
  const views = viewsOfRecords(records);
  const about = filter.resource === undefined ? undefined : exchangesAbout(records, filter.resource);
  return records
    .filter((record) => record.type === 'prepared')
    .flatMap(({ exchange }, at) => {
      const view = views[at];
      if (view === undefined || about?.has(exchange) === false || !matchesCall(filter, view)) return [];
      return [{ exchange, view }];
    });
}

/** Whether the run belongs to the profile that is asked for. */
export function isOfProfile(
  { profile }: { profile?: string | undefined },
  records: readonly JournalRecord[],
): boolean {
  return profile === undefined || records.some((one) => one.type === 'run' && one.profile === profile);
}

function matchesRun(filter: LogFilter, records: readonly JournalRecord[]): boolean {
  return isOfProfile(filter, records) && (!asksForCalls(filter) || matchingCalls(filter, records).length > 0);
}

/** Whether the run began before the time that is asked for; so did all older ones. */
export function isBefore(run: JournalRun, { since }: LogFilter): boolean {
  return since !== undefined && Date.parse(run.startedAt) < since.getTime();
}

export function isInTime(run: JournalRun, { until }: LogFilter): boolean {
  return until === undefined || Date.parse(run.startedAt) <= until.getTime();
}

/** Whether the records of a run are worth reading. */
function mayMatch({ profile, operation, status }: LogFilter, run: EndedRun): boolean {
  if (profile !== undefined && run.profile !== profile) return false;
  if (operation === undefined && status === undefined) return true;
  return run.calls.some((call) => {
    if (operation !== undefined && call.operation.toLowerCase() !== operation.toLowerCase()) return false;
    if (status === undefined) return true;
    if (/^\d/.test(status)) return isHttpStatus(status, String(call.status ?? ''));
    // Only the records tell how a read failed.
    return status === call.outcome || call.outcome !== 'DONE' || call.resolved;
  });
}

const isHttpStatus = (asked: string, http: string): boolean =>
  http === asked || (/^[1-5]xx$/.test(asked) && http[0] === asked[0]);

function asksForCalls({ operation, status, resource }: LogFilter): boolean {
  return operation !== undefined || status !== undefined || resource !== undefined;
}

function matchesCall({ operation, status }: LogFilter, view: ExchangeView): boolean {
  if (operation !== undefined && view.operation.toLowerCase() !== operation.toLowerCase()) return false;
  if (status === undefined) return true;
  if (view.resolution !== undefined && status === 'RESOLVED') return true;
  const http = String(view.answer?.status ?? view.failure?.status ?? '');
  return view.outcome === status || isHttpStatus(status, http);
}

/** The verdict on the newest run of a profile that called one of these operations; undefined where that run went well. */
export async function lastFailure(
  journal: Journal,
  profile: string,
  operations: RegExp,
): Promise<string | undefined> {
  const isAbout = (ended: EndedRun) =>
    ended.profile === profile && ended.calls.some(({ operation }) => operations.test(operation));
  for await (const run of await journal.runsThat(isAbout)) {
    const records = run.run === journal.run ? undefined : await readable(journal, run);
    if (records?.some((one) => one.type === 'prepared' && operations.test(one.operation)) !== true) continue;
    if (isOfProfile({ profile }, records)) return listedRun(run, records).verdict ?? undefined;
  }
  return undefined;
}
