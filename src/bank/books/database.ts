import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Libsql from 'libsql';
import { ObkError } from '../../base/errors.ts';
import { booksChanged, kindOf, KnownRows, KnownValues } from './known-rows.ts';
import type { OtherProcesses, SqlValue } from './known-rows.ts';

export type { SqlValue } from './known-rows.ts';

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

/** Opens the file; `durable` waits for the disk at each commit. Throws SANDBOX_UNAVAILABLE without libsql. */
export function openDatabase(path: string, options: { durable: boolean; patience?: Patience }): Database {
  const { durable, patience = patienceOf() } = options;
  const busyMs = patience.usualMs;
  const Constructor = load();
  finishAll();
  if (path !== ':memory:') createPrivately(path);
  const connection = new Constructor(path, { timeout: busyMs });
  connection.defaultSafeIntegers(true);
  connection.exec(`PRAGMA busy_timeout = ${busyMs}`);
  if (path !== ':memory:') patiently(busyMs, () => connection.exec('PRAGMA journal_mode = WAL'));
  // Half as often as usual: each time, whoever calls waits for the disk.
  connection.exec('PRAGMA wal_autocheckpoint = 2000');
  connection.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}; PRAGMA foreign_keys = ON`);
  return wrap(connection, patience);
}

/**
 * SQLite gives its other files the mode of this one. An existing file is not touched: to open and close it would drop the
 * POSIX locks that other connections of this process hold on it, and another process would then delete the WAL in use.
 */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function load(): typeof Libsql {
  try {
    // To import it, a package or a part of Node by name would load the loader of ES modules.
    const require = createRequire(import.meta.url);
    tellSystem(require);
    return require('libsql') as typeof Libsql;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'NATIVE_NOT_LOADED') throw notUnpacked(cause as Error);
    throw new ObkError({
      code: 'SANDBOX_UNAVAILABLE',
      title: 'The bank inside needs the package libsql, which is not installed.',
      detail: 'It is an optional dependency with prebuilt binaries for Linux, macOS and Windows.',
      hint: ['npm install --include=optional'],
      cause,
    });
  }
}

/**
 * libsql asks two packages which C library there is, and each has Node report on the whole process: a tenth of the time in
 * which a bank starts. The build that loads is the answer. Where anything is different here, they are asked as before.
 */
function tellSystem(require: NodeJS.Require): void {
  if (process.platform !== 'linux') return;
  try {
    const near = createRequire(require.resolve('libsql'));
    const target = ['gnu', 'musl']
      .map((libc) => `linux-${process.arch}-${libc}`)
      .find((name) => loads(near, `@libsql/${name}`));
    if (target === undefined) return;
    const family = target.endsWith('gnu') ? 'glibc' : 'musl';
    const known = {
      '@neon-rs/load': { currentTarget: () => target },
      'detect-libc': { GLIBC: 'glibc', MUSL: 'musl', familySync: () => family },
    };
    for (const [name, exports] of Object.entries(known))
      require.cache[near.resolve(name)] ??= { exports, loaded: true } as NodeJS.Module;
  } catch {
    // libsql finds it out by itself, or says what is missing.
  }
}

/** Whether a part of libsql can be loaded on this system, as libsql itself loads it. */
function loads(partOf: (name: string) => unknown, name: string): boolean {
  try {
    partOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The single executable has tried every place that it may use for its native library. */
function notUnpacked(cause: Error): ObkError {
  return new ObkError({
    code: 'SANDBOX_UNAVAILABLE',
    title: 'The bank inside cannot unpack its database.',
    detail: `It needs a folder in which this user may write and run programs. Tried: ${cause.message.replaceAll('\n', '; ')}.`,
    hint: [
      'TMPDIR=FOLDER obk sandbox start',
      'Or put obk-libsql.node, which npm run package makes, beside the executable.',
    ],
    cause,
  });
}

/**
 * Turning WAL on needs the file alone for a moment, and honours the busy timeout only where another connection has the whole file
 * for itself: no longer than that timeout in all.
 */
function patiently(busyMs: number, work: () => void): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const until = performance.now() + busyMs;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (performance.now() >= until || !isHeld(error)) throw error;
      Atomics.wait(pause, 0, 0, 25);
    }
  }
}

const isHeld = (error: unknown): boolean => /locked|busy/i.test(String(error));

/** Begins to write. What waits in vain here leaves nothing behind; a statement would stay under way, and no later COMMIT succeed. */
function beginnerOf(connection: Libsql.Database, patience: Patience): () => void {
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

function wrap(connection: Libsql.Database, patience: Patience): Database {
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
      if (connection.inTransaction) connection.exec('ROLLBACK');
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
          if (connection.inTransaction) connection.exec('ROLLBACK');
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
    // Values go as one list: libsql takes a single null for an object of named values.
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
      const { changes } = writes && depth === 0 ? alone(write) : write();
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
  statement: Libsql.Statement;
  kind: ReturnType<typeof kindOf>;
  known: KnownRows;
  /** Whether it waits for others that write. */
  writes: boolean;
}
