import type { Database } from '../books/database.ts';

/** Whether something may still have to be told: a resource may change, or a change waits. */
export function isAnythingWished(database: Database): boolean {
  return (
    database.one('SELECT 1 FROM wishes WHERE ended = 0 LIMIT 1') !== undefined ||
    database.one('SELECT 1 FROM changes LIMIT 1') !== undefined
  );
}

/** Forgets the changes that nobody was there to tell. */
export function dropChanges(database: Database): void {
  // To empty a table writes to the disk even where it is empty, and a start should not wait for that.
  if (database.one('SELECT 1 FROM changes LIMIT 1') !== undefined) database.run('DELETE FROM changes');
}
