import { isDeepStrictEqual } from 'node:util';
import type { ObkError } from '../../base/errors.ts';
import type { Codec, Engine, Row } from '../../client/ports/engine.ts';
import type { StateMoved } from '../../client/ports/state-store.ts';
import type { Usage, Use } from '../../client/ports/usage.ts';
import { commit, keyText } from '../../client/state/commit.ts';
import type { Part } from '../../client/state/commit.ts';
import { batchesOf } from '../../client/state/contents.ts';
import { openedRow, sealedRow } from '../../client/state/sealed-rows.ts';
import type { OpenedRow } from '../../client/state/sealed-rows.ts';
import { uses as usesTable } from '../../client/state/tables.ts';
import type { Table } from '../../client/state/tables.ts';

/** So many rows are read, and written, at once. */
const batch = 100;

/** Where rows are: at home, or in the database of all. */
export interface Side {
  engine: (of: Table) => Engine;
  codec: Codec;
  usage: Usage;
  /** The error of a row of it that does not open. */
  unread: (of: Table, found: Row) => ObkError;
}

/** What became of the entries of each kind. */
export function counted(kinds: readonly string[] = []) {
  const moved = new Map(kinds.map((kind) => [kind, { moved: 0, same: 0 }]));
  return {
    count: (kind: string, isNew: boolean): void => {
      const before = moved.get(kind) ?? { moved: 0, same: 0 };
      moved.set(kind, { moved: before.moved + Number(isNew), same: before.same + Number(!isNew) });
    },
    all: (): StateMoved[] => [...moved].map(([kind, counts]) => ({ kind, ...counts })),
  };
}

/** All rows of a table in the order of its key, opened. */
export async function* openedRows(side: Side, of: Table): AsyncGenerator<readonly OpenedRow[]> {
  for await (const found of batchesOf(side.engine(of), of, { most: batch }))
    yield found.map((one) => whole(side, of, one));
}

export function whole(side: Side, of: Table, found: Row): OpenedRow {
  const opened = openedRow(side.codec, of, found);
  if (opened === undefined) throw side.unread(of, found);
  return opened;
}

/**
 * Copies a table, some rows in each transaction; a row is written once, however often this is begun. `merge` says what becomes of one
 * that is there already: itself, what it is given, or what it makes of the two.
 */
export async function copyRows(
  of: Table,
  options: {
    from: Side;
    to: Side;
    merge: (there: OpenedRow, mine: OpenedRow) => OpenedRow;
    adapt?: (mine: OpenedRow) => OpenedRow;
    count?: (isNew: boolean) => void;
  },
): Promise<void> {
  const { from, to, merge, adapt = (mine: OpenedRow) => mine, count } = options;
  for await (const rows of openedRows(from, of)) {
    const isNew = rows.map(() => false);
    const part = (one: OpenedRow, at: number): Part => {
      const { records } = one;
      const row = sealedRow(to.codec, of, one);
      return {
        of,
        where: of.key.map((name, place) => `${name} = ?${String(place + 1)}`).join(' AND '),
        values: of.key.map((name) => row[name] ?? null),
        next: (found) => {
          const [before] = found;
          isNew[at] = before === undefined;
          if (before === undefined) return [row];
          const there = whole(to, of, before);
          const after = merge(there, { row, records });
          isNew[at] = after !== there;
          return after === there ? found : [sealedRow(to.codec, of, after)];
        },
      };
    };
    await commit(to.engine(of), rows.map(adapt).map(part));
    for (const one of isNew) count?.(one);
  }
}

/** Whether two rows say the same, whatever has sealed them. */
export function isSame(of: Table, there: OpenedRow, mine: OpenedRow): boolean {
  const isClear = (name: string) => of.sealed?.[name] === undefined;
  return (
    Object.keys(of.columns)
      .filter(isClear)
      .every((name) => keyText(there.row[name] ?? null) === keyText(mine.row[name] ?? null)) &&
    isDeepStrictEqual(there.records, mine.records)
  );
}

/** Copies the calls that count against a limit, each once. */
export async function copyUses(from: Side, to: Side, count: (isNew: boolean) => void): Promise<void> {
  for await (const rows of openedRows(from, usesTable))
    for (const { records } of rows) {
      const { name } = records['record'] as { name: string };
      const uses = await from.usage.read(name);
      let isNew = false;
      await to.usage.update(name, (before) => {
        const after = withUses(before, uses);
        isNew = after !== before;
        return after;
      });
      count(isNew);
    }
}

/** The uses of both places, each once; the same where there is no other. */
function withUses(before: readonly Use[], uses: readonly Use[]): readonly Use[] {
  // Two clocks are compared each time, so the same use may differ by a few milliseconds.
  const isThere = ({ at, what }: Use) =>
    before.some((one) => one.what === what && Math.abs(one.at - at) < 1000);
  const added = uses.filter((use) => !isThere(use));
  return added.length === 0 ? before : [...before, ...added].sort((a, b) => a.at - b.at);
}
