import type { Change, Engine, Row, SqlValue } from '../ports/engine.ts';
import { insert, remove, replace, select, withSum } from './tables.ts';
import type { Table } from './tables.ts';

/** What is to become of some rows of one table: `next` is pure, and may throw what stands in the way. */
export interface Part {
  of: Table;
  /** Which rows: what follows WHERE, with its values. */
  where: string;
  values: readonly SqlValue[];
  next: (rows: readonly Row[]) => readonly Row[];
}

/**
 * Brings about all parts in one transaction, in their order: where two are about the same rows, the second goes on from what the
 * first has made of them.
 */
export async function commit(engine: Engine, parts: readonly Part[]): Promise<void> {
  const scopes = new Map<string, Part[]>();
  for (const part of parts) {
    const scope = scopeOf(part);
    scopes.set(scope, [...(scopes.get(scope) ?? []), part]);
  }
  const groups = [...scopes.values()];
  await engine.change(
    groups.flatMap(([first]) =>
      first === undefined ? [] : select(first.of, `WHERE ${first.where}`, first.values),
    ),
    (found) => ({
      changes: groups.flatMap((group, at) => {
        const before = found[at] ?? [];
        const after = group.reduce((rows, part) => summed(part.of, rows, part.next(rows)), before);
        const of = group[0]?.of;
        return of === undefined || after === before ? [] : changesOf(of, before, after);
      }),
      result: undefined,
    }),
  );
}

/** The next part reads what this one has made as if it came from the database. */
function summed(of: Table, before: readonly Row[], after: readonly Row[]): readonly Row[] {
  if (!of.summed || after === before) return after;
  return after.map((row) => (before.includes(row) ? row : withSum(of, row)));
}

const scopeOf = ({ of, where, values }: Part): string =>
  JSON.stringify([of.name, where, values.map((value) => [typeof value, keyText(value)])]);

/** A value as text: bytes by their digits. */
export const keyText = (value: SqlValue): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);

/** The statements that make of some rows those that follow, told apart by their primary keys. */
function changesOf(of: Table, before: readonly Row[], after: readonly Row[]): Change[] {
  const keyOf = (row: Row) => JSON.stringify(of.key.map((name) => keyText(row[name] ?? null)));
  const earlier = new Map(before.map((row) => [keyOf(row), row]));
  const later = new Set(after.map(keyOf));
  const gone = before.filter((row) => !later.has(keyOf(row)));
  const where = of.key.map((name, at) => `${name} = ?${String(at + 1)}`).join(' AND ');
  const guards = ['fence', 'state'].filter((name) => name in of.columns);
  return [
    ...gone.map((row) => ({
      ...remove(
        of,
        where,
        of.key.map((name) => row[name] ?? null),
      ),
      rows: 1,
    })),
    ...after.flatMap((row) => {
      const old = earlier.get(keyOf(row));
      if (old === row) return [];
      return old === undefined
        ? insert(of, row as never)
        : replace(of, old as never, row as never, guards as never[]);
    }),
  ];
}
