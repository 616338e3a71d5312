import type { EndedRun, JournalRecord } from '../../settings/records/journal.ts';
import type { SqlValue } from '../ports/engine.ts';
import { asKept } from './shapes.ts';

/** The summary of a run's records; undefined before it has ended. */
export function summary(records: readonly JournalRecord[]): EndedRun | undefined {
  const head = records.find((record) => record.type === 'run');
  const end = records.findLast((record) => record.type === 'ended');
  if (head === undefined || end === undefined) return undefined;
  const prepared = records.filter((record) => record.type === 'prepared');
  const ends = (exchange: string) =>
    records.filter((record) => 'exchange' in record && record.exchange === exchange);
  const calls = prepared.map(({ exchange, operation }) => {
    const last = ends(exchange).findLast(({ type }) => type === 'answered' || type === 'failed');
    const isResolved = ends(exchange).some(({ type }) => type === 'resolved');
    const status =
      last?.type === 'answered' ? last.status : last?.type === 'failed' ? last.partial?.status : undefined;
    return {
      operation,
      status: status ?? null,
      outcome: last?.type === 'answered' || last?.type === 'failed' ? last.outcome : null,
      resolved: isResolved,
    };
  });
  const each = new Map(calls.map((call) => [JSON.stringify(call), call]));
  return {
    profile: head.profile,
    exit: end.exit,
    writes: prepared.some(({ write }) => write),
    // Lists only ask whether such a call exists, so equal calls are kept once.
    calls: [...each.values()],
  };
}

/** PostgreSQL takes no longer text into an index (2,704 bytes); a run without a summary is read as one that has not ended. */
const mostBytes = 2_000;

/** The summary as its column holds it. */
export function endedText(ended: EndedRun | undefined): string | null {
  const text = JSON.stringify(ended) as string | undefined;
  return text === undefined || Buffer.byteLength(text) > mostBytes ? null : text;
}

/** The summary of a run; undefined where it has none, or one that is damaged: then it may be any. */
export function endedOf(text: SqlValue): EndedRun | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return asKept('ended run', JSON.parse(text) as object) as EndedRun | undefined;
  } catch {
    return undefined;
  }
}
