import { ObkError } from '../../base/errors.ts';
import { needSnapshotName } from '../../base/profile-name.ts';
import { createPrivately } from '../../base/sqlite/open.ts';
import type { Database } from './database.ts';
import type { Ledger } from './ledger.ts';
import { schemaVersion, tables } from './schema.ts';

/** A ledger as it stood at a time, under a name. */
export interface Snapshot {
  name: string;
  /** ISO 8601, UTC; the time of the world. */
  savedAt: string;
}

/** How many snapshots a ledger has at most. */
export const mostSnapshots = 20;

/** Saves the ledger as it stands; a snapshot of the same name is replaced. Throws USAGE for a name that is not one, and beyond the bound. */
export function saveSnapshot(ledger: Ledger, name: string, world: Date): Snapshot {
  needSnapshotName(name);
  const { main } = ledger;
  return withSnapshots(ledger, () => {
    const known = find(main, name);
    const count = Number(main.one<{ count: bigint }>('SELECT count(*) AS count FROM snapshots.list')?.count);
    if (known === undefined && count >= mostSnapshots)
      throw new ObkError({
        code: 'USAGE',
        title: `The bank inside keeps ${String(mostSnapshots)} snapshots, and has them.`,
        hint: [`obk sandbox snapshot delete ${oldest(main)}   # the oldest`, 'obk sandbox snapshot list'],
      });
    if (known !== undefined) drop(main, known.id);
    const savedAt = world.toISOString();
    const { id } = main.one<{ id: bigint }>(
      'INSERT INTO snapshots.list (name, savedAt, version) VALUES (?, ?, ?) RETURNING id',
      name,
      savedAt,
      schemaVersion,
    ) ?? { id: 0n };
    for (const table of tables)
      main.exec(
        `CREATE TABLE ${copyOf(table, id)} AS SELECT * FROM main.${table} ORDER BY ${inOrder(table)}`,
      );
    return { name, savedAt };
  });
}

const inTime = 'SELECT name, savedAt FROM snapshots.list ORDER BY savedAt, id';

const oldest = (main: Database): string => main.one<Snapshot>(inTime)?.name ?? '';

/** The snapshots of a ledger, the oldest first. */
export function allSnapshots(ledger: Ledger): Snapshot[] {
  return withSnapshots(ledger, () => ledger.main.all<Snapshot>(inTime));
}

/** Puts everything back as it was; who reads or writes meanwhile sees all of it or nothing. Throws USAGE. */
export function restoreSnapshot(ledger: Ledger, name: string): Snapshot {
  const { main } = ledger;
  return withSnapshots(ledger, () => {
    const { id, savedAt, version } = need(main, name);
    if (Number(version) !== schemaVersion)
      throw new ObkError({
        code: 'USAGE',
        title: `The snapshot ${name} was saved by another version of obk, whose ledger had other tables.`,
        hint: ['obk sandbox snapshot list', 'Or restore it with the obk that saved it.'],
      });
    const told = main.one<{ last: bigint | null }>('SELECT max(eventId) AS last FROM events')?.last ?? 0n;
    for (const table of tables) main.exec(`DELETE FROM main.${table}`);
    for (const table of tables.toReversed())
      main.exec(`INSERT INTO main.${table} SELECT * FROM ${copyOf(table, id)} ORDER BY rowid`);
    setOwnIds(ledger);
    // Putting rows back is nothing that happened to a payment or consent.
    main.run('DELETE FROM events WHERE eventId > ?', told);
    return { name, savedAt };
  });
}

/** Forgets a snapshot. Throws USAGE. */
export function deleteSnapshot(ledger: Ledger, name: string): Snapshot {
  const { main } = ledger;
  return withSnapshots(ledger, () => {
    const { id, savedAt } = need(main, name);
    drop(main, id);
    return { name, savedAt };
  });
}

interface SnapshotRow extends Snapshot {
  id: bigint;
  version: bigint;
}

const find = (main: Database, name: string): SnapshotRow | undefined =>
  main.one<SnapshotRow>('SELECT id, name, savedAt, version FROM snapshots.list WHERE name = ?', name);

function need(main: Database, name: string): SnapshotRow {
  const found = find(main, name);
  if (found !== undefined) return found;
  throw new ObkError({
    code: 'USAGE',
    title: `The bank inside has no snapshot ${JSON.stringify(name)}.`,
    hint: ['obk sandbox snapshot list'],
  });
}

const copyOf = (table: string, id: bigint): string => `snapshots."${String(id)} ${table}"`;

/** Rows keep their order, which decides between those of one moment. */
const inOrder = (table: (typeof tables)[number]): string => (table === 'oauthClients' ? 'clientId' : 'rowid');

function drop(main: Database, id: bigint): void {
  for (const table of tables) main.exec(`DROP TABLE IF EXISTS ${copyOf(table, id)}`);
  main.run('DELETE FROM snapshots.list WHERE id = ?', id);
}

/** A ledger that began anew since then goes on under its own id and key, which the bank that serves it knows. */
function setOwnIds({ main, id, pageKey }: Ledger): void {
  for (const [key, value] of Object.entries({ ledgerId: id, pageKey }))
    main.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value);
}

/** Where the snapshots of a ledger in a file are. */
const fileOf = (path: string): string => `${path}.snapshots`;

/**
 * Works in one transaction with the snapshots beside the ledger: in a file beside its file, or in memory for as long as the ledger
 * is there.
 */
function withSnapshots<Result>(ledger: Ledger, work: () => Result): Result {
  const { main } = ledger;
  const [own] = main.all<{ file: string }>("SELECT file FROM pragma_database_list WHERE name = 'main'");
  const path = own?.file ?? '';
  const isThere = main.one("SELECT 1 FROM pragma_database_list WHERE name = 'snapshots'") !== undefined;
  if (!isThere) {
    if (path !== '') createPrivately(fileOf(path));
    main.exec(`ATTACH '${path === '' ? ':memory:' : fileOf(path).replaceAll("'", "''")}' AS snapshots`);
  }
  try {
    return main.atomically(() => {
      main.exec(`CREATE TABLE IF NOT EXISTS snapshots.list (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, savedAt TEXT NOT NULL, version INTEGER NOT NULL
      ) STRICT`);
      return work();
    });
  } finally {
    if (path !== '') main.exec('DETACH snapshots');
  }
}
