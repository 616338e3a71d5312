import type { Database } from './database.ts';

/**
 * What the doors of the bank that serves a ledger decide in it, beside whatever the ledger itself says. It stays over a reset,
 * and is gone once the bank ends or another one begins to serve the ledger.
 */
export interface LedgerDoors {
  /** The people of the bank inside have the passwords that everybody knows. */
  open: boolean;
  /** Switches of the scenario by name. */
  pinned: Readonly<Record<string, string>>;
}

const closed: LedgerDoors = { open: false, pinned: {} };
/** No switch has this name. */
const openKey = '--open';

/** The doors of the bank that serves the ledger. */
export function ledgerDoors(database: Database): LedgerDoors {
  const rows = database.all<{ key: string; value: string }>('SELECT key, value FROM doors');
  const pinned = rows.filter(({ key }) => key !== openKey).map(({ key, value }) => [key, value] as const);
  return { open: rows.length > pinned.length, pinned: Object.fromEntries(pinned) };
}

/** Sets the doors of the bank that begins to serve the ledger, or those of none. */
export function setLedgerDoors(database: Database, { open, pinned }: LedgerDoors = closed): void {
  const rows = [...Object.entries(pinned), ...(open ? [[openKey, 'true'] as const] : [])];
  // Most banks have none, and a start should not wait for the disk.
  if (rows.length === 0 && database.one('SELECT 1 FROM doors') === undefined) return;
  database.atomically(() => {
    database.run('DELETE FROM doors');
    for (const [key, value] of rows) database.run('INSERT INTO doors (key, value) VALUES (?, ?)', key, value);
  });
}
