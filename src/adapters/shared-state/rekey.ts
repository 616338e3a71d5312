import { ObkError } from '../../base/errors.ts';
import type { Change, Engine, Row } from '../../client/ports/engine.ts';
import type { StateRekeyed } from '../../client/ports/state-store.ts';
import { keyText } from '../../client/state/commit.ts';
import { openedRow, sealedRow } from '../../client/state/sealed-rows.ts';
import { insert, remove, replace, select } from '../../client/state/tables.ts';
import type { Table } from '../../client/state/tables.ts';
import { tables } from '../postgres/schema.ts';
import type { Vault } from '../postgres/vault.ts';
import { stateWithin } from './fleet-side.ts';
import type { Within } from './fleet-side.ts';
import { keysIn } from './state-contents.ts';

/** So many rows are sealed anew in one transaction. */
const batch = 100;

/**
 * Seals with the current key what another known one has sealed, a batch in each transaction: interrupted, it goes on where it was. Throws
 * STATE_UNREADABLE where a value was sealed with a key that is not known, before anything, or is damaged, after all others.
 */
export async function rekey(within: Within, progress: (done: StateRekeyed) => void): Promise<StateRekeyed[]> {
  const { database, vault } = within;
  const foreign = (await keysIn(database, vault)).filter(({ known }) => !known);
  if (foreign.length > 0)
    throw new ObkError({
      code: 'STATE_UNREADABLE',
      title: 'Values are sealed with a key that this run has not got.',
      detail:
        foreign.map(({ key, values }) => `${String(values)} with ${key}`).join(', ') +
        '; nothing was changed.',
      hint: ['obk config set state.oldKeyFrom env:OBK_STATE_OLD_KEY   # the key before this one'],
    });
  const { engine } = stateWithin(within);
  const done = new Map<string, number>();
  let damaged = 0;
  /** Goes once through a table: how many values it sealed, and how many it could not open. */
  async function pass(of: Table): Promise<{ anew: number; unread: number }> {
    const kind = of.kind ?? of.name;
    let [anew, unread] = [0, 0];
    let last: Row | undefined;
    do {
      const some = await resealed(engine, vault, of, last);
      ({ last } = some);
      unread += some.unread;
      anew += some.anew;
      done.set(kind, (done.get(kind) ?? 0) + some.anew);
      if (some.anew > 0) progress({ kind, sealed: done.get(kind) ?? 0 });
    } while (last !== undefined);
    return { anew, unread };
  }
  for (const of of tables.filter(({ sealed }) => sealed !== undefined)) {
    let passed = await pass(of);
    // Meanwhile another machine may have sealed with the key before.
    while (passed.anew > 0) passed = await pass(of);
    damaged += passed.unread;
  }
  if (damaged > 0)
    throw new ObkError({
      code: 'STATE_UNREADABLE',
      title: `${String(damaged)} values do not hold what obk wrote, and stay as they are.`,
      detail: 'All others are sealed with the current key.',
      hint: ['obk state status'],
    });
  return [...done].map(([kind, count]) => ({ kind, sealed: count }));
}

/** What became of the values of a batch, and where the next one begins. */
interface Batch {
  anew: number;
  unread: number;
  last: Row | undefined;
}

/** Seals anew one batch of the rows behind one of them. */
function resealed(engine: Engine, vault: Vault, of: Table, after: Row | undefined): Promise<Batch> {
  const keyId = Buffer.from(vault.keyId, 'hex');
  const columns = Object.keys(of.sealed ?? {});
  const key = of.key.join(', ');
  // By its key each row is met once, however many there are.
  const behind =
    after === undefined ? '' : `AND (${key}) > (${of.key.map((_, at) => `?${String(at + 2)}`).join(', ')})`;
  const isOld = columns.map((column) => `substring(${column} FROM 2 FOR 8) <> ?1`).join(' OR ');
  const values = [keyId, ...(after === undefined ? [] : of.key.map((name) => after[name] ?? null))];
  const scope = select(
    of,
    `WHERE (${isOld}) ${behind} ORDER BY ${key} LIMIT ${String(batch)} FOR UPDATE`,
    values,
  );
  const countOf = (row: Row) =>
    columns.filter((name) => row[name] instanceof Uint8Array && !isOf(keyId, row[name])).length;
  return engine.change([scope], ([rows = []]) => {
    const result: Batch = { anew: 0, unread: 0, last: rows.at(-1) };
    const changes = rows.flatMap((row): readonly Change[] => {
      const opened = openedRow(vault, of, row);
      if (opened === undefined) {
        result.unread += countOf(row);
        return [];
      }
      result.anew += countOf(row);
      return replaced(of, opened.row, sealedRow(vault, of, opened));
    });
    return { changes, result };
  });
}

const isOf = (keyId: Buffer, sealed: Uint8Array): boolean => keyId.equals(sealed.subarray(1, 9));

/** Its hashes may be of its key: what was saved since under the current key is newer then, and stays. */
function replaced(of: Table, before: Row, after: Row): readonly Change[] {
  const text = (row: Row) => JSON.stringify(of.key.map((name) => keyText(row[name] ?? null)));
  if (text(before) === text(after)) return [replace(of, before as never, after as never)];
  const { sql, values } = insert(of, after as never);
  const gone = of.key.map((name, at) => `${name} = ?${String(at + 1)}`).join(' AND ');
  return [
    remove(
      of,
      gone,
      of.key.map((name) => before[name] ?? null),
    ),
    { sql: `${sql} ON CONFLICT DO NOTHING`, values },
  ];
}
