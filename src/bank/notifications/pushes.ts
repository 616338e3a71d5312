import type { BankPush } from '../../settings/records/bank-state.ts';
import type { Database } from '../books/database.ts';

/** An attempt to tell a TPP something, as it is noted. */
export interface NotedPush {
  resourceId: string;
  uri: string;
  requestId: string;
  /** Empty where the wish was declined. */
  body: string;
  /** The status of the TPP's answer. */
  status?: number | undefined;
  /** Why there is no answer, or what is wrong with it. */
  failure?: string | undefined;
  /** The fault that struck. */
  fault?: string | undefined;
  /** The number of the push that this one says again. */
  resendOf?: number | undefined;
}

/** How many pushes are kept. */
const keptPushes = 1000;

/** Notes what was pushed, where to, and how it ended. */
export function notePush(log: Database, push: NotedPush, at: Date): void {
  log.atomically(() => {
    const row = log.one<{ pushId: bigint }>(
      `INSERT INTO pushes (at, resourceId, uri, requestId, body, status, failure, fault, resendOf)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING pushId`,
      at.getTime(),
      push.resourceId,
      push.uri,
      push.requestId,
      push.body,
      push.status ?? null,
      push.failure ?? null,
      push.fault ?? null,
      push.resendOf ?? null,
    );
    log.run('DELETE FROM pushes WHERE pushId <= ?', (row?.pushId ?? 0n) - BigInt(keptPushes));
  });
}

interface PushRow {
  number: bigint;
  at: bigint;
  resourceId: string;
  uri: string;
  requestId: string;
  body: string;
  status: bigint | null;
  failure: string | null;
  fault: string | null;
  resendOf: bigint | null;
}

const select = `SELECT pushId AS number, at, resourceId, uri, requestId, body, status, failure, fault, resendOf FROM pushes`;

/** The pushes with a number above `after`, oldest first; all of a ledger that began anew, and counts again from 1. */
export function pushesAfter(log: Database, after: number): BankPush[] {
  return log
    .all<PushRow>(
      `${select} WHERE pushId > iif(? > (SELECT coalesce(max(pushId), 0) FROM pushes), 0, ?) ORDER BY pushId`,
      after,
      after,
    )
    .map(read);
}

const numberOf = (value: bigint | null) => (value === null ? null : Number(value));

function read({ number, at, body, status, resendOf, ...told }: PushRow): BankPush {
  return {
    number: Number(number),
    at: new Date(Number(at)).toISOString(),
    ...told,
    body: body === '' ? null : (JSON.parse(body) as object),
    status: numberOf(status),
    resendOf: numberOf(resendOf),
  };
}

/** Has a push said again: that of a number, or the last one of a resource. Tells its number; undefined where there is none. */
export function queueAgain({ main, log }: { main: Database; log: Database }, of: string): number | undefined {
  const number = /^[0-9]{1,15}$/.test(of) ? Number(of) : -1;
  const row = log.one<PushRow>(
    `${select} WHERE (pushId = ? OR resourceId = ?) AND body <> '' ORDER BY pushId DESC LIMIT 1`,
    number,
    of,
  );
  if (row === undefined) return undefined;
  main.run(
    "INSERT INTO changes (resourceId, subject, pushId) VALUES (?, 'again', ?)",
    row.resourceId,
    row.number,
  );
  return Number(row.number);
}

/** The push with this number. */
export function pushNumbered(log: Database, pushId: number): (BankPush & { text: string }) | undefined {
  const row = log.one<PushRow>(`${select} WHERE pushId = ?`, pushId);
  return row && { ...read(row), text: row.body };
}
