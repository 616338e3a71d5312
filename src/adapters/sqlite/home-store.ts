import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Engine, SqlValue } from '../../client/ports/engine.ts';
import type { HomeStore, StateFault, StateVerified } from '../../client/ports/home-store.ts';
import type { StateWaits } from '../../base/waits.ts';
import { keyText } from '../../client/state/commit.ts';
import { select, tables } from '../../client/state/tables.ts';
import type { Table } from '../../client/state/tables.ts';
import { openedRow } from '../../client/state/sealed-rows.ts';
import { linkIfFree, prepareTemporary, removeIfThere, syncDirectory } from '../files/atomic-file.ts';
import { guard } from '../files/file-errors.ts';
import { homeEngines } from './home-state.ts';
import { plainCodec } from './plain-codec.ts';
import { isThere } from './state-failures.ts';

/** The state of one home, for those who keep it. */
export const homeStore = (stateDir: string, waits?: StateWaits): HomeStore => {
  const open = () => homeEngines(stateDir, waits && { waits });
  return {
    verify: () => verifyHome(stateDir, open()),
    backUp: (to) => backUpHome(stateDir, to, open),
  };
};

const batch = 500;
type File = keyof typeof tables;
type Engines = ReturnType<typeof homeEngines>;

/** Reads all of a home: the pages of both files by SQLite, and each row as the commands read it. Changes nothing. */
async function verifyHome(stateDir: string, engines: Engines): Promise<StateVerified> {
  const files: { file: string; there: boolean; rows: number }[] = [];
  const faults: StateFault[] = [];
  try {
    for (const name of ['state', 'log'] as const) {
      const file = join(stateDir, `${name}.db`);
      const there = isThere(file);
      const rows = there ? await verifyFile(engines[name], name, file, faults) : 0;
      files.push({ file, there, rows });
    }
  } finally {
    await Promise.all([engines.state.close(), engines.log.close()]);
  }
  return { ok: faults.length === 0, files, faults };
}

async function verifyFile(engine: Engine, name: File, file: string, faults: StateFault[]): Promise<number> {
  let count = 0;
  try {
    const pages = await engine.rows({ sql: 'PRAGMA integrity_check', values: [] });
    for (const { integrity_check: said } of pages)
      if (said !== 'ok')
        faults.push({ file, table: null, key: null, text: String(said), hint: recover(file) });
    for (const of of tables[name]) count += await verifyRows(engine, of, file, faults);
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    const { title, detail = title, hint } = error;
    faults.push({ file, table: null, key: null, text: detail, hint: hint[0] ?? recover(file) });
  }
  return count;
}

async function verifyRows(engine: Engine, of: Table, file: string, faults: StateFault[]): Promise<number> {
  let count = 0;
  for (let last: SqlValue = null; ;) {
    // By their places in the file: an index may be what is damaged.
    const { sql } = select(of, 'WHERE ?1 IS NULL OR rowid > ?1 ORDER BY rowid LIMIT ?2');
    const rows = await engine.rows({
      sql: sql.replace('SELECT ', 'SELECT rowid AS place, '),
      values: [last, batch],
    });
    for (const { place: _, ...row } of rows) {
      if (openedRow(plainCodec, of, row) !== undefined) continue;
      const key = of.key.map((column) => keyText(row[column] ?? null)).join(' ');
      faults.push({ file, table: of.name, key, text: 'It does not hold what obk wrote.', hint: mend(of) });
    }
    count += rows.length;
    last = rows.at(-1)?.['place'] ?? null;
    if (rows.length < batch) return count;
  }
}

const recover = (file: string): string =>
  line`sqlite3 ${file} .recover   # writes what can be saved as SQL; or put a copy in its place`;

const mend = ({ name }: Table): string =>
  name === 'intent' || name === 'open_write'
    ? 'obk pending list   # shows it as damaged, until it is resolved'
    : 'Commands refuse it or leave it out; what is beside it is whole.';

/** Copies the state of a home, as it is at this moment, into a new file that only this user can read; durable when it returns. */
async function backUpHome(stateDir: string, to: string, open: () => Engines): Promise<void> {
  const path = join(stateDir, 'state.db');
  if (!isThere(path))
    throw new ObkError({
      code: 'STATE_UNREADABLE',
      title: 'There is no state to copy yet.',
      detail: `${path} does not exist.`,
      hint: ['obk state verify'],
    });
  const written = <T>(action: () => T): T =>
    guard('STATE_NOT_WRITTEN', 'The copy could not be written.', to, action);
  if (isThere(to)) throw taken(to);
  const folder = dirname(to);
  const temporary = written(() => prepareTemporary(folder, '', false));
  const { state, log } = open();
  try {
    await state.rows({ sql: 'VACUUM INTO ?1', values: [temporary] });
    written(() => {
      syncFile(temporary);
      if (!linkIfFree(temporary, to)) throw taken(to);
    });
  } finally {
    removeIfThere(temporary);
    await Promise.all([state.close(), log.close()]);
  }
  written(() => {
    syncDirectory(folder);
  });
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const taken = (path: string): ObkError =>
  new ObkError({
    code: 'INPUT_INVALID',
    title: 'The file exists already.',
    detail: `${path} is not replaced.`,
    hint: ['Give the name of a new file.'],
  });
