import type { Database } from './database.ts';

/** One request that reached an operation of the bank, in whatever way it ended. */
export interface Arrival {
  operation: string;
  method: string;
  path: string;
  requestId: string | null;
  /** The status of the answer as decided; null where the connection was cut before. */
  status: number | null;
  /** ISO 8601, UTC. */
  at: string;
}

const windowMs = 60_000;
const keepMs = 24 * 3_600_000;
/** Calls of one TPP to one operation in a minute. */
export const callsPerMinute = 100;

/** Notes an arrival; gives its number. */
export function arrive(
  log: Database,
  arrival: Pick<Arrival, 'operation' | 'method' | 'path' | 'requestId'>,
  now: Date,
): bigint {
  const row = log.one<{ arrivalId: bigint }>(
    'INSERT INTO arrivals (at, operation, method, path, requestId) VALUES (?, ?, ?, ?, ?) RETURNING arrivalId',
    now.getTime(),
    arrival.operation,
    arrival.method,
    arrival.path,
    arrival.requestId,
  );
  return row?.arrivalId ?? 0n;
}

/** Notes the status that an arrival was answered with. */
export function answered(log: Database, arrivalId: bigint, status: number): void {
  log.run('UPDATE arrivals SET status = ? WHERE arrivalId = ?', status, arrivalId);
}

/** Counts a verified call into its minute; gives the seconds to wait where the minute is full. */
export function takeSlot(
  log: Database,
  arrivalId: bigint,
  tpp: string,
  operation: string,
  now: Date,
): number | undefined {
  const since = now.getTime() - windowMs;
  const counted = log.one<{ calls: bigint; oldest: bigint | null }>(
    'SELECT count(*) AS calls, min(at) AS oldest FROM arrivals WHERE tpp = ? AND operation = ? AND at > ?',
    tpp,
    operation,
    since,
  );
  if (counted !== undefined && counted.calls >= callsPerMinute) {
    return Math.max(1, Math.ceil((Number(counted.oldest) - since) / 1000));
  }
  log.run('UPDATE arrivals SET tpp = ? WHERE arrivalId = ?', tpp, arrivalId);
  return undefined;
}

/** Forgets the arrivals of other days. */
export function dropOldArrivals(log: Database, now: Date): void {
  log.run('DELETE FROM arrivals WHERE at < ?', now.getTime() - keepMs);
}

/** All arrivals, oldest first. */
export function allArrivals(log: Database): Arrival[] {
  return log
    .all<Omit<Arrival, 'at' | 'status'> & { at: bigint; status: bigint | null }>(
      'SELECT operation, method, path, requestId, status, at FROM arrivals ORDER BY arrivalId',
    )
    .map(({ operation, method, path, requestId, status, at }) => ({
      operation,
      method,
      path,
      requestId,
      status: status === null ? null : Number(status),
      at: new Date(Number(at)).toISOString(),
    }));
}
