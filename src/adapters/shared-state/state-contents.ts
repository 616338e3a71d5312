import type { StateContents, StateKind, StateSession } from '../../client/ports/state-store.ts';
import { timeInName } from '../files/safe-name.ts';
import type { Database } from '../postgres/database.ts';
import { postgresIntents } from '../postgres/postgres-intents.ts';
import { postgresJournal } from '../postgres/postgres-journal.ts';
import { quoted, schemaVersion } from '../postgres/schema.ts';
import { keyIdOf, sealedColumns } from '../postgres/sealed-columns.ts';
import type { Vault } from '../postgres/vault.ts';

/** The tables by the kinds that people know. */
const kinds = [
  ['runs', 'run'],
  ['records of the journal', 'record'],
  ['open writes', 'open_write'],
  ['intents', 'intent'],
  ['resources', 'resource'],
  ['authorisations', 'conversation'],
  ['credentials', 'credential'],
  ['counts of calls', 'usage'],
] as const;

/** What is in the tables, who has sealed it, and who is connected. */
export async function contentsOf(database: Database, vault: Vault, server: string): Promise<StateContents> {
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
        unknown: await unknownIn(database, vault),
      };
    }),
  );
}

async function kindsIn(database: Database): Promise<StateKind[]> {
  const all: StateKind[] = [];
  for (const [kind, table] of kinds) {
    const [row] = await database.rows<{ count: string; bytes: string }>(
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
  const each = sealedColumns.map(
    ({ table, column }) => `SELECT ${keyIdOf(column)} AS key FROM ${table} WHERE ${column} IS NOT NULL`,
  );
  const rows = await database.rows<{ key: string; values: string }>(
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

async function unknownIn(database: Database, vault: Vault): Promise<StateContents['unknown']> {
  const intents = postgresIntents({ database, vault });
  const machine = { id: '', host: '' };
  const journal = postgresJournal({ database, vault, intents, machine, run: 'none' });
  // Those that a living process is about to answer are none yet, and what is made is known.
  const open = (await journal.openWrites()).filter(({ alive, made }) => !alive && made === undefined);
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
