import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import type { Codec, Engine, Row, SqlValue } from '../ports/engine.ts';
import type { Journal } from '../ports/journal.ts';
import type { StateContents, StateFault } from '../ports/state-store.ts';
import { keyText } from './commit.ts';
import { openedRow, unopened } from './sealed-rows.ts';
import { conversations, records, select } from './tables.ts';
import type { Table } from './tables.ts';

/** The number of rows that are read at once. */
const batch = 500;

/** How many rows of each kind there are. */
export async function countsIn(engine: (of: Table) => Engine, all: readonly Table[]) {
  const counts: { of: Table; kind: string; count: number }[] = [];
  for (const of of all) {
    if (of.kind === undefined) continue;
    const [row] = await engine(of).rows({ sql: `SELECT count(*) AS count FROM ${of.name}`, values: [] });
    counts.push({ of, kind: of.kind, count: Number(row?.['count'] ?? 0) });
  }
  return counts;
}

/** The profiles of which something is kept, in their order. */
export async function profilesIn(engine: (of: Table) => Engine, all: readonly Table[]): Promise<string[]> {
  const found = new Set<string>();
  for (const of of all) {
    // Of these there is none without a run or a resource of the same profile.
    if (!('profile' in of.columns) || of === conversations || of === records) continue;
    const rows = await engine(of).rows({ sql: `SELECT DISTINCT profile FROM ${of.name}`, values: [] });
    for (const { profile } of rows) found.add(String(profile));
  }
  found.delete('');
  return [...found].sort();
}

/** The writes that left and whose outcome nobody knows; those that a living process is about to answer are none yet. */
export async function unknownIn(
  { openWrites }: Pick<Journal, 'openWrites'>,
  startOf: (run: string) => string | undefined,
): Promise<StateContents['unknown']> {
  const open = (await openWrites()).filter(({ alive }) => !alive);
  const oldest = open.at(-1);
  if (oldest === undefined) return { count: 0, oldest: null };
  const { run, profile = null, operation = null, at = startOf(run) ?? null } = oldest;
  return { count: open.length, oldest: { run, profile, operation, at } };
}

/** All rows of a table, `most` at a time, in the order of its key or of what else tells its rows apart. */
export async function* batchesOf(
  engine: Pick<Engine, 'rows'>,
  of: Table,
  { most, order = of.key }: { most: number; order?: readonly string[] },
): AsyncGenerator<readonly Row[]> {
  const marks = order.map((_, at) => `?${String(at + 1)}`).join(', ');
  const places = order.map((name, at) => `${name} AS place${String(at)}`).join(', ');
  for (let last: readonly SqlValue[] | undefined; ;) {
    const after = last === undefined ? '' : `WHERE (${order.join(', ')}) > (${marks})`;
    const { sql, values } = select(of, `${after} ORDER BY ${order.join(', ')} LIMIT ${String(most)}`, last);
    const rows = await engine.rows({ sql: sql.replace('SELECT ', `SELECT ${places}, `), values });
    if (rows.length > 0) yield rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < most) return;
    last = order.map((_, at) => end[`place${String(at)}`] ?? null);
  }
}

/** Reads a table from end to end, and calls `fault` for each row that does not hold what obk wrote; how many rows there are. */
export async function verifyRows(
  { engine, codec }: { engine: Engine; codec: Codec },
  of: Table,
  fault: (of: Omit<StateFault, 'place'>) => void,
  order?: readonly string[],
): Promise<number> {
  let count = 0;
  for await (const rows of batchesOf(engine, of, { most: batch, ...defined({ order }) })) {
    count += rows.length;
    for (const row of rows) {
      if (openedRow(codec, of, row) !== undefined) continue;
      const { title, hint } = unopened(codec, of, row, () => damaged(of));
      fault({ table: of.name, key: keyOf(of, row), text: title, hint: hint[0] ?? '' });
    }
  }
  return count;
}

/** The key of a row, for people. */
export const keyOf = (of: Table, row: Row): string =>
  of.key.map((name) => keyText(row[name] ?? null)).join(' ');

const damaged = ({ name }: Table): ObkError =>
  new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'It does not hold what obk wrote.',
    hint: [
      name === 'intent' || name === 'open_write'
        ? 'obk pending list   # shows it as damaged, until it is resolved'
        : 'Commands refuse it or leave it out; what is beside it is whole.',
    ],
  });
