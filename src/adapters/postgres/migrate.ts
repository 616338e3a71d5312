import type { Database } from './database.ts';
import { migrations, schemaVersion } from './schema.ts';

/** Makes the schema obk or brings it up to this obk; returns the versions before (0: none) and after. */
export async function migrate(database: Database): Promise<{ before: number; after: number }> {
  return database.transaction(async () => {
    // One at a time; who waited finds nothing to do.
    await database.rows("SELECT pg_advisory_xact_lock(hashtextextended('obk.migration', 0))");
    await database.rows('CREATE SCHEMA IF NOT EXISTS obk');
    await database.rows(
      `CREATE TABLE IF NOT EXISTS obk.migration
         (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp())`,
    );
    const [row] = await database.rows<{ version: number }>(
      'SELECT coalesce(max(version), 0) AS version FROM obk.migration',
    );
    const before = row?.version ?? 0;
    for (const [index, step] of migrations.entries()) {
      if (index < before) continue;
      await database.rows(step);
      await database.rows('INSERT INTO obk.migration (version) VALUES ($1)', [index + 1]);
    }
    return { before, after: Math.max(before, schemaVersion) };
  });
}
