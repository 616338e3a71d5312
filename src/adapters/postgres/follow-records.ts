import { isFailure } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { FollowOptions, JournalFollower } from '../../client/ports/journal.ts';
import type { Row } from '../../client/ports/engine.ts';
import type { JournalRun } from '../../settings/records/journal.ts';
import type { Database } from './database.ts';
import type { Session } from './session.ts';

/** The channel on which a call that is over is told; the records themselves stay in their table. */
export const channel = 'obk_journal';

/** How often the journal is asked where no notification comes, and where one may have been lost. */
const pollMs = 1_000;
const safetyMs = 10_000;

type Changed = Row & {
  run: string;
  number: bigint;
  /** Its transaction is not older than all that are open: the next look finds it again. */
  again: boolean;
  next: string;
};

/**
 * Follows the records of all machines. A notification only wakes; what is new is told by the transactions: each look begins at
 * the oldest one that was open at the look before, so a record that is committed late is found, however late its number was given.
 */
export async function followRecords(options: {
  database: Database;
  clock: Clock;
  follow: FollowOptions;
  asRuns: (rows: readonly Row[]) => readonly JournalRun[];
}): Promise<JournalFollower> {
  const { database, clock, asRuns } = options;
  const { signal, say } = options.follow;
  const said = new Set<string>();
  const sayOnce = (what: string) => {
    if (!said.has(what)) say(what);
    said.add(what);
  };
  let bell = new AbortController();
  const ring = () => {
    bell.abort();
  };
  let listener: Session | undefined;
  let isPooled = false;
  let opening: Promise<void> | undefined;

  async function open(): Promise<void> {
    try {
      listener = await database.listen(channel, ring);
      isPooled = listener === undefined;
      if (isPooled)
        sayOnce(
          'A pooler stands before the database, which passes no notification on: the journal is asked once a second.',
        );
    } catch (error) {
      if (!isFailure(error)) throw error;
    }
    // What came while nobody listened.
    ring();
  }

  await open();
  // The oldest transaction that is open, and a time before the begin of any. A database that was restored holds transactions of another
  // server, whose numbers may be those of tomorrow here: records of before that time are none of those that are followed.
  const [start] = await database.again(() =>
    database.rows<{ position: string; since: string }>(
      `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS position,
              (clock_timestamp() - interval '10 minutes')::text AS since`,
    ),
  );
  let position = start?.position;
  /** The records from the position on that were told. */
  let told = new Set<string>();

  return {
    wait: async () => {
      const isListening = listener?.isLost === false;
      if (!isListening && !isPooled) opening ??= open().finally(() => (opening = undefined));
      const rung = AbortSignal.any([signal, bell.signal]);
      await clock.sleep(isListening ? safetyMs : pollMs, rung).catch(() => undefined);
      bell = new AbortController();
      signal.throwIfAborted();
    },

    changed: async () => {
      let rows: readonly Changed[];
      try {
        rows = await database.again(() =>
          database.rows<Changed>(
            `SELECT run.*, number, xact >= pg_snapshot_xmin(pg_current_snapshot()) AS again,
                    pg_snapshot_xmin(pg_current_snapshot())::text AS next
               FROM record JOIN run USING (run)
              WHERE xact >= $1::text::xid8 AND xact < pg_snapshot_xmax(pg_current_snapshot())
                AND record.at > $2::timestamptz ORDER BY record.at`,
            [position, start?.since],
          ),
        );
      } catch (error) {
        if (!isFailure(error) || error.code !== 'STATE_UNREACHABLE') throw error;
        sayOnce('The database cannot be reached: what comes meanwhile is shown when it is back.');
        return [];
      }
      const nameOf = ({ run, number }: Changed) => `${run} ${String(number)}`;
      const fresh = rows.filter((row) => !told.has(nameOf(row)));
      position = rows[0]?.next ?? position;
      told = new Set(rows.filter(({ again }) => again).map(nameOf));
      return asRuns([...new Map(fresh.map((row) => [row.run, row])).values()]);
    },

    close: async () => {
      await opening;
      listener?.end();
    },
  };
}
