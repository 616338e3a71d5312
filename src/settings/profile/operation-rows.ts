import { operations } from '../../standard/xs2a/operations.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { everyOperation } from '../../standard/xs2a/query-of-bank.ts';
import { map, text } from './row.ts';
import type { RowOf } from './row.ts';
import { operationName } from './texts.ts';

/** Anything by operation. */
export type ByOperation<T> = Readonly<Partial<Record<OperationId, T>>>;

const ids = operations.map(({ id }) => id);

/** The id of an operation. */
export const operationId = text<OperationId>({ wrong: operationName });

/** A value for each operation that is named. */
export const byOperation = <T>(of: RowOf<T>): RowOf<ByOperation<T>> => map(operationName, of, ids);

/** The same, and `*` for every operation. */
export const byEveryOperation = <T>(
  of: RowOf<T>,
): RowOf<Readonly<Partial<Record<OperationId | typeof everyOperation, T>>>> =>
  map((name) => (name === everyOperation ? undefined : operationName(name)), of, [...ids, everyOperation]);
