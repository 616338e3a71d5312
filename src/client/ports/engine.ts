import type { ObkError } from '../../base/errors.ts';

/** What a column holds; integers come back as bigint, bytes as Uint8Array. */
export type SqlValue = string | bigint | number | Uint8Array | null;

export type Row = Readonly<Record<string, SqlValue>>;

/** A statement with its values: `?1` is the first of them, wherever and however often it stands. */
export interface Statement {
  sql: string;
  values: readonly SqlValue[];
}

/** A statement that writes, and how many rows it has to change. */
export interface Change extends Statement {
  rows?: number;
}

/** What follows from what was found: the changes, all or none of them, and what is told once they are durable. */
export interface Decision<T> {
  changes: readonly Change[];
  result: T;
}

/** A database with the tables of the state. It knows neither their names nor what may follow what. Failures are ObkError, exit 3. */
export interface Engine {
  rows(statement: Statement): Promise<readonly Row[]>;
  /**
   * Reads the scope, lets `decide` say what follows, and writes that, in one transaction; durable when it resolves, as far as this
   * database is. `decide` only looks at what it is given: it may be asked again, and what it throws undoes all.
   */
  change<T>(
    scope: readonly Statement[],
    decide: (found: readonly (readonly Row[])[]) => Decision<T>,
  ): Promise<T>;
  /** Leaves nothing of what was removed or replaced in the files. Throws LOCK_BUSY while others look at it. */
  scrub(): Promise<void>;
  close(): Promise<void>;
}

/** Where a value stands: it opens there and nowhere else. */
export interface SealedPlace {
  profile: string;
  kind: string;
  row: string;
}

/** How values are written: as they are in a home, sealed in a database that others can read. */
export interface Codec {
  seal(place: SealedPlace, record: object): Uint8Array;
  /** Undefined where it is not as it was written there. */
  open(place: SealedPlace, bytes: Uint8Array): object | undefined;
  /**
   * The error that names the key which has sealed a value, where that is not one of this run; undefined for any other value. With a
   * place it is counted as left out there. Absent where nothing is sealed.
   */
  foreign?(bytes: Uint8Array, leftOut?: SealedPlace): ObkError | undefined;
  /** Hashes by which equal texts are found, one for each key that is known. */
  tags(purpose: string, text: string): readonly [Uint8Array, ...Uint8Array[]];
}
