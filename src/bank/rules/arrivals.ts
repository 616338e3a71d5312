import type { RefereeFinding } from '../../referee/finding.ts';
import type { Database } from '../books/database.ts';
import { noteRequest } from './messages.ts';
import type { ReceivedRequest } from './messages.ts';
import type { Scenario } from './scenario.ts';

/** A request that reached the bank inside, as `obk sandbox log` tells it; without any secret. */
export interface BankRequest {
  /** Counts up with every request. */
  number: number;
  /** ISO 8601, UTC. */
  at: string;
  method: string;
  /** Without the query. */
  path: string;
  /** Null where the path is none of the interface. */
  operation: string | null;
  requestId: string | null;
  /** The organizationIdentifier of the caller, once signature or client certificate are verified. */
  tpp: string | null;
  /** Null where the connection was cut before an answer. */
  status: number | null;
  verdict: 'accepted' | 'refused' | 'limited' | 'fault';
  /** The code of the tppMessage, and the rule of the bank that refused. */
  code: string | null;
  rule: string | null;
  /** The Digest and the signing string that the bank expects. */
  digest: string | null;
  signingString: string | null;
  /** What the referee says of it, in the order in which a request is read. */
  findings: readonly RefereeFinding[];
}

/** One request that reached the bank, in whatever way it ended. */
export interface Arrival {
  /** Empty where the path is none of the interface. */
  operation: string;
  method: string;
  path: string;
  requestId: string | null;
  /** The status of the answer as decided; null where the connection was cut before. */
  status: number | null;
  /** ISO 8601, UTC. */
  at: string;
}

const keepMs = 24 * 3_600_000;
/** Calls of one TPP to one operation in a window. */
export interface Limit {
  calls: number;
  windowMs: number;
}

/** The limit of a switch. */
export function limitOf(rateLimit: Scenario['rateLimit']): Limit | undefined {
  if (rateLimit === 'off') return undefined;
  if (rateLimit === 'per-6-seconds') return { calls: 100, windowMs: 6000 };
  return { calls: rateLimit === 'per-minute' ? 100 : Number.parseInt(rateLimit, 10), windowMs: 60_000 };
}

/** How many requests are told with all that the bank found, and after how many the earlier ones are forgotten. */
const toldRequests = 1000;
const forgetEvery = 64n;

/** The bank's findings about a request. */
export type Verdict = Pick<
  BankRequest,
  'verdict' | 'code' | 'rule' | 'digest' | 'signingString' | 'findings'
> & {
  /** The verified caller. */
  caller: string | null;
};

/** The members of a verdict about a request that nobody has found a fault in, or a signature on. */
export const noVerdict = {
  ...{ code: null, rule: null, digest: null, signingString: null, caller: null },
  findings: [],
} as const satisfies Omit<Verdict, 'verdict'>;

/** An arrival as it is noted; `tpp` is the caller if the call counts into the minute. */
type NotedArrival = Omit<Arrival, 'at'> & { tpp: string | null } & Verdict;

