import { randomUUID } from 'node:crypto';
import { createDatabase } from '../../src/adapters/postgres/database.ts';
import type { Database } from '../../src/adapters/postgres/database.ts';
import { migrate, roleStatements } from '../../src/adapters/shared-state/state-store.ts';
import { sharedState } from '../../src/adapters/shared-state/shared-state.ts';
import type { SharedState } from '../../src/adapters/shared-state/shared-state.ts';
import { machineOf } from '../../src/adapters/postgres/machine.ts';
import { postgresEngine } from '../../src/adapters/postgres/postgres-engine.ts';
import { fleetState } from '../../src/adapters/shared-state/fleet-state.ts';
import type { FleetState } from '../../src/adapters/shared-state/fleet-state.ts';
import type { ProcessIdentity } from '../../src/adapters/system/process-identity.ts';
import type { Clock } from '../../src/client/ports/clock.ts';
import type { Codec } from '../../src/client/ports/engine.ts';
import { intents, read, replace, select } from '../../src/client/state/tables.ts';
import { createVault } from '../../src/adapters/postgres/vault.ts';
import type { Vault } from '../../src/adapters/postgres/vault.ts';
import { createClock } from '../../src/adapters/system/system-clock.ts';
import { Secret } from '../../src/base/secret.ts';
import { administrator, outsideTransaction, role, serverOfRun } from './postgres-server.ts';
import type { Server } from './postgres-server.ts';

export { hasPostgres } from './postgres-server.ts';

/** Less than a run waits: a test that waits for nothing ends soon. */
const patienceMs = 10_000;

function database(url: Secret, anySchema = false): Database {
  return createDatabase({ url: () => Promise.resolve(url), clock: createClock(), patienceMs, anySchema });
}

/** A database of its own with the tables of obk, for a test file; each of its tests begins with empty ones. */
export interface TestDatabase {
  /** The URL for the role of obk. */
  url: () => Promise<Secret>;
  /** A connection as the role of obk, closed by `end`. */
  open(): Database;
  /** The URL for the administrator. */
  adminUrl: () => Promise<Secret>;
  /** A connection as the administrator, closed by `end`. */
  administer(): Promise<Database>;
  /** Empties the tables when the next connection is opened. */
  empty(): void;
  /** Closes what was opened. */
  end(): Promise<void>;
}

export function testDatabase({ tables = true, from = serverOfRun } = {}): TestDatabase {
  let made: Promise<Server> | undefined;
  let emptied: Promise<void> | undefined;
  let tablesToEmpty: readonly { name: string }[] | undefined;
  const name = `case_${randomUUID().replaceAll('-', '')}`;
  const opened: Database[] = [];

  async function make(): Promise<Server> {
    const running = await from();
    await outsideTransaction(running.url('postgres', administrator), `CREATE DATABASE ${name}`);
    if (tables) {
      const own = database(running.url(name, administrator), true);
      await migrate(own);
      for (const statement of roleStatements(role, name, 'obk')) await own.rows(statement);
      await own.close();
    }
    return running;
  }
  const adminUrl = async () => (await (made ??= make())).url(name, administrator);
  const administer = async () => {
    const own = database(await adminUrl(), true);
    opened.push(own);
    return own;
  };
  const clear = async () => {
    const own = await administer();
    tablesToEmpty ??= await own.rows<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'obk' AND tablename <> 'migration'",
    );
    // As the owner, whatever refers to what.
    const all = tablesToEmpty.map(({ name: table }) => `DELETE FROM obk.${table}`);
    await own.rows(["SET LOCAL session_replication_role = 'replica'", ...all].join('; '));
  };
  const url = async () => {
    const { url: urlOf } = await (made ??= make());
    await (emptied ??= clear());
    return urlOf(name);
  };
  return {
    url,
    adminUrl,
    administer,
    open: () => {
      const own = createDatabase({ url, clock: createClock(), patienceMs });
      opened.push(own);
      return own;
    },
    empty: () => {
      emptied = undefined;
    },
    end: async () => {
      for (const one of opened.splice(0)) await one.close();
    },
  };
}

/** A key that every test may know. */
export const testKey = '5a'.repeat(32);

export function testVault(): Vault {
  return createVault([new Secret(testKey)]);
}

/** What a run keeps in a database, without the guard of the key and without whatever is beside the tables of the rules. */
export function fleetIn(
  database: Database,
  options: {
    run?: string;
    stateDir?: string;
    processInfo?: ProcessIdentity;
    codec?: Codec;
    clock?: Clock;
  } = {},
): FleetState {
  const { run = 'run', stateDir = '/a-home', codec = testVault(), clock = createClock() } = options;
  const { processInfo } = options;
  return fleetState({
    ...{ database, run, codec, clock, machine: machineOf(stateDir) },
    ...(processInfo !== undefined && { processInfo }),
  });
}

/** The time of the server passes: no lease goes on. */
export async function endLeases(database: Database): Promise<void> {
  const engine = postgresEngine({ database, clock: createClock() });
  await engine.change([select(intents, 'FOR UPDATE')], ([rows = []]) => ({
    changes: rows.flatMap((found) => {
      const row = read(intents, found);
      if (row === undefined) return [];
      const owner = JSON.stringify({ ...(JSON.parse(row.owner) as object), at: 0 });
      return [replace(intents, row, { owner })];
    }),
    result: undefined,
  }));
}

/** All drivers on a database. */
export function testState({
  url,
  schema,
  keys = [testKey],
  stateDir = '/a-home',
  run = '20261121T100000000Z-test',
  unread,
}: {
  url: () => Promise<Secret>;
  schema?: string;
  keys?: readonly string[];
  stateDir?: string;
  run?: string;
  unread?: (keyId: string, rows: number) => void;
}): SharedState {
  const [first = testKey, ...others] = keys;
  return sharedState({
    ...{
      url,
      schema,
      stateDir,
      clock: createClock(),
      keys: [new Secret(first), ...others.map((key) => new Secret(key))],
      run,
    },
    chosen: () => Promise.resolve(undefined),
    ...(unread !== undefined && { unread }),
  });
}

/** The variables by which a run has its state there. */
export function stateEnvironment(url: string): Readonly<Record<string, string>> {
  return {
    ...{ OBK_STATE_URL_FROM: 'env:OBK_STATE_URL', OBK_STATE_URL: url },
    ...{ OBK_STATE_KEY_FROM: 'env:OBK_STATE_KEY', OBK_STATE_KEY: testKey },
  };
}
