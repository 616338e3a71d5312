// Tables of an obk that was never released have no way to this one: nothing is written to them, and a line says what to do instead.
import { afterAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../src/adapters/postgres/database.ts';
import { schemaVersion } from '../../../src/adapters/postgres/schema.ts';
import { serverAddress } from '../../../src/adapters/postgres/server-address.ts';
import { migrate } from '../../../src/adapters/shared-state/state-store.ts';
import { checksOf } from '../../../src/adapters/shared-state/state-checks.ts';
import { createClock } from '../../../src/adapters/system/system-clock.ts';
import { failedWith } from '../../helpers/failed-with.ts';
import { hasPostgres, testDatabase, testVault } from '../../helpers/postgres.ts';

const shared = testDatabase();
const older = Array.from({ length: schemaVersion - 1 }, (_, at) => at + 1).filter((version) => version < 5);

describe.skipIf(!hasPostgres())('tables of an obk from before the first release', () => {
  afterAll(() => shared.end());

  it.each(older)('are refused in version %i, and stay as they are', async (version) => {
    const schema = `of_version_${String(version)}`;
    const administrator = await shared.administer();
    await administrator.rows(`CREATE SCHEMA ${schema}; SET LOCAL search_path = ${schema};
      CREATE TABLE migration (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp());
      INSERT INTO migration SELECT generate_series(1, ${String(version)})`);
    const clock = createClock();
    const daily = createDatabase({ url: shared.adminUrl, clock, schema });
    const maker = createDatabase({ url: shared.adminUrl, clock, schema, anySchema: true });
    const refused = {
      ...{ code: 'STATE_UNREADABLE', exit: 3 },
      detail: expect.stringContaining(`Schema ${schema} is of version ${String(version)}`) as unknown,
      hint: [expect.stringContaining(`obk config set state.schema ${schema}_new`)],
    };
    expect(await failedWith(daily.rows('SELECT 1'))).toMatchObject(refused);
    expect(await failedWith(migrate(maker))).toMatchObject(refused);
    const checks = await checksOf({
      ...{ database: maker, clock, vault: () => Promise.resolve(testVault()) },
      address: async () => serverAddress(await shared.adminUrl()),
    });
    expect(checks.at(-1)).toMatchObject({ check: 'schema', state: 'fail', hint: refused.hint[0] as unknown });
    const found = await administrator.rows<{ name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1',
      [schema],
    );
    expect(found).toEqual([{ name: 'migration' }]);
    for (const one of [daily, maker]) await one.close();
  });

  it('are accepted in this version or later', () => {
    expect(older).toHaveLength(4);
  });
});
