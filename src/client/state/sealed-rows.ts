import type { ObkError } from '../../base/errors.ts';
import type { Codec, Row } from '../ports/engine.ts';
import { asKept } from './shapes.ts';
import { read } from './tables.ts';
import type { Table } from './tables.ts';

/** A record as a column of this row holds it. */
export function sealIn(codec: Codec, of: Table, column: string, row: Row, record: object): Uint8Array {
  const its = of.sealed?.[column];
  if (its === undefined) throw new Error(`${of.name}.${column} holds no records`);
  return codec.seal(its.place(row), record);
}

/** The record that a column of this row holds; undefined where it is not as obk wrote it there. */
export function openIn(codec: Codec, of: Table, column: string, row: Row): object | undefined {
  const its = of.sealed?.[column];
  const bytes = row[column];
  if (its === undefined || !(bytes instanceof Uint8Array)) return undefined;
  const record = codec.open(its.place(row), bytes);
  return its.holds === undefined ? record : asKept(its.holds, record);
}

/** The error of a row that does not open: its key is missing here, or, where that is not so, what `damaged` returns. */
export const unopened = (codec: Codec, of: Table, found: Row, damaged: () => ObkError): ObkError =>
  foreignIn(codec, of, found, false) ?? damaged();

/** Whether a list leaves out a row, since its key is missing here; it is counted then. Whatever decides leaves out none. */
export const isLeftOut = (codec: Codec, of: Table, found: Row): boolean =>
  foreignIn(codec, of, found, true) !== undefined;

function foreignIn(codec: Codec, of: Table, row: Row, isLeft: boolean): ObkError | undefined {
  for (const [column, { place }] of Object.entries(of.sealed ?? {})) {
    const bytes = row[column];
    if (!(bytes instanceof Uint8Array)) continue;
    const foreign = codec.foreign?.(bytes, isLeft ? place(row) : undefined);
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}

/** A row with the records that it holds, by their columns. */
export interface OpenedRow {
  row: Row;
  records: Readonly<Record<string, object>>;
}

/** Undefined where the row is not as obk wrote it. */
export function openedRow(codec: Codec, of: Table, found: Row): OpenedRow | undefined {
  const row: Row | undefined = read(of, found);
  if (row === undefined) return undefined;
  const columns = Object.keys(of.sealed ?? {}).filter((column) => row[column] !== null);
  const records = columns.flatMap((column) => {
    const record = openIn(codec, of, column, row);
    return record === undefined ? [] : [[column, record] as const];
  });
  return records.length === columns.length ? { row, records: Object.fromEntries(records) } : undefined;
}

/** The row as this codec writes it, with its hashes. */
export function sealedRow(codec: Codec, of: Table, { row, records }: OpenedRow): Row {
  const { record } = records;
  const hashes = record === undefined ? {} : of.tagged?.(codec, row, record);
  const its = { ...row, ...hashes };
  const sealed = Object.entries(records).map(
    ([column, one]) => [column, sealIn(codec, of, column, its, one)] as const,
  );
  return { ...its, ...Object.fromEntries(sealed) };
}
