import type { JournalRecord } from '../../settings/records/journal.ts';

/** Whether a record says for certain that nothing came of its exchange. */
export function isNothing(record: JournalRecord): boolean {
  if (record.type === 'resolved') return record.resolution === 'not-created';
  if (record.type !== 'answered' && record.type !== 'failed') return false;
  return record.outcome === 'NOT_SENT' || record.outcome === 'REJECTED';
}

/** Whether a record says for certain how its exchange ended. */
export function isEnd(record: JournalRecord): boolean {
  if (record.type === 'resolved') return true;
  return (record.type === 'answered' || record.type === 'failed') && record.outcome !== 'UNKNOWN';
}
