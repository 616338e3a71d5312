import { createHash } from 'node:crypto';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Change, Decision, Engine, Row, Statement } from '../../client/ports/engine.ts';
import { ConnectionLost, sqlState } from './connection-lost.ts';
import { told as toldOf } from './database.ts';
import type { Database } from './database.ts';

/** So often something is decided anew since others were quicker. */
const mostTurns = 20;
/** So often it is asked what became of a COMMIT, with a pause between. */
const mostLooks = 50;
const pauseMs = 200;

/** Another was quicker: a row is not what was read (22012, see `checked`), or there already; or two wait for each other. */
const states = ['22012', '23505', '40001', '40P01'];

const placeholders = new Map<string, string>();

/** The statement with the names that PostgreSQL has for its values. */
function turned(sql: string): string {
  const known = placeholders.get(sql) ?? sql.replace(/\?(\d+)/g, '$$$1');
  placeholders.set(sql, known);
  return known;
}

/** The statement of a change, which fails where it changes another number of rows: COMMIT is on its way behind it already. */
const checked = ({ sql, rows }: Change): string =>
  rows === undefined
    ? turned(sql)
    : `WITH changed AS (${turned(sql)} RETURNING 1) SELECT 1 / (count(*) = ${String(rows)})::int FROM changed`;

/** What was decided, with the transaction that makes it durable. */
interface Decided<T> {
  xid: string;
  result: T;
}

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

  async function inOneTransaction<T>(
    scope: readonly Statement[],
    decide: (found: readonly (readonly Row[])[]) => Decision<T>,
    note: (decided: Decided<T>) => void,
  ): Promise<T> {
    let sent: readonly Promise<unknown>[] = [];
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
        note({ xid: own?.xid ?? '', result });
        sent = changes.map((change) => database.rows(checked(change), change.values));
        if (told !== undefined && changes.some(told.tells))
          sent = [...sent, database.rows(`NOTIFY ${told.channel}`)];
        // COMMIT tells of a failure, and the first one why.
        for (const one of sent) one.catch(() => undefined);
        return result;
      });
    } catch (error) {
      if (error instanceof ConnectionLost) throw error;
      const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
      throw (failed as PromiseRejectedResult | undefined)?.reason ?? error;
    }
  }

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
      let decided: Decided<T> | undefined;
      try {
        return await inOneTransaction(scope, decide, (one) => (decided = one));
      } catch (error) {
        if (error instanceof ConnectionLost) {
          const became =
            error.maybeCommitted && decided !== undefined
              ? await outcomeOf(decided.xid).catch(() => undefined)
              : 'aborted';
          if (became === 'committed' && decided !== undefined) return decided.result;
          losses += 1;
          if (became !== 'aborted' || losses > 1) throw error;
        } else if (!states.includes(stateOf(error))) throw toldOf(error);
        else if (turn >= mostTurns)
          throw new ObkError({
            code: 'LOCK_BUSY',
            title: 'Other processes change the same all the time.',
            detail: `It was tried ${String(mostTurns)} times.`,
            hint: ['Run it again.'],
            cause: error,
          });
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

/** In their order, so that no two wait for each other. */
const lockAll = 'SELECT pg_advisory_xact_lock(one) FROM unnest($1::bigint[]) AS one';

/** The 64 bits that stand for what is read of a schema, each once. */
function locksOf(schema: string, scope: readonly Statement[]): string[] {
  const numbers = scope.map(({ sql, values }) => {
    const texts = values.map((value) =>
      value instanceof Uint8Array
        ? ['bytes', Buffer.from(value).toString('hex')]
        : [typeof value, String(value)],
    );
    return createHash('sha256')
      .update(JSON.stringify([schema, sql, texts]))
      .digest()
      .readBigInt64BE();
  });
  return [...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1)).map(String);
}

const stateOf = (error: unknown): string => sqlState(error) || sqlState((error as Error).cause);
