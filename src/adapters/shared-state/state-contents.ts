import type { StateContents, StateKind, StateSession } from '../../client/ports/state-store.ts';
import { timeInName } from '../files/safe-name.ts';
import type { Database } from '../postgres/database.ts';
import {
  conversations,
  intents,
  openWrites,
  records,
  resources,
  runs,
  uses,
} from '../../client/state/tables.ts';
import type { Table } from '../../client/state/tables.ts';
import { keyIdOf } from '../postgres/own-key.ts';
import { credentials, quoted, schemaVersion, sharedKeys, tables } from '../postgres/schema.ts';
import type { Vault } from '../postgres/vault.ts';
import { stateWithin } from './fleet-side.ts';
import type { Within } from './fleet-side.ts';

/** The tables by the kinds that people know. */
const kinds: readonly (readonly [string, Table])[] = [
  ['runs', runs],
  ['records of the journal', records],
  ['open writes', openWrites],
  ['intents', intents],
  ['resources', resources],
  ['authorisations', conversations],
  ['credentials', credentials],
  ['counts of calls', uses],
];

/** The kind of what is in a table, as people know it. */
export const kindOf = (of: Table): string =>
  kinds.find(([, its]) => its === of)?.[0] ?? (of === sharedKeys ? 'shared keys' : of.name);

/** What is in the tables, who has sealed it, and who is connected. */
export async function contentsOf(within: Within, server: string): Promise<StateContents> {
  const { database, vault } = within;
  const { schema } = database;
  return database.again(() =>
    database.transaction(async () => {
      const [facts] = await database.rows<{ server: string; version: number }>(
        "SELECT current_setting('server_version') AS server, (SELECT max(version) FROM migration) AS version",
      );
      return {
        ...{ server, schema, serverVersion: facts?.server ?? '', schemaVersion: facts?.version ?? 0 },
        supportedVersion: schemaVersion,
        kinds: await kindsIn(database),
        profiles: await profilesIn(database),
        keys: await keysIn(database, vault),
        sessions: await sessionsIn(database),
        unknown: await unknownIn(within),
      };
    }),
  );
}

async function kindsIn(database: Database): Promise<StateKind[]> {
  const all: StateKind[] = [];
  for (const [kind, { name: table }] of kinds) {
    const [row] = await database.rows<{ count: bigint; bytes: bigint }>(
      `SELECT count(*) AS count, pg_total_relation_size($1::regclass) AS bytes FROM ${table}`,
      [`${quoted(database.schema)}.${table}`],
    );
    all.push({ kind, count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) });
  }
  return all;
}

async function profilesIn(database: Database): Promise<string[]> {
  const rows = await database.rows<{ profile: string }>(
    `SELECT profile FROM intent UNION SELECT profile FROM resource UNION SELECT profile FROM run UNION SELECT profile FROM credential
      ORDER BY profile`,
  );
  return rows.map(({ profile }) => profile).filter((profile) => profile !== '');
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

async function unknownIn(within: Within): Promise<StateContents['unknown']> {
  const { journal } = stateWithin(within);
  // Those that a living process is about to answer are none yet.
  const open = (await journal.openWrites()).filter(({ alive }) => !alive);
  const oldest = open.at(-1);
  return {
    count: open.length,
    oldest:
      oldest === undefined
        ? null
        : {
            run: oldest.run,
            profile: oldest.profile ?? null,
            operation: oldest.operation ?? null,
            at: oldest.at ?? timeInName(oldest.run) ?? null,
          },
  };
}
