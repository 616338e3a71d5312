import { list, object } from './schema.ts';
import type { Flat, Schema, ValueOf } from './schema.ts';

/** One row of a list: plain values as they go into JSON. */
export type PrintedRow = Readonly<Record<string, unknown>>;

/** How a list shows a column: its title, and what is done where a terminal is narrow. */
interface Shown {
  title: string;
  align?: 'left' | 'right';
  /** Returns the value of the cell, by default the member; JSON shows the row as it is. */
  cell?: (row: PrintedRow) => unknown;
  /** True for a column that a table shows with `-o wide` only; TSV and CSV always have it. */
  wide?: boolean;
  /** How a table at a terminal shows the cell, shorter or easier to read; every other format has the value itself. */
  forPerson?: (text: string, row: PrintedRow) => string;
  /** True where the cell is copied: it is shown whole, however narrow the terminal is. */
  whole?: boolean;
  /** Where a terminal is too narrow for what cannot be cut, columns with a number are left out, the least first. */
  spare?: number;
}

/** A column of a list: the key in the row, and how it is shown. */
export interface Column extends Shown {
  key: string;
}

/** One member of the rows of a list; without `shown` it has no column. */
export interface Field<Value = unknown, Needed extends boolean = boolean> {
  readonly schema: Schema<Value>;
  readonly needed: Needed;
  readonly shown?: Shown;
}

/** The members of the rows of a list, in the order of its columns. */
export type Fields = Readonly<Record<string, Field>>;

/** A row with these members. */
export type RowOf<F extends Fields> = Flat<
  {
    -readonly [Key in keyof F as F[Key]['needed'] extends true ? Key : never]: ValueOf<F[Key]['schema']>;
  } & {
    -readonly [Key in keyof F as F[Key]['needed'] extends true ? never : Key]?: ValueOf<F[Key]['schema']>;
  }
>;

const field = <Value, Needed extends boolean>(
  needed: Needed,
  schema: Schema<Value>,
  title?: string,
  shown?: Omit<Shown, 'title'>,
): Field<Value, Needed> => ({
  schema,
  needed,
  ...(title !== undefined && { shown: { title, ...shown } }),
});

/** A member that every row has; with a title it is a column. */
export const needed = <Value>(schema: Schema<Value>, title?: string, shown?: Omit<Shown, 'title'>) =>
  field(true, schema, title, shown);

/** A member that a row may lack; with a title it is a column. */
export const may = <Value>(schema: Schema<Value>, title?: string, shown?: Omit<Shown, 'title'>) =>
  field(false, schema, title, shown);

/** Members that a row may lack, none of them a column. */
export const mayAll = <Of extends Readonly<Record<string, Schema>>>(schemas: Of) =>
  Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, may(schema)])) as {
    [Key in keyof Of]: Field<ValueOf<Of[Key]>, false>;
  };

/** The columns of a list, from its table; `more` changes how some are shown in this run. */
export function columnsOf<F extends Fields>(
  fields: F,
  more: { readonly [Key in keyof F]?: Partial<Shown> } = {},
): Column[] {
  return Object.entries(fields).flatMap(([key, { shown }]) =>
    shown === undefined ? [] : [{ key, ...shown, ...more[key] }],
  );
}

/** The schema of one row. */
export function rowSchema<F extends Fields>(fields: F, description?: string): Schema<RowOf<F>> {
  const schemas = (isNeeded: boolean) =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(([, one]) => one.needed === isNeeded)
        .map(([key, { schema }]) => [key, schema]),
    );
  return object(schemas(true), schemas(false), description) as Schema<RowOf<F>>;
}

/** A document that `--json` prints, under the name by which scripts find its schema. */
export interface Named {
  readonly name: string;
  readonly schema: Schema;
}

/** The list of such rows as a document. */
export const rowsAs = (name: string, fields: Fields, description?: string): Named => ({
  name,
  schema: list(rowSchema(fields), description),
});
