import type { SqlValue } from '../../base/sqlite/engine.ts';

/**
 * Counts up with whatever this process changes in a ledger, through any connection, and with what another process is found to
 * have changed: rows that were read before may be others now.
 */
let changes = 0;

/** Tells that the books have changed, or may have. */
export function booksChanged(): void {
  changes += 1;
}

/** The log of calls, which grows with each request: nobody keeps rows of it, so that what it gains changes no others. */
const isOfLog = /^\s*(?:INSERT (?:OR \w+ )?INTO|DELETE FROM|UPDATE) (?:arrivals|verdicts|messages)\b/;
/** What changes with the log, or beside the ledger. */
const notKept = /\b(?:arrivals|verdicts|messages|events|snapshots)\b|sqlite_|pragma_/;

/** What a statement does to the rows that are known: it asks for some, leaves them as they are, or changes them. */
export function kindOf(sql: string): 'asks' | 'leaves' | 'changes' {
  if (/^\s*SELECT\b/.test(sql)) return notKept.test(sql) ? 'leaves' : 'asks';
  return isOfLog.test(sql) || /^\s*PRAGMA data_version$/.test(sql) ? 'leaves' : 'changes';
}

const mostAnswers = 32;

/** What is known until the books change: a few values by name. */
class UntilChanged<Value> {
  readonly #values = new Map<string, Value>();
  #changes = changes;

  get(name: string): Value | undefined {
    if (this.#changes !== changes) this.#values.clear();
    this.#changes = changes;
    return this.#values.get(name);
  }

  /** To be called behind `get`: a value for whose making the books have changed is forgotten by the next one. */
  set(name: string, value: Value): void {
    if (this.#values.size === mostAnswers) this.#values.clear();
    this.#values.set(name, value);
  }
}

/** What was made of rows, until any of them may be others. */
export class KnownValues {
  readonly #values = new UntilChanged<unknown>();

  /** The value of this name, from `make` where it is not known. */
  valueOf<T>(name: string, make: () => T): T {
    const before = this.#values.get(name);
    if (before !== undefined) return before as T;
    const value = make();
    this.#values.set(name, value);
    return value;
  }
}

const mostRows = 16;
const mostBytes = 8 * 1024;

/** The rows that a SELECT has had since the last change, by its values: a few short ones. */
export class KnownRows {
  readonly #answers = new UntilChanged<readonly unknown[]>();

  /** The rows for these values, from `read` where they are not known. */
  rowsFor(values: readonly SqlValue[], read: () => unknown[]): unknown[] {
    const key = keyOf(values);
    const known = key === undefined ? undefined : this.#answers.get(key);
    if (known !== undefined) return [...known];
    const rows = read();
    if (key === undefined || !areFew(rows)) return rows;
    for (const row of rows) Object.freeze(row);
    this.#answers.set(key, rows);
    return [...rows];
  }
}

/** Tells lists of values apart; undefined for one with bytes. */
function keyOf(values: readonly SqlValue[]): string | undefined {
  let key = '';
  for (const value of values) {
    if (value instanceof Uint8Array) return undefined;
    const text = String(value);
    key += `${typeof value} ${String(text.length)} ${text}`;
  }
  return key;
}

function areFew(rows: readonly unknown[]): boolean {
  if (rows.length > mostRows) return false;
  let bytes = 0;
  for (const row of rows as readonly Readonly<Record<string, SqlValue>>[])
    for (const value of Object.values(row)) {
      if (typeof value === 'string') bytes += value.length;
      else if (typeof value === 'object' && value !== null) bytes += value.byteLength;
    }
  return bytes <= mostBytes;
}

/** Finds out whether another process has changed the books. */
export interface OtherProcesses {
  look(): void;
  /** The same, at most once while this process takes up what has come: what others did before that is seen. */
  lookOnce(): void;
}

/**
 * SQLite counts for a connection what the others have committed, of this process or another: `log` is the one whose own writes
 * change nothing that is known.
 */
export function otherProcesses(log: {
  one: (sql: string) => { data_version: bigint } | undefined;
}): OtherProcesses {
  let seen: bigint | undefined;
  let hasLooked = false;
  const look = (): void => {
    const version = log.one('PRAGMA data_version')?.data_version;
    if (version !== seen) booksChanged();
    seen = version;
  };
  return {
    look,
    lookOnce() {
      if (hasLooked) return;
      look();
      hasLooked = true;
      setImmediate(() => {
        hasLooked = false;
      });
    },
  };
}
