// A newer obk finds what an older one has kept, and the role of daily runs may go on.
import { afterAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../src/adapters/postgres/database.ts';
import { migrations, schemaVersion, tables } from '../../../src/adapters/postgres/schema.ts';
import { migrate } from '../../../src/adapters/shared-state/migrate.ts';
import { createClock } from '../../../src/adapters/system/system-clock.ts';
import { failedWith } from '../../helpers/failed-with.ts';
import { filled, known } from '../../helpers/filled-state.ts';
import { hasPostgres, testDatabase, testState } from '../../helpers/postgres.ts';
import { role } from '../../helpers/postgres-server.ts';

const shared = testDatabase();
const older = migrations.map((_, at) => at).filter((version) => version > 0);

describe.skipIf(!hasPostgres())('tables of an older obk', () => {
  afterAll(() => shared.end());

  it.each(older)('of version %i are brought up with all that is in them', async (version) => {
    const schema = `of_version_${String(version)}`;
    shared.empty();
    await filled(shared);
    const before = await known(shared);
    await age(schema, version);
    const place = { url: shared.url, schema };
    const now = createDatabase({ ...place, clock: createClock() });
    expect(await failedWith(now.rows('SELECT 1'))).toMatchObject({ code: 'STATE_UNREADABLE', exit: 3 });
    const owner = { url: shared.adminUrl, clock: createClock(), schema, anySchema: true };
    const maker = createDatabase(owner);
    expect(await migrate(maker)).toEqual({ before: version, after: schemaVersion });
    const hasTokens = version > 1;
    const after = await known(place);
    expect(after).toEqual(hasTokens ? before : { ...before, token: undefined, machine: after.machine });
    // The same rights as before, for the tables that are new as well.
    const state = testState(place);
    await state.credentials.update('another', () => ({}));
    await state.close();
    expect(await failedWith(now.rows('DELETE FROM migration'))).toMatchObject({ code: 'STATE_NOT_WRITTEN' });
    for (const one of [now, maker]) await one.close();
  });

  /** The state as an obk of this version would have kept it, with the rights that it gave to its role. */
  async function age(schema: string, version: number): Promise<void> {
    const administrator = await shared.administer();
    await administrator.rows(`CREATE SCHEMA ${schema}; SET LOCAL search_path = ${schema};
      CREATE TABLE migration (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp());
      ${migrations.slice(0, version).join(';')};
      INSERT INTO migration SELECT generate_series(1, ${String(version)});
      GRANT USAGE ON SCHEMA ${schema} TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};
      REVOKE INSERT, UPDATE, DELETE ON migration FROM ${role}`);
    for (const table of tables) {
      const columns = await administrator.rows<{ name: string }>(
        `SELECT column_name AS name FROM information_schema.columns
          WHERE table_schema = $1 AND table_name = $2 AND is_identity = 'NO'`,
        [schema, table],
      );
      const names = columns.map(({ name }) => name).join(', ');
      if (names === '') continue;
      await administrator.rows(
        `INSERT INTO ${schema}.${table} (${names}) SELECT ${names} FROM obk.${table}
          ${table === 'record' ? 'ORDER BY run, number' : ''}`,
      );
    }
  }
});
