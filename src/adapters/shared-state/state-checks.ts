import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import { fail, failOf, ok, warn } from '../../base/finding.ts';
import type { Finding } from '../../base/finding.ts';
import type { Database } from '../postgres/database.ts';
import { replicaTitle } from '../postgres/failures.ts';
import { besideHint, isTooOld, quoted, schemaVersion, tables } from '../postgres/schema.ts';
import type { ServerAddress } from '../postgres/server-address.ts';
import { keysIn } from './state-contents.ts';
import type { Vault } from '../postgres/vault.ts';

const oldestVersion = 15;
/** So far apart clocks may be before somebody should know it: nothing is decided by the clock of a machine. */
const clockMs = 60_000;

const writerHint = 'obk config set state.urlFrom env:OBK_STATE_URL   # with the address of the writer';

interface Facts {
  version: number;
  shown: string;
  readonly: string;
  commit: string;
  fsync: string;
  at: number;
  encrypted: boolean | null;
  cipher: string | null;
  user: string;
}

/** Whether obk can work there. `database` asks for no schema; a step that the next ones need ends it. */
export async function checksOf(options: {
  database: Database;
  vault: () => Promise<Vault>;
  address: () => Promise<ServerAddress>;
  clock: Clock;
}): Promise<Finding[]> {
  const { database, vault, address, clock } = options;
  const began = clock.monotonic();
  let facts: Facts;
  let where: ServerAddress;
  try {
    where = await address();
    facts = await factsOf(database);
  } catch (error) {
    if (error instanceof ObkError && error.title === replicaTitle)
      return [failOf('writer', error, writerHint)];
    return [failOf('reachable', error)];
  }
  const tookMs = Math.round(clock.monotonic() - began);
  const checks = [
    ok('reachable', `${where.shown} as ${facts.user}, in ${String(tookMs)} ms`),
    encryption(where, facts),
    ...server(facts),
    drift(facts, clock),
  ];
  const schema = await schemaOf(database, facts.user);
  checks.push(schema);
  if (schema.state === 'fail') return checks;
  checks.push(
    ...(await privileges(database, facts.user).catch((error: unknown) => [
      failOf('privileges', error, line`obk state init --role ${facts.user}   # prints what this role lacks`),
    ])),
  );
  if (checks.at(-1)?.state !== 'fail') checks.push(await key(database, vault));
  return checks;
}

