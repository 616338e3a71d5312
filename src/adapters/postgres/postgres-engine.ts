import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import { keyText } from '../../client/state/commit.ts';
import type { Change, Decision, Engine, Row, Statement } from '../../client/ports/engine.ts';
import { Undone } from './database.ts';
import type { Database } from './database.ts';
import { ConnectionLost, StatementRefused } from './failures.ts';

/** So often something is decided anew since others were quicker. */
const mostTurns = 20;
/** So often it is asked what became of a COMMIT, with a pause between. */
const mostLooks = 50;
const pauseMs = 200;

/** Another was quicker: a row is not what was read (22012, see `checked`), or there already; or two wait for each other. */
const states = ['22012', '23505', '40001', '40P01'];

/** The statement with the names that PostgreSQL has for its values. */
const turned = (sql: string): string => sql.replace(/\?(\d+)/g, '$$$1');

/** The statement of a change, which fails where it changes another number of rows: COMMIT is on its way behind it already. */
const checked = ({ sql, rows }: Change): string =>
  rows === undefined
    ? turned(sql)
    : `WITH changed AS (${turned(sql)} RETURNING 1) SELECT 1 / (count(*) = ${String(rows)})::int FROM changed`;

/**
 * A database in PostgreSQL. Who reads the same scope waits for whoever has read it before, until that one has committed; a change takes
 * two ways to the server and back. `tells` are the changes that are told on a channel as they are committed.
 */
export function postgresEngine(options: {
  database: Database;
  clock: Clock;
  told?: { channel: string; tells: (change: Change) => boolean };
}): Engine {
  const { database, clock, told } = options;
  const asked = ({ sql, values }: Statement) => database.rows<Row>(turned(sql), values);
  /** Its answer is not awaited: COMMIT reports a failure and its cause. */
  const leave = (text: string, values?: readonly unknown[]) => {
    database.rows(text, values).catch(() => undefined);
  };

  /** What became of a transaction whose COMMIT nobody answered; undefined where the server does not say. */
  async function outcomeOf(xid: string): Promise<string | undefined> {
    const look = 'SELECT pg_xact_status($1::text::xid8) AS status';
    for (let turn = 0; turn < mostLooks; turn += 1) {
      const rows = await database.again(() => database.rows<{ status: string | null }>(look, [xid]));
      const status = rows[0]?.status ?? undefined;
      // Its session has not noticed yet that nobody is there.
      if (status !== 'in progress') return status;
      await clock.sleep(pauseMs);
    }
    return undefined;
  }

  async function change<T>(
    scope: readonly Statement[],
    decide: (found: readonly (readonly Row[])[]) => Decision<T>,
  ): Promise<T> {
    let losses = 0;
    for (let turn = 1; ; turn += 1) {
      /** What becomes true with the transaction. */
      let decided: { xid: string; result: T } | undefined;
      try {
        return await database.transaction(async () => {
          const locks = scope.length === 0 ? [] : [database.rows(lockAll, [locksOf(database.schema, scope)])];
          // Asked before the COMMIT: with an answer to that, this one would be lost, too.
          const [[own], ...found] = await Promise.all([
            database.rows<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid'),
            ...[...locks, ...scope.map(asked)],
          ] as [Promise<readonly { xid: string }[]>, ...Promise<readonly Row[]>[]]);
          const { changes, result } = decide(found.slice(locks.length));
          if (changes.length === 0) return result;
          decided = { xid: own?.xid ?? '', result };
          for (const one of changes) leave(checked(one), one.values);
          if (told !== undefined && changes.some(told.tells)) leave(`NOTIFY ${told.channel}`);
          return result;
        });
      } catch (thrown) {
        const error = thrown instanceof Undone ? (thrown.cause ?? thrown) : thrown;
        if (error instanceof ConnectionLost) {
          const became =
            error.maybeCommitted && decided !== undefined
              ? await outcomeOf(decided.xid).catch(() => undefined)
              : 'aborted';
          if (became === 'committed' && decided !== undefined) return decided.result;
          losses += 1;
          if (became !== 'aborted' || losses > 1) throw error;
        } else if (!(error instanceof StatementRefused && states.includes(error.state))) throw error;
        else if (turn >= mostTurns) throw contended(error);
      }
      await clock.sleep(Math.random() * Math.min(2 ** turn, 100));
    }
  }

  return {
    rows: (statement) => database.again(() => asked(statement)),
    change,
    // A server has its own times for that.
    scrub: () => Promise.resolve(),
    close: () => database.close(),
  };
}

const contended = (cause: unknown): ObkError =>
  new ObkError({
    code: 'LOCK_BUSY',
    title: 'Other processes change the same all the time.',
    detail: `It was tried ${String(mostTurns)} times.`,
    hint: ['Run it again.'],
    cause,
  });

/** In the order of their texts, so that no two wait for each other. */
const lockAll = 'SELECT pg_advisory_xact_lock(hashtextextended(one, 0)) FROM unnest($1::text[]) AS one';

/** A text for each thing that is read of a schema. */
function locksOf(schema: string, scope: readonly Statement[]): string[] {
  const texts = scope.map(({ sql, values }) =>
    JSON.stringify([schema, sql, values.map((value) => [typeof value, keyText(value)])]),
  );
  return [...new Set(texts)].sort();
}
