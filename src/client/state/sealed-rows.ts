import type { ObkError } from '../../base/errors.ts';
import type { Codec, Row } from '../ports/engine.ts';
import { asKept } from './shapes.ts';
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
