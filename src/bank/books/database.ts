import type { SqlValue } from '../../base/sqlite/engine.ts';
import { isHeld } from '../../base/sqlite/failures.ts';
import { openSqlite } from '../../base/sqlite/open.ts';
import type { Sqlite, SqliteStatement } from '../../base/sqlite/open.ts';
import { booksChanged, kindOf, KnownRows, KnownValues } from './known-rows.ts';
import type { OtherProcesses } from './known-rows.ts';

export type { SqlValue } from '../../base/sqlite/engine.ts';

/** One connection to the ledger's file. */
export interface Database {
  // The caller knows the columns that it names; there is nothing to infer a row from.

  all<Row>(sql: string, ...values: SqlValue[]): Row[];
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
  one<Row>(sql: string, ...values: SqlValue[]): Row | undefined;
  /** Returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number;
  exec(sql: string): void;
  /** Runs `work` in one write transaction, durable when it returns; inside another one it joins that. */
  atomically<T>(work: () => T): T;
  /**
   * Runs `work` now, in one transaction with all that comes here in this turn of the event loop: a bank that many call at once
   * writes to the file once for all of them. Resolves when that is durable; work that throws leaves what it has written.
   */
  together<T>(work: () => T): Promise<T>;
  /** What `make` has made of rows of the ledger, which is asked anew once they may be others. It must not be changed. */
  madeOf<T>(name: string, make: () => T): T;
  /** Reads nothing twice from now on until it changes; `others` sees what other processes change. */
  remember(others: OtherProcesses): void;
  close(): void;
}

/**
 * How long the connections of a ledger wait for another process that writes. A bank that waits does nothing else, so once one of
 * them has waited in vain, all just look, until one comes through.
 */
export interface Patience {
  readonly usualMs: number;
  ms: number;
}

/**
 * What connections of this process have under way: whoever else writes to the same file, be it by a ledger of its own, would hold
 * up the very process that commits it, and wait in vain.
 */
const underWay = new Set<() => void>();

function finishAll(): void {
  for (const finish of [...underWay]) finish();
}

const lookMs = 50;

export const patienceOf = (usualMs = 10_000): Patience => ({ usualMs, ms: usualMs });

const bank = { code: 'SANDBOX_UNAVAILABLE', name: 'The built-in bank' } as const;

/** Opens the file; `durable` waits for the disk at each commit. Throws SANDBOX_UNAVAILABLE without SQLite. */
export function openDatabase(path: string, options: { durable: boolean; patience?: Patience }): Database {
  const { durable, patience = patienceOf() } = options;
  finishAll();
  const connection = openSqlite(path, {
    user: bank,
    busyMs: patience.usualMs,
    synchronous: durable ? 'FULL' : 'NORMAL',
  });
  // Half as often as usual: each time, whoever calls waits for the disk.
  connection.exec('PRAGMA wal_autocheckpoint = 2000');
  return wrap(connection, patience);
}

/** Begins to write: all that waits for another process waits here, and where it waits in vain, it has left nothing behind. */
function beginnerOf(connection: Sqlite, patience: Patience): () => void {
  let ms = patience.usualMs;
  return () => {
    finishAll();
    if (ms !== patience.ms) connection.exec(`PRAGMA busy_timeout = ${patience.ms}`);
    ms = patience.ms;
    try {
      connection.exec('BEGIN IMMEDIATE');
      patience.ms = patience.usualMs;
    } catch (error) {
      if (isHeld(error)) patience.ms = Math.min(lookMs, patience.usualMs);
      throw error;
    }
  };
}

function wrap(connection: Sqlite, patience: Patience): Database {
  const begin = beginnerOf(connection, patience);
  const statements = new Map<string, Prepared>();
  const prepared = (sql: string): Prepared => {
    const before = statements.get(sql);
    if (before !== undefined) return before;
    const made = {
      statement: connection.prepare(sql),
      kind: kindOf(sql),
      known: new KnownRows(),
      writes: !/^\s*(?:SELECT|PRAGMA)\b/.test(sql),
    };
    statements.set(sql, made);
    return made;
  };
  let depth = 0;
  let hasChanged = false;
  let others: OtherProcesses | undefined;
  const values = new KnownValues();
  /** Says it at once, and once more when others see it, too. */
  const changed = (): void => {
    hasChanged = depth > 0;
    booksChanged();
  };
  const alone = <T>(work: () => T): T => {
    begin();
    try {
      const result = work();
      connection.exec('COMMIT');
      return result;
    } catch (error) {
      connection.rollBack();
      throw error;
    }
  };
  let turn: Promise<void> | undefined;
  /** Begins the transaction of this turn of the event loop; the promise is that it is committed. */
  const openTurn = (): Promise<void> => {
    begin();
    others?.look();
    const committed = new Promise<void>((resolve, reject) => {
      const finish = (): void => {
        clearImmediate(atEnd);
        underWay.delete(finish);
        turn = undefined;
        try {
          connection.exec('COMMIT');
          resolve();
        } catch (error) {
          connection.rollBack();
          changed();
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      const atEnd = setImmediate(finish);
      underWay.add(finish);
    });
    // Work that throws does not wait for it.
    committed.catch(() => undefined);
    return committed;
  };
  const database: Database = {
    all(sql, ...values) {
      const { statement, kind, known, writes } = prepared(sql);
      if (kind === 'asks' && others !== undefined) {
        if (depth === 0) others.lookOnce();
        return known.rowsFor(values, () => statement.all(values)) as never[];
      }
      const read = (): unknown[] => statement.all(values);
      const rows = writes && depth === 0 ? alone(read) : read();
      if (kind === 'changes') changed();
      return rows as never[];
    },
    one: (sql, ...values) => database.all<never>(sql, ...values)[0],
    run(sql, ...values) {
      const { statement, kind, writes } = prepared(sql);
      const write = () => statement.run(values);
      const changes = writes && depth === 0 ? alone(write) : write();
      if (kind === 'changes') changed();
      return changes;
    },
    exec(sql) {
      finishAll();
      connection.exec(sql);
      changed();
    },
    atomically(work) {
      if (depth > 0) return work();
      try {
        return alone(() => {
          depth = 1;
          // From here on nobody else changes anything.
          others?.look();
          return work();
        });
      } finally {
        depth = 0;
        if (hasChanged) changed();
      }
    },
    async together(work) {
      if (depth > 0) return work();
      const committed = (turn ??= openTurn());
      depth = 1;
      let result;
      try {
        result = work();
      } finally {
        depth = 0;
        if (hasChanged) changed();
      }
      await committed;
      return result;
    },
    madeOf(name, make) {
      if (others === undefined) return make();
      if (depth === 0) others.lookOnce();
      return values.valueOf(name, make);
    },
    remember(seen) {
      others = seen;
    },
    close() {
      finishAll();
      statements.clear();
      connection.close();
    },
  };
  return database;
}

interface Prepared {
  statement: SqliteStatement;
  kind: ReturnType<typeof kindOf>;
  known: KnownRows;
  /** Whether it waits for others that write. */
  writes: boolean;
}
