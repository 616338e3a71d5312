import type { JournalRecord } from '../../settings/records/journal.ts';

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

/**
 * Whether the records of a run prove that an intent came to nothing: of each of its writes that was let go, that it never left or
 * was refused, and of one at least. Without a proof it may have been carried out.
 */
export function cameToNothing(records: readonly JournalRecord[], intent: string): boolean {
  const writes = records.filter((record) => record.type === 'prepared' && record.intent === intent);
  const ends = writes.flatMap((write) => {
    const last = records.findLast(
      (record) => 'exchange' in record && 'exchange' in write && record.exchange === write.exchange,
    );
    return last === undefined || last.type === 'prepared' ? [] : [last];
  });
  return ends.length > 0 && ends.every(isNothing);
}

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
