import { openSqlite } from '../../src/base/sqlite/open.ts';
import type { Sqlite } from '../../src/base/sqlite/open.ts';

/** The file of a ledger as another program opens it; what that changes, no bank is told. */
export const openLedgerFile = (path: string): Sqlite =>
  openSqlite(path, {
    user: { code: 'SANDBOX_UNAVAILABLE', name: 'The test' },
    busyMs: 5000,
    synchronous: 'NORMAL',
  });