async function factsOf(database: Database): Promise<Facts> {
  const [facts] = await database.rows<Facts>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS shown,
            current_setting('default_transaction_read_only') AS readonly,
            (SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit') AS commit,
            current_setting('fsync') AS fsync,
            (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at,
            (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS encrypted,
            (SELECT version || ', ' || cipher FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS cipher,
            current_user AS "user"`,
  );
  if (facts === undefined) throw new Error('a row of facts is missing');
  return facts;
}

function encryption({ tls, host }: ServerAddress, { cipher }: Facts): Finding {
  if (tls !== false)
    return ok(
      'tls',
      `certificate and name of the server are checked (${cipher ?? 'by the pooler before it'})`,
    );
  return ok('tls', host.startsWith('/') ? 'a socket of this machine' : 'a loopback address of this machine');
}

function server({ version, shown, readonly, commit, fsync }: Facts): Finding[] {
  return [
    version >= oldestVersion * 10_000
      ? ok('version', `PostgreSQL ${shown}`)
      : fail(
          ...(['version', `PostgreSQL ${shown}; obk needs ${String(oldestVersion)}`] as const),
          'pg_upgrade, or a newer server',
        ),
    readonly === 'on'
      ? warn(
          ...(['writer', 'transactions only read unless they say otherwise, which those of obk do'] as const),
          'ALTER DATABASE … SET default_transaction_read_only = off;',
        )
      : ok('writer', 'the server writes'),
    fsync === 'on'
      ? ok('durable', `each commit waits for synchronous_commit = on (the default here: ${commit})`)
      : warn(
          ...([
            'durable',
            'fsync is off: after a crash a payment that was sent may be unknown here',
          ] as const),
          'ALTER SYSTEM SET fsync = on; SELECT pg_reload_conf();',
        ),
  ];
}

function drift({ at }: Facts, clock: Clock): Finding {
  const seconds = Math.round((clock.now().getTime() - at) / 1000);
  const text = `this machine is ${String(Math.abs(seconds))} s ${seconds < 0 ? 'behind' : 'ahead of'} the server`;
  return Math.abs(seconds) * 1000 <= clockMs
    ? ok('clock', text)
    : warn('clock', `${text}; budgets and leases go by the server`, 'timedatectl set-ntp true');
}

async function schemaOf(database: Database, user: string): Promise<Finding> {
  const { schema } = database;
  const [found] = await database.rows<{ there: boolean; shown: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS there, to_regclass('migration') IS NOT NULL AS shown`,
    [schema],
  );
  if (found?.there !== true) return fail('schema', `there is no schema ${schema}`, 'obk state init');
  if (!found.shown)
    return fail(
      'schema',
      `${user} may not use the schema ${schema}, or it holds no tables of obk`,
      line`obk state init --role ${user}   # prints the statements that grant it`,
    );
  try {
    const [row] = await database.rows<{ version: number }>('SELECT max(version) AS version FROM migration');
    const version = row?.version ?? 0;
    const text = `${schema}, version ${String(version)}`;
    if (version === schemaVersion) return ok('schema', text);
    return version > schemaVersion
      ? fail(
          'schema',
          `${text}: a newer obk has made it; this one knows ${String(schemaVersion)}`,
          'Use the newer obk.',
        )
      : fail(
          'schema',
          `${text}; this obk needs ${String(schemaVersion)}`,
          isTooOld(version) ? besideHint(schema) : 'obk state migrate',
        );
  } catch (error) {
    return failOf('schema', error, 'obk state init --role ROLE   # prints what this role lacks');
  }
}

async function privileges(database: Database, user: string): Promise<Finding[]> {
  const { schema } = database;
  const rows = await database.rows<{ lacks: string }>(
    `SELECT format('%s on %s', privilege, name) AS lacks
       FROM unnest($1::text[]) AS name, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
      WHERE NOT has_table_privilege(format('%I.%I', $2::text, name), privilege)`,
    [tables.map(({ name }) => name), schema],
  );
  const grant = line`obk state init --role ${user}   # prints the statements that grant it`;
  if (rows.length > 0)
    return [fail('privileges', `${user} lacks ${rows.map(({ lacks }) => lacks).join(', ')}`, grant)];
  const [may] = await database.rows<{ more: boolean }>(`SELECT has_schema_privilege($1, 'CREATE') AS more`, [
    schema,
  ]);
  if (may?.more === true)
    return [
      warn(
        ...(['privileges', `${user} may change the schema, which no daily run needs`] as const),
        'obk state init --role obk_app   # prints the statements that make a lesser role',
      ),
    ];
  return [ok('privileges', `${user} may read and write the tables of ${quoted(schema)}, and change none`)];
}

async function key(database: Database, vault: () => Promise<Vault>): Promise<Finding> {
  try {
    const own = await vault();
    const keys = await keysIn(database, own);
    const foreign = keys.filter(({ known }) => !known);
    const count = foreign.reduce((sum, { values }) => sum + values, 0);
    if (count > 0)
      return fail(
        ...(['key', `${String(count)} values are sealed with a key that this run has not got`] as const),
        'obk config set state.oldKeyFrom env:OBK_STATE_OLD_KEY   # the key before this one',
      );
    const old = keys.filter(({ current }) => !current).reduce((sum, { values }) => sum + values, 0);
    return old === 0
      ? ok('key', `${own.keyId} has sealed everything`)
      : warn('key', `${String(old)} values are still sealed with the key before`, 'obk state rekey');
  } catch (error) {
    return failOf('key', error);
  }
}
