import { ObkError } from '../../base/errors.ts';
import type { EndedRun, JournalRun, JournalRecord } from '../../settings/records/journal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Change, Engine, Row, SqlValue } from '../ports/engine.ts';
import type { JournalFollower } from '../ports/journal.ts';
import { commit } from './commit.ts';
import type { Part } from './commit.ts';
import { runs, select } from './tables.ts';
import { asKept } from './shapes.ts';

/** How many runs are read at once, where one looks at them one after the other. */
const batch = 200;
/** More endings are not told apart. */
const mostEndings = 100;
/** How often whoever follows looks, in milliseconds. */
const followMs = 250;
/** The endings of all runs, each once, though they are thousands: the index is looked into once for each. */
const allEndings = `WITH RECURSIVE one(ended) AS (SELECT min(ended) FROM run
  UNION ALL SELECT (SELECT min(ended) FROM run WHERE ended > one.ended) FROM one WHERE one.ended IS NOT NULL)
  SELECT ended FROM one WHERE ended IS NOT NULL`;

/** Which runs there are, without what they did. */
export function runLists(options: {
  log: Engine;
  machine: { id: string; host?: string };
  startOf: (run: string) => string | undefined;
  clock: Clock;
}) {
  const { log, machine, startOf, clock } = options;

  function asRun(row: Row): JournalRun[] {
    const { run: of, host, machine: its } = row as { run: string; host: string | null; machine: string };
    const startedAt = startOf(of);
    if (startedAt === undefined) return [];
    return [
      {
        ...{ run: of, startedAt },
        ...(machine.host !== undefined && { host }),
        ...(machine.id !== '' && its !== machine.id && { elsewhere: true }),
      },
    ];
  }

  /** Newest first, those without an end and those of some endings, or all; as many at a time as whoever looks is likely to need. */
  const each = (
    endings?: readonly SqlValue[],
    without?: ReadonlySet<SqlValue>,
  ): AsyncIterable<JournalRun> => ({
    // It begins anew with each look.
    [Symbol.asyncIterator]: () => walk(endings, without),
  });

  async function* walk(
    endings: readonly SqlValue[] | undefined,
    without: ReadonlySet<SqlValue> = new Set(),
  ): AsyncGenerator<JournalRun> {
    let before = '\u{10ffff}';
    for (;;) {
      // Each part comes out of the index in the order of the runs.
      const parts = (endings ?? []).map((_, at) => {
        const { sql } = select(runs, `WHERE ended = ?${String(at + 2)} AND run < ?1`);
        return ` UNION ALL ${sql}`;
      });
      const first = endings === undefined ? 'WHERE run < ?1' : 'WHERE ended IS NULL AND run < ?1';
      const limited = `${first}${parts.join('')} ORDER BY run DESC LIMIT ${String(batch)}`;
      const rows = await log.rows(select(runs, limited, [before, ...(endings ?? [])]));
      yield* rows.filter(({ ended = null }) => !without.has(ended)).flatMap(asRun);
      if (rows.length < batch) return;
      before = String(rows.at(-1)?.['run']);
    }
  }

  async function that(may: (ended: EndedRun) => boolean): Promise<AsyncIterable<JournalRun>> {
    const all = await log.rows({ sql: allEndings, values: [] });
    const endings = all.map(({ ended = null }) => ended);
    const refused = new Set(endings.filter((ending) => !mayBe(ending)));
    const picked = endings.filter((ending) => !refused.has(ending));
    return each(picked.length > mostEndings ? undefined : picked, refused);

    function mayBe(ending: SqlValue): boolean {
      const known = endedOf(ending);
      return known === undefined || may(known);
    }
  }

  function follow(signal: AbortSignal): JournalFollower {
    let last: bigint | undefined;
    const newest = async () => {
      const [row] = await log.rows({ sql: 'SELECT max(rowid) AS last FROM record', values: [] });
      return BigInt(row?.['last']?.toString() ?? 0);
    };
    return {
      wait: () => clock.sleep(followMs, signal),
      changed: async () => {
        const now = await newest();
        // Fewer than before: it is another log.
        if (last === undefined || now < last) last = now;
        const rows = await log.rows({
          sql: `SELECT * FROM run WHERE run IN (SELECT run FROM record WHERE rowid > ?1 AND rowid <= ?2)
            ORDER BY run`,
          values: [last, now],
        });
        last = now;
        return rows.flatMap(asRun);
      },
      close: () => Promise.resolve(),
    };
  }

  /** A note that saves reading: a home that cannot be written has none. */
  async function noteFree(ids: readonly string[]): Promise<void> {
    await commit(
      log,
      ids.map((of) =>
        ofRun(of, (rows) =>
          rows.map((row) => {
            const known = endedOf(row['ended'] ?? null);
            return known === undefined ? row : { ...row, ended: endedText({ ...known, free: true }) };
          }),
        ),
      ),
    ).catch((error: unknown) => {
      if (!(error instanceof ObkError)) throw error;
    });
  }

  return {
    all: () => each(),
    asRuns: (rows: readonly Row[]) => rows.flatMap(asRun),
    that,
    oldest: async () => (await log.rows(select(runs, 'ORDER BY run LIMIT 1'))).flatMap(asRun)[0],
    noteFree,
    follow,
  };
}

/** What is to become of the row of a run. */
export function ofRun(run: string, next: Part['next']): Part {
  return { of: runs, where: 'run = ?1', values: [run], next };
}

/**
 * What keeps the number of the newest record where that is of a run which is to be removed: SQLite would give it again, and whoever
 * follows would not see the next record (https://sqlite.org/autoinc.html). One such row is enough.
 */
export const heldNumbers = (run: string): Change[] => [
  {
    sql: `UPDATE record SET run = '', number = rowid, type = '', profile = '', record = x''
      WHERE rowid = (SELECT max(rowid) FROM record) AND run = ?1`,
    values: [run],
  },
  { sql: `DELETE FROM record WHERE run = '' AND rowid < (SELECT max(rowid) FROM record)`, values: [] },
];

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
