import type { Engine } from '../../client/ports/engine.ts';
import type { StateContents, StateSession, StateSite } from '../../client/ports/state-store.ts';
import { countsIn, profilesIn, unknownIn } from '../../client/state/contents.ts';
import { timeInName } from '../files/safe-name.ts';
import type { Database } from '../postgres/database.ts';
import { keyIdOf } from '../postgres/own-key.ts';
import { quoted, schemaVersion, tables } from '../postgres/schema.ts';
import type { Vault } from '../postgres/vault.ts';
import { stateWithin } from './fleet-side.ts';
import type { Within } from './fleet-side.ts';

/** What is in the tables, who has sealed it, and who is connected. */
export async function contentsOf(within: Within, site: StateSite): Promise<StateContents> {
  const { database, vault } = within;
  return database.again(() =>
    database.transaction(async () => {
      const { engine, journal } = stateWithin(within);
      const [facts] = await database.rows<{ server: string; version: number }>(
        "SELECT current_setting('server_version') AS server, (SELECT max(version) FROM migration) AS version",
      );
      const kinds = await kindsIn(database, engine);
      return {
        ...site,
        engine: `PostgreSQL ${facts?.server ?? ''}`,
        ...{ schemaVersion: facts?.version ?? 0, supportedVersion: schemaVersion },
        bytes: kinds.reduce((sum, { bytes }) => sum + bytes, 0),
        kinds,
        profiles: await profilesIn(() => engine, tables),
        keys: await keysIn(database, vault),
        sessions: await sessionsIn(database),
        unknown: await unknownIn(journal, timeInName),
      };
    }),
  );
}

async function kindsIn(database: Database, engine: Engine) {
  const all: { kind: string; count: number; bytes: number }[] = [];
  for (const { of, kind, count } of await countsIn(() => engine, tables)) {
    const name = `${quoted(database.schema)}.${of.name}`;
    const [row] = await database.rows<{ bytes: bigint }>(
      'SELECT pg_total_relation_size($1::regclass) AS bytes',
      [name],
    );
    all.push({ kind, count, bytes: Number(row?.bytes ?? 0) });
  }
  return all;
}

/** How many values each key has sealed, the current one first. */
export async function keysIn(database: Database, vault: Vault): Promise<StateContents['keys']> {
  const each = tables.flatMap(({ name, sealed = {} }) =>
    Object.keys(sealed).map(
      (column) => `SELECT ${keyIdOf(column)} AS key FROM ${name} WHERE ${column} IS NOT NULL`,
    ),
  );
  const rows = await database.rows<{ key: string; values: bigint }>(
    `SELECT key, count(*) AS values FROM (${each.join(' UNION ALL ')}) AS sealed GROUP BY key ORDER BY key`,
  );
  const found = rows.map(({ key, values }) => ({
    ...{ key, values: Number(values), known: vault.keyIds.includes(key), current: key === vault.keyId },
  }));
  return found.sort((one, other) => Number(other.current) - Number(one.current));
}

/** Of obk alone; a role that may not see the sessions of others sees its own. */
export async function sessionsIn(database: Database): Promise<StateSession[]> {
  const rows = await database.rows<Omit<StateSession, 'since'> & { since: Date | null }>(
    `SELECT pid, application_name AS application, usename AS "user", host(client_addr) AS address,
            backend_start AS since, pid = pg_backend_pid() AS self
       FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'obk%' ORDER BY backend_start, pid`,
  );
  return rows.map(({ since, ...row }) => ({ ...row, since: since?.toISOString() ?? null }));
}
