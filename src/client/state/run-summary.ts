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
  return {
    profile: head.profile,
    exit: end.exit,
    writes: prepared.some(({ write }) => write),
    calls: prepared.map(({ exchange, operation }) => {
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
    }),
  };
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
