// The same histories in files of SQLite and in a PostgreSQL: the rules are one, and so is what the tables hold in the end.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeEngines, stateOn } from '../../../src/adapters/sqlite/home-state.ts';
import { plainCodec } from '../../../src/adapters/sqlite/plain-codec.ts';
import { ownIdentity } from '../../../src/adapters/system/process-identity.ts';
import { createVault } from '../../../src/adapters/postgres/vault.ts';
import { postgresEngine } from '../../../src/adapters/postgres/postgres-engine.ts';
import { machineOf } from '../../../src/adapters/postgres/machine.ts';
import { fleetState } from '../../../src/adapters/shared-state/fleet-state.ts';
import { createClock } from '../../../src/adapters/system/system-clock.ts';
import { Secret } from '../../../src/base/secret.ts';
import type { Codec, Engine, Row } from '../../../src/client/ports/engine.ts';
import { keyText } from '../../../src/client/state/commit.ts';
import { openedRow } from '../../../src/client/state/sealed-rows.ts';
import {
  conversations,
  intents,
  openWrites,
  records,
  remove,
  resources,
  runs,
  select,
  tables,
  uses,
} from '../../../src/client/state/tables.ts';
import type { Table } from '../../../src/client/state/tables.ts';
import { freshHome } from '../../helpers/adapter-homes.ts';
import { Dice } from '../../helpers/dice.ts';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { historyIn, processes, shown } from '../../helpers/histories.ts';
import type { Open } from '../../helpers/histories.ts';
import { hasPostgres, testDatabase, testKey } from '../../helpers/postgres.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('engines', 60);
const compared: readonly Table[] = [intents, openWrites, resources, conversations];

/** What is not the same by its nature: sealed it differs, and is compared opened; a hash has the key of the seal in it; a fleet names its machine. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  intent: ['content', 'record', 'ending'],
  open_write: ['mark'],
  resource: ['record', 'machine'],
  conversation: ['record'],
};

/** The rows of a table as they are told apart by nothing but their engine. */
async function rowsOf(engine: Engine, codec: Codec, of: Table): Promise<string[]> {
  const found = await engine.rows(select(of, ''));
  return found
    .map((one) => {
      const opened = openedRow(codec, of, one);
      if (opened === undefined) return `damaged: ${shown(one)}`;
      const kept = Object.entries(opened.row).filter(([name]) => leftOut[of.name]?.includes(name) !== true);
      return shown([
        Object.fromEntries(kept.map(([name, value]) => [name, plain(name, value)])),
        opened.records,
      ]);
    })
    .sort();
}

function plain(name: string, value: Row[string] | undefined): unknown {
  // A fleet adds the time of its server.
  if (name === 'owner') return { ...(JSON.parse(String(value)) as object), at: 0 };
  // One without an id is named by a hash of its customer, which stands in the record.
  const isHash =
    name === 'name' &&
    Buffer.from(value as Uint8Array)
      .toString()
      .startsWith('psu ');
  return isHash ? 'psu' : value instanceof Uint8Array ? keyText(value) : value;
}

describe.skipIf(!hasPostgres())('a history of three processes', () => {
  const shared = testDatabase();
  const vault = createVault([new Secret(testKey)]);
  const { stateDir } = freshHome();
  const homes = Array.from({ length: processes }, () => homeEngines(stateDir));
  let databases: ReturnType<typeof shared.open>[];
  let engines: { sqlite: Record<'state' | 'log', Engine>; postgres: Engine };
  beforeAll(() => {
    databases = Array.from({ length: processes }, () => shared.open());
    const [home] = homes;
    const [database] = databases;
    if (home === undefined || database === undefined) throw new Error('there is no process');
    engines = { sqlite: home, postgres: postgresEngine({ database, clock: createClock() }) };
  });
  afterAll(async () => {
    for (const { state, log } of homes) await Promise.all([state.close(), log.close()]);
    rmSync(stateDir, { recursive: true, force: true });
    await shared.end();
  });

  const processInfo = ownIdentity();
  const inSqlite: Open = ({ process, ...how }) => stateOn(homes[process]!, { ...how, processInfo });
  const inPostgres: Open = ({ process, ...how }) =>
    fleetState({
      ...how,
      database: databases[process]!,
      codec: vault,
      machine: machineOf(stateDir),
      processInfo,
    });

  /** Both begin the next history with nothing in them. */
  async function emptied(): Promise<void> {
    const clear = (engine: Engine, some: readonly Table[]) =>
      engine.change([], () => ({ changes: some.map((of) => remove(of, 'true', [])), result: undefined }));
    await clear(engines.sqlite.state, tables.state);
    await clear(engines.sqlite.log, tables.log);
    await clear(engines.postgres, [...compared, runs, records, uses]);
  }

  it(
    'leaves the same rows in SQLite and in PostgreSQL, and each step prints the same',
    { timeout: row.timeout(60_000) },
    async () => {
      const found: string[] = [];
      let [steps, rows] = [0, 0];
      for (let turn = 0; turn < row.count; turn += 1) {
        const seed = row.seed + turn;
        const history = await historyIn([inSqlite, inPostgres], new Dice(seed), fakeClock());
        steps += history.steps;
        found.push(...history.unlike.map((one) => `seed ${String(seed)}: ${one}`));
        for (const of of compared) {
          const [sqlite, postgres] = await Promise.all([
            rowsOf(engines.sqlite.state, plainCodec, of),
            rowsOf(engines.postgres, vault, of),
          ]);
          rows += sqlite.length;
          if (shown(sqlite) !== shown(postgres))
            found.push(
              `seed ${String(seed)}: ${of.name}:\n  ${sqlite.join('\n  ')}\n  ${postgres.join('\n  ')}`,
            );
        }
        await emptied();
      }
      row.report(`${String(steps)} steps, ${String(rows)} rows, ${String(found.length)} differences`);
      expect(found.slice(0, 5), `${String(found.length)} differences`).toEqual([]);
      // Histories that leave nothing prove nothing.
      expect(rows).toBeGreaterThan(row.count);
    },
  );
});
