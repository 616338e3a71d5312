import type { JournalRecord } from '../records/journal.ts';

/** Where an exchange stands: `unknown` is an end that says nothing about the bank. */
export function lastOf(
  records: readonly JournalRecord[],
  exchange: string,
): 'prepared' | 'sending' | 'unknown' | 'end' {
  let last: 'prepared' | 'sending' | 'unknown' | 'end' = 'prepared';
  for (const record of records) {
    if (!('exchange' in record) || record.exchange !== exchange) continue;
    if (record.type === 'prepared' || record.type === 'sending') last = record.type;
    else last = isEnd(record) ? 'end' : 'unknown';
  }
  return last;
}

/** Whether a record says for certain how its exchange ended. */
export function isEnd(record: JournalRecord): boolean {
  if (record.type === 'resolved') return true;
  return (record.type === 'answered' || record.type === 'failed') && record.outcome !== 'UNKNOWN';
}