/** Notes an arrival with the bank's findings about it. Returns the number of the call. */
export function arrive(log: Database, arrival: NotedArrival, at: Date, request?: ReceivedRequest): number {
  return log.atomically(() => {
    const row = log.one<{ arrivalId: bigint }>(
      `INSERT INTO arrivals (at, operation, method, path, requestId, tpp, status) VALUES (?, ?, ?, ?, ?, ?, ?)
       RETURNING arrivalId`,
      at.getTime(),
      arrival.operation,
      arrival.method,
      arrival.path,
      arrival.requestId,
      arrival.tpp,
      arrival.status,
    );
    const arrivalId = row?.arrivalId ?? 0n;
    log.run(
      `INSERT OR REPLACE INTO verdicts (arrivalId, caller, verdict, code, rule, digest, signingString, findings)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      arrivalId,
      arrival.caller,
      arrival.verdict,
      arrival.code,
      arrival.rule,
      arrival.digest,
      arrival.signingString,
      arrival.findings.length === 0 ? null : JSON.stringify(arrival.findings),
    );
    if (request !== undefined) noteRequest(log, Number(arrivalId), request);
    if (arrivalId % forgetEvery === 0n)
      for (const table of ['verdicts', 'messages'])
        log.run(`DELETE FROM ${table} WHERE arrivalId <= ?`, arrivalId - BigInt(toldRequests));
    return Number(arrivalId);
  });
}

/** The last requests with a number above `after`, oldest first; all of a ledger that began anew, and counts again from 1. */
export function requestsAfter(log: Database, after: number): BankRequest[] {
  return log
    .all<RequestRow>(
      `${selectRequests}
       WHERE arrivalId > iif(? > (SELECT coalesce(max(arrivalId), 0) FROM arrivals), 0, ?) ORDER BY arrivalId`,
      after,
      after,
    )
    .map(requestOf);
}

/** The request with this number, where it is one of the last. */
export function findRequest(log: Database, number: number): BankRequest | undefined {
  const row = log.one<RequestRow>(`${selectRequests} WHERE arrivalId = ?`, number);
  return row && requestOf(row);
}

type RequestRow = Omit<BankRequest, 'number' | 'at' | 'status' | 'findings'> & {
  number: bigint;
  at: bigint;
  status: bigint | null;
  findings: string | null;
};

const selectRequests = `SELECT arrivalId AS number, at, method, path, nullif(operation, '') AS operation, requestId,
  caller AS tpp, status, verdict, code, rule, digest, signingString, findings FROM arrivals JOIN verdicts USING (arrivalId)`;

const requestOf = ({ number, at, status, findings, ...told }: RequestRow): BankRequest => ({
  number: Number(number),
  at: new Date(Number(at)).toISOString(),
  ...told,
  status: status === null ? null : Number(status),
  findings: findings === null ? [] : (JSON.parse(findings) as BankRequest['findings']),
});

/** The last request of a TPP with this X-Request-ID, and the digest of its body. */
export function earlierArrival(
  log: Database,
  tpp: string,
  requestId: string,
): { method: string; path: string; digest: string | null } | undefined {
  return log.one(
    `SELECT method, path, digest FROM arrivals LEFT JOIN verdicts USING (arrivalId)
     WHERE requestId = ? AND tpp = ? ORDER BY arrivalId DESC LIMIT 1`,
    requestId,
    tpp,
  );
}

/** How often a TPP has asked for a path since then; it is counted up to `most`. */
export function callsSince(
  log: Database,
  { tpp, operation, path }: { tpp: string; operation: string; path: string },
  since: Date,
  most: number,
): number {
  const counted = log.one<{ calls: bigint }>(
    `SELECT count(*) AS calls FROM
      (SELECT 1 FROM arrivals WHERE tpp = ? AND operation = ? AND at > ? AND path = ? LIMIT ?)`,
    tpp,
    operation,
    since.getTime(),
    path,
    most,
  );
  return Number(counted?.calls ?? 0n);
}

/** A call whose place in the window is asked for; `prefix` is that of the interface, such as `/v1`. */
interface Counted {
  tpp: string;
  prefix: string;
  operation: string;
}

/** The seconds after which a TPP may call an operation again, where its window is full; each prefix has windows of its own. */
export function secondsToWait(log: Database, asked: Counted, limit: Limit, now: Date): number | undefined {
  const since = now.getTime() - limit.windowMs;
  const { calls, oldest } = callsIn(log, asked, since);
  if (calls < limit.calls) return undefined;
  return Math.max(1, Math.ceil((oldest - since) / 1000));
}

/** How many more calls of this kind the bank takes now. */
export function callsLeft(log: Database, asked: Counted, limit: Limit, now: Date): number {
  return Math.max(0, limit.calls - callsIn(log, asked, now.getTime() - limit.windowMs).calls);
}

function callsIn(
  log: Database,
  { tpp, prefix, operation }: Counted,
  since: number,
): { calls: number; oldest: number } {
  const counted = log.one<{ calls: bigint; oldest: bigint | null }>(
    `SELECT count(*) AS calls, min(at) AS oldest FROM arrivals
       WHERE tpp = ? AND operation = ? AND at > ? AND instr(path, ?) > 0`,
    tpp,
    operation,
    since,
    `${prefix}/`,
  );
  return { calls: Number(counted?.calls ?? 0n), oldest: Number(counted?.oldest ?? since) };
}

/** Forgets the arrivals of other days. */
export function dropOldArrivals(log: Database, now: Date): void {
  log.run('DELETE FROM arrivals WHERE at < ?', now.getTime() - keepMs);
  log.run('DELETE FROM verdicts WHERE arrivalId NOT IN (SELECT arrivalId FROM arrivals)');
  log.run('DELETE FROM messages WHERE arrivalId NOT IN (SELECT arrivalId FROM arrivals)');
}

/** All arrivals at operations, oldest first. */
export function allArrivals(log: Database): Arrival[] {
  return log
    .all<Omit<Arrival, 'at' | 'status'> & { at: bigint; status: bigint | null }>(
      "SELECT operation, method, path, requestId, status, at FROM arrivals WHERE operation <> '' ORDER BY arrivalId",
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
