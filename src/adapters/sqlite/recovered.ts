import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { sqliteCode } from '../../base/sqlite/failures.ts';
import { openImmutable } from '../../base/sqlite/open.ts';
import type { Engine, Row } from '../../client/ports/engine.ts';
import type { StateMoved } from '../../client/ports/state-store.ts';
import { claimCount } from '../../client/state/claim-count.ts';
import { batchesOf } from '../../client/state/contents.ts';
import { openedRow } from '../../client/state/sealed-rows.ts';
import {
  claimCounts,
  conversations,
  fits,
  insertAsRead,
  intents,
  openWrites,
  resources,
  select,
} from '../../client/state/tables.ts';
import type { Table } from '../../client/state/tables.ts';
import { makeDirectory } from '../files/atomic-file.ts';
import { guard } from '../files/file-errors.ts';
import { copyState } from './copy-state.ts';
import { homeEngines } from './home-state.ts';
import { plainCodec as codec } from './plain-codec.ts';
import { sizeOf, user } from './sqlite-engine.ts';
import { aside, isThere } from './state-failures.ts';

const most = 500;

/**
 * Takes what `sqlite3 .recover` has saved of a damaged state.db into a home that has none. A payment or a write that is damaged comes as
 * it is, so that it stays in the way of its own key; of the rest, what is damaged is left out. Payments that did not come count as
 * missing, so that the next one is asked about.
 */
export async function takeRecovered(stateDir: string, file: string): Promise<StateMoved[]> {
  const from = await recoveredIn(file);
  try {
    needNoState(stateDir);
    return await takenFrom(from, stateDir);
  } finally {
    await from.close();
  }
}

async function takenFrom(from: Recovered, stateDir: string): Promise<StateMoved[]> {
  makeDirectory(stateDir);
  const made = mkdtempSync(join(stateDir, '.recovered-'));
  const [home, fresh] = [homeEngines(stateDir), homeEngines(made)];
  try {
    const [begun] = from.tables.has(claimCounts.name)
      ? await from.rows(select(claimCounts, 'ORDER BY number DESC LIMIT 1'))
      : [];
    const moved: StateMoved[] = [];
    for (const of of [intents, openWrites, resources, conversations])
      moved.push(await taken(from, fresh.state, of));
    const count = moved[0]?.moved ?? 0;
    // What was seen comes first: a state that is not there yet has counted none.
    const seen = claimCount({ state: fresh.state, log: home.log, codec });
    await seen.atLeast(count, Math.max(count, Number(begun?.['number'] ?? 0)));
    await copyState(fresh.state, join(stateDir, 'state.db'));
    return moved;
  } finally {
    const opened = [home.state, home.log, fresh.state, fresh.log];
    await Promise.all(opened.map((one) => one.close()));
    rmSync(made, { recursive: true, force: true });
  }
}

/** Copies a table, and says how many rows could not come. */
async function taken(from: Recovered, to: Engine, of: Table): Promise<StateMoved> {
  const mayBeDamaged = of === intents || of === openWrites;
  let [moved, left, damaged] = [0, 0, 0];
  const all = from.tables.has(of.name) ? batchesOf(from, of, { most, order: ['rowid'] }) : [];
  for await (const rows of all) {
    const isWhole = (row: Row) => openedRow(codec, of, row) !== undefined;
    const good = rows.filter((row) => fits(of, row) && (mayBeDamaged || isWhole(row)));
    await to.change([], () => ({ changes: good.map((row) => insertAsRead(of, row)), result: undefined }));
    moved += good.length;
    left += rows.length - good.length;
    damaged += mayBeDamaged ? good.filter((row) => !isWhole(row)).length : 0;
  }
  const notes = [
    ...(left === 0 ? [] : [`${String(left)} could not be read and did not come`]),
    ...(damaged === 0 ? [] : [`${String(damaged)} are damaged: obk pending list shows them`]),
  ];
  return {
    ...{ kind: of.kind ?? of.name, moved, same: 0 },
    ...(notes.length > 0 && { note: notes.join('; ') }),
  };
}

function needNoState(stateDir: string): void {
  const path = join(stateDir, 'state.db');
  if (![path, `${path}-wal`, `${path}-shm`].some(isThere)) return;
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: 'There is a state already, and nothing is written into it.',
    detail: `${path} is there, or files that belong to it.`,
    hint: [
      'obk state verify   # whether it is damaged',
      `${aside(path)}   # only if it is; then run this again`,
    ],
  });
}

/** What was recovered, read only. */
interface Recovered extends Pick<Engine, 'rows' | 'close'> {
  tables: ReadonlySet<string>;
}

async function recoveredIn(file: string): Promise<Recovered> {
  guard('INPUT_INVALID', 'The recovered state cannot be read.', file, () => statSync(file));
  if (sizeOf(`${file}-wal`) > 0)
    throw noState(
      `a part of it is still in ${file}-wal`,
      line`sqlite3 ${file} "PRAGMA journal_mode = DELETE"`,
    );
  const sqlite = openImmutable(file, user);
  const rows: Engine['rows'] = async ({ sql, values }) => {
    try {
      return await Promise.resolve(sqlite.prepare(sql).all(values) as readonly Row[]);
    } catch (error) {
      throw sqliteCode(error) === undefined ? error : noState((error as Error).message);
    }
  };
  const close = () => {
    sqlite.close();
    return Promise.resolve();
  };
  try {
    const names = await rows({ sql: "SELECT name FROM sqlite_schema WHERE type = 'table'", values: [] });
    const tables = new Set(names.map(({ name }) => String(name)));
    if (!tables.has(intents.name)) throw noState('it has no payments');
    return { rows, close, tables };
  } catch (error) {
    await close();
    throw error;
  }

  function noState(why: string, hint = 'obk help state import'): ObkError {
    return new ObkError({
      code: 'INPUT_INVALID',
      title: 'The file is not a recovered state.',
      detail: `${file}: ${why}.`,
      hint: [hint],
    });
  }
}
