import type { Database } from '../books/database.ts';

/** Something that happened at the bank: a call, a new status, a decision; triggers of the ledger note most of them. */
export interface BankEvent {
  /** Counts up, also over a reset. */
  eventId: number;
  kind: string;
  /** Of what it is about; of a call its number. */
  id: string;
  /** JSON. */
  data: string;
}

/** At most `limit` events after this one, oldest first. */
export function eventsAfter(log: Database, after: number, limit: number): BankEvent[] {
  return log
    .all<Omit<BankEvent, 'eventId'> & { eventId: bigint }>(
      'SELECT eventId, kind, id, data FROM events WHERE eventId > ? ORDER BY eventId LIMIT ?',
      after,
      limit,
    )
    .map((row) => ({ ...row, eventId: Number(row.eventId) }));
}

/** The number of the last event; 0 before the first. */
export function lastEvent(log: Database): number {
  const row = log.one<{ seq: bigint }>("SELECT seq FROM sqlite_sequence WHERE name = 'events'");
  return Number(row?.seq ?? 0n);
}

/** Whether the bank began anew, or went back to a snapshot, after this event. */
export function wasResetAfter(log: Database, after: number): boolean {
  return log.one("SELECT 1 FROM events WHERE eventId > ? AND kind = 'reset' LIMIT 1", after) !== undefined;
}

/** Notes an event that no table shows. */
export function noteEvent(main: Database, kind: string, data: object): void {
  main.run('INSERT INTO events (kind, id, data) VALUES (?, ?, ?)', kind, '', JSON.stringify(data));
}
