import type { Database } from '../postgres/database.ts';
import { quoted, schemaVersion, stepsFrom, tables } from '../postgres/schema.ts';

/** The versions of a schema before (0: none) and after its migration. */
interface Migrated {
  before: number;
  after: number;
}

/**
 * Makes the schema of a database or brings it up to this obk, one process at a time: who waited finds nothing to do. A role that wrote
 * the tables before may write the new ones, too. Throws STATE_NEWER where a newer obk has made it, STATE_UNREADABLE where one has that
 * was never released.
 */
export async function migrate(database: Database): Promise<Migrated> {
  const { schema } = database;
  return database.transaction(async () => {
    await database.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`obk.migration ${schema}`]);
    await database.rows(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
    await database.rows(
      `CREATE TABLE IF NOT EXISTS migration
         (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp())`,
    );
    const [row] = await database.rows<{ version: number }>(
      'SELECT coalesce(max(version), 0) AS version FROM migration',
    );
    const before = row?.version ?? 0;
    for (const { version, sql } of stepsFrom(before, schema)) {
      await database.rows(sql);
      await database.rows('INSERT INTO migration (version) VALUES ($1)', [version]);
    }
    if (before > 0 && before < schemaVersion) await extendRights(database);
    return { before, after: schemaVersion };
  });
}

/** Gives whoever has the rights of daily runs those for the tables that were not there before: these runs would end otherwise. */
async function extendRights(database: Database): Promise<void> {
  const roles = await database.rows<{ role: string }>(
    `SELECT DISTINCT one.grantee::regrole::text AS role FROM pg_class AS t, aclexplode(t.relacl) AS one
      WHERE t.oid = to_regclass('intent') AND one.privilege_type = 'INSERT' AND one.grantee NOT IN (0, t.relowner)`,
  );
  for (const { role } of roles)
    await database.rows(
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables.map(({ name }) => name).join(', ')} TO ${role}`,
    );
}
