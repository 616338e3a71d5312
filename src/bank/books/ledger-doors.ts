import type { AuthOfBank } from '../../settings/records/bank-descriptor.ts';
import type { Database } from './database.ts';
import type { Definition } from './people.ts';

/** What holds for every PSU of a bank, whatever their own behaviour is. */
export type Everybody = Pick<Definition, 'encrypted' | 'confirmation'> & {
  /** How the password goes with the start, where that is the same for all. */
  start?: 'plain' | 'encrypted';
};

/**
 * What the doors of the bank that serves a ledger decide in it, beside whatever the ledger itself says. It stays over a reset,
 * and is gone once the bank ends or another one begins to serve the ledger.
 */
export interface LedgerDoors {
  /** The people of the bank inside have the passwords that everybody knows. */
  open: boolean;
  /** Switches of the scenario by name. */
  pinned: Readonly<Record<string, string>>;
  /** The ready people are added whenever the ledger is filled. */
  ready: boolean;
  everybody?: Everybody;
  /** How the bank wants its logins, where it departs from the standard. */
  auth?: AuthOfBank | undefined;
}

const closed: LedgerDoors = { open: false, pinned: {}, ready: false };
/** No switches have these names. */
const openKey = '--open';
const readyKey = '--people';
const everybodyKey = '--everybody';
const authKey = '--auth';

/** The doors of the bank that serves the ledger. */
export function ledgerDoors(database: Database): LedgerDoors {
  return database.madeOf('doors', () => doorsIn(database));
}

function doorsIn(database: Database): LedgerDoors {
  const rows = database.all<{ key: string; value: string }>('SELECT key, value FROM doors');
  const pinned = rows
    .filter(({ key }) => !key.startsWith('--'))
    .map(({ key, value }) => [key, value] as const);
  const has = (name: string) => rows.some(({ key }) => key === name);
  const jsonOf = (name: string) => rows.find(({ key }) => key === name)?.value ?? '{}';
  return {
    open: has(openKey),
    pinned: Object.fromEntries(pinned),
    ready: has(readyKey),
    everybody: JSON.parse(jsonOf(everybodyKey)) as Everybody,
    auth: JSON.parse(jsonOf(authKey)) as AuthOfBank,
  };
}

/** Sets the doors of the bank that begins to serve the ledger, or those of none. */
export function setLedgerDoors(
  database: Database,
  { open, pinned, ready, everybody = {}, auth = {} }: LedgerDoors = closed,
): void {
  const rows = [
    ...Object.entries(pinned),
    ...(open ? [[openKey, 'true'] as const] : []),
    ...(ready ? [[readyKey, 'true'] as const] : []),
    ...(Object.keys(auth).length > 0 ? [[authKey, JSON.stringify(auth)] as const] : []),
    ...(Object.keys(everybody).length > 0 ? [[everybodyKey, JSON.stringify(everybody)] as const] : []),
  ];
  // Most banks have none, and a start should not wait for the disk.
  if (rows.length === 0 && database.one('SELECT 1 FROM doors') === undefined) return;
  database.atomically(() => {
    database.run('DELETE FROM doors');
    for (const [key, value] of rows) database.run('INSERT INTO doors (key, value) VALUES (?, ?)', key, value);
  });
}
