import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { ExchangeView } from '../../records/exchange.ts';
import type { JournalRecord, JournalRun } from '../../records/journal.ts';
import { readable } from '../resources/run-records.ts';
import { otherRuns } from './journal-runs.ts';
import { isBefore, isInTime, isOfProfile, matchingCalls } from './log-filter.ts';
import type { LogFilter } from './log-filter.ts';

/** One call that is over, with the run that made it. */
export interface EndedCall {
  /** When it began; ISO 8601, UTC. */
  at: string;
  run: string;
  /** The host of the run, in a journal of several machines. */
  host?: string | null;
  command: string | null;
  profile: string | null;
  operation: string;
  method: string;
  url: string;
  requestId: string;
  /** Status of the answer; null without one. */
  status: number | null;
  outcome: ExchangeView['outcome'] | null;
  /** Message codes of the bank's refusal. */
  codes: readonly string[];
  durationMs: number | null;
}

/** Runs that go on for longer are not looked for among the older ones. */
const longestRunMs = 60 * 60_000;

/** Runs that begin at the same moment are listed a moment apart. */
const enoughKnown = 1000;

/** The calls of all processes as they end. */
export interface Tail {
  /** The last ones that ended, oldest first; with a beginning in the filter all since then. */
  last(limit: number): Promise<EndedCall[]>;
  /** The calls that have ended since the last time. */
  more(): Promise<EndedCall[]>;
}

export function tailOf(journal: Journal, clock: Clock, filter: LogFilter): Tail {
  const known = new Set<string>();
  /** Runs that may still call, with the calls of them that were told. */
  const open = new Map<JournalRun, Set<string>>();

  async function callsOf(run: JournalRun, told = new Set<string>()): Promise<EndedCall[]> {
    const records = (await readable(journal, run)) ?? [];
    if (records.some(({ type }) => type === 'ended')) open.delete(run);
    else open.set(run, told);
    if (!isOfProfile(filter, records)) return [];
    return matchingCalls(filter, records).flatMap(({ exchange, view }) => {
      if (told.has(exchange) || !isOver(records, exchange)) return [];
      told.add(exchange);
      return [endedCall(run, records, view)];
    });
  }

  return {
    async last(limit) {
      const found: EndedCall[] = [];
      const all = await otherRuns(journal);
      for (const { run } of all) known.add(run);
      const lookBack = new Date(clock.now().getTime() - longestRunMs);
      for (const run of all) {
        const enough = filter.since === undefined ? found.length >= limit : isBefore(run, filter);
        if (enough && isBefore(run, { since: lookBack })) break;
        if (isBefore(run, filter) || !isInTime(run, filter)) continue;
        found.unshift(...(await callsOf(run)));
      }
      const sorted = inOrder(found);
      return filter.since === undefined ? sorted.slice(-limit) : sorted;
    },

    async more() {
      const found: EndedCall[] = [];
      for (const [run, told] of [...open]) found.push(...(await callsOf(run, told)));
      // Newest first: behind so many that are known none is new.
      let row = 0;
      for (const run of await journal.runs()) {
        if (run.run === journal.run) continue;
        row = known.has(run.run) ? row + 1 : 0;
        if (row > enoughKnown) break;
        if (row > 0) continue;
        known.add(run.run);
        if (isInTime(run, filter)) found.push(...(await callsOf(run)));
      }
      return inOrder(found);
    },
  };
}

const inOrder = (calls: readonly EndedCall[]): EndedCall[] =>
  calls.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

function isOver(records: readonly JournalRecord[], exchange: string): boolean {
  return records.some(
    (record) => 'exchange' in record && record.exchange === exchange && ends.has(record.type),
  );
}

const ends: ReadonlySet<string> = new Set(['answered', 'failed', 'resolved']);

function endedCall(
  { run, startedAt, host }: JournalRun,
  records: readonly JournalRecord[],
  view: ExchangeView,
): EndedCall {
  const head = records.find((record) => record.type === 'run');
  return {
    at: view.at ?? startedAt,
    run,
    ...(host !== undefined && { host }),
    command: head?.command ?? null,
    profile: head?.profile ?? null,
    operation: view.operation,
    method: view.method,
    url: view.url,
    requestId: view.requestId,
    status: view.answer?.status ?? view.failure?.status ?? null,
    outcome: view.outcome ?? null,
    codes: (view.answer?.messages ?? []).map(({ code }) => code),
    durationMs: view.durationMs ?? null,
  };
}
