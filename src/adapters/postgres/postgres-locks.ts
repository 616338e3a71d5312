import type { Locks } from '../../client/ports/locks.ts';
import { createDatabase } from './database.ts';
import type { DatabaseOptions } from './database.ts';
import { ConnectionLost } from './failures.ts';

/** So long the action under a lock may take: a call of a bank with its deadline. */
const actionMs = 300_000;

/**
 * An advisory lock for each name that is taken, held by a transaction: the server gives it up with its connection, however that
 * ends, and it works behind a pooler. The connection is the lock's own, so what the action writes is durable at once.
 */
export function postgresLocks(options: Pick<DatabaseOptions, 'url' | 'clock' | 'schema' | 'signal'>): Locks {
  return {
    exclusively: async (name, patienceMs, action) => {
      const database = createDatabase({ ...options, patienceMs, idleMs: actionMs, anySchema: true });
      let done: { result: Awaited<ReturnType<typeof action>> } | undefined;
      try {
        return await database.transaction(async () => {
          await database.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`obk.lock ${name}`]);
          done = { result: await action() };
          return done.result;
        });
      } catch (error) {
        // The lock went with its connection when the action was over: nothing of its result hangs on that.
        if (done !== undefined && error instanceof ConnectionLost) return done.result;
        throw error;
      } finally {
        await database.close();
      }
    },
  };
}
