import { defined } from '../../base/defined.ts';
import type { Clock } from '../ports/clock.ts';
import type { FollowOptions, Journal, JournalFollower } from '../ports/journal.ts';
import type { ExchangeView } from '../../settings/records/exchange.ts';
import type { JournalRecord, JournalRun } from '../../settings/records/journal.ts';
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

/** The calls of all processes as they end. */
export interface Tail {
  /** The last ones that ended, oldest first; with a beginning in the filter all since then. */
  last(limit: number): Promise<EndedCall[]>;
  /** The calls that have ended since the last time. */
  more(): Promise<EndedCall[]>;
  /** Resolves when there may be more. */
  wait(): Promise<void>;
  close(): Promise<void>;
}

/** With `follow` it goes on after the last ones. */
export function tailOf(journal: Journal, clock: Clock, filter: LogFilter, follow?: FollowOptions): Tail {
  let follower: JournalFollower | undefined;
  const ended = new Set<string>();
  /** Runs that may still call, with the calls of them that were told. */
  const open = new Map<string, Set<string>>();

  async function callsOf(run: JournalRun): Promise<EndedCall[]> {
    const records = (await readable(journal, run)) ?? [];
    const told = open.get(run.run) ?? new Set<string>();
    if (records.some(({ type }) => type === 'ended')) {
      open.delete(run.run);
      ended.add(run.run);
    } else open.set(run.run, told);
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
      // First of all: what is written from now on is not missed.
      if (follow !== undefined) follower ??= await journal.follow(follow);
      const all = await otherRuns(journal);
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
      for (const run of (await follower?.changed()) ?? []) {
        if (run.run === journal.run || ended.has(run.run)) continue;
        if (open.has(run.run) || isInTime(run, filter)) found.push(...(await callsOf(run)));
      }
      return inOrder(found);
    },

    wait: async () => follower?.wait(),

    close: async () => follower?.close(),
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
    ...defined({ host }),
    command: head?.command ?? null,
    profile: head?.profile ?? null,
    operation: view.operation,
    method: view.method,
    url: view.url,
    requestId: view.requestId,
    status: view.answer?.status ?? view.failure?.status ?? null,
    outcome: view.outcome ?? null,
    codes: (view.answer?.messages ?? []).flatMap(({ code }) => code ?? []),
    durationMs: view.durationMs ?? null,
  };
}
