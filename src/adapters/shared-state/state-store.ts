import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type {
  StateFault,
  StateSite,
  StateStore,
  StateVerified,
  StateRekeyed,
} from '../../client/ports/state-store.ts';
import type { StateWaits } from '../../base/waits.ts';
import type { Secret } from '../../base/secret.ts';
import { createDatabase } from '../postgres/database.ts';
import type { Database } from '../postgres/database.ts';
import { moveIn, moveOut } from './move-state.ts';
import { needOwnKey } from '../postgres/own-key.ts';
import { serverAddress } from '../postgres/server-address.ts';
import type { HomeFiles } from './state-home.ts';
import { checksOf } from './state-checks.ts';
import { fleetSide, stateWithin } from './fleet-side.ts';
import type { Within } from './fleet-side.ts';
import { contentsOf, keysIn } from './state-contents.ts';
import { tables, quoted, schemaVersion, stepsFrom } from '../postgres/schema.ts';
import { verifyRows } from '../../client/state/contents.ts';
import { createVault } from '../postgres/vault.ts';
import type { Vault } from '../postgres/vault.ts';
import type { Change, Engine, Row } from '../../client/ports/engine.ts';
import { keyText } from '../../client/state/commit.ts';
import { openedRow, sealedRow } from '../../client/state/sealed-rows.ts';
import { insert, remove, replace, select } from '../../client/state/tables.ts';
import type { Table } from '../../client/state/tables.ts';

/** A migration may take longer than a statement of every day. */
const migrationMs = 600_000;

/** The database with the shared state, for those who keep it. */
export function stateStore(options: {
  url: () => Promise<Secret>;
  schema: string | undefined;
  /** The key that seals, and those before it; a schema is made without it. */
  keys: () => Promise<readonly [Secret, ...Secret[]]>;
  clock: Clock;
  waits: StateWaits;
  /** The files of this home, or those of another one. */
  home: (folder?: string) => Promise<HomeFiles>;
}): StateStore {
  const { url, schema, keys, clock, waits, home } = options;
  const at = { url, clock, ...waits, ...defined({ schema }) };
  const made = new Map<string, Database>();
  const opened = (name: string, create: () => Database): Database => {
    const one = made.get(name) ?? create();
    made.set(name, one);
    return one;
  };
  const daily = () => opened('daily', () => createDatabase(at));
  const any = () => opened('any', () => createDatabase({ ...at, anySchema: true }));
  const patient = () =>
    opened('patient', () => createDatabase({ ...at, anySchema: true, patienceMs: migrationMs }));
  let known: Promise<Vault> | undefined;
  const vault = () => (known ??= keys().then(createVault));
  const address = async () => serverAddress(await url());

  const within = async (): Promise<Within> => ({ database: daily(), vault: await vault(), clock });

  async function site() {
    const { shown } = await address();
    return { store: 'postgres', place: shown, schema: any().schema } satisfies StateSite;
  }

  return {
    site,

    make: async (role) => {
      const statements = roleStatements(role, (await address()).database, any().schema);
      return { ...(await site()), ...(await migrate(patient())), statements };
    },

    migrate: async () => {
      const where = await site();
      const [row] = await any().rows<{ there: boolean }>(
        "SELECT to_regclass('migration') IS NOT NULL AS there",
      );
      if (row?.there !== true)
        throw new ObkError({
          code: 'STATE_UNREADABLE',
          title: 'There is no state to migrate.',
          detail: `${where.place}: schema ${where.schema} is not there, or this user may not read it.`,
          hint: ['obk state init   # makes it'],
        });
      return { ...where, ...(await migrate(patient())) };
    },

    contents: async () => contentsOf(await within(), await site()),

    examine: () => checksOf({ database: any(), vault, address, clock }),

    verify: async () => verified(await within(), await site()),

    backUp: () =>
      Promise.reject(
        onlyFiles(
          'It is backed up as any other database.',
          line`pg_dump --schema=${any().schema} --file=FILE`,
        ),
      ),

    takeRecovered: () => Promise.reject(onlyFiles('The server recovers its own files.', 'obk state doctor')),

    takeIn: async () => {
      const its = await within();
      await needOwnKey(its.database, its.vault);
      return moveIn(its, await home());
    },

    bringOut: async (to) => moveOut(await within(), await home(to)),

    rekey: async (progress) => rekey(await within(), progress),

    close: async () => {
      for (const one of made.values()) await one.close();
    },
  };
}

/** Reads every row, as the commands do. */
async function verified(within: Within, { place: server, schema }: StateSite): Promise<StateVerified> {
  const place = `schema ${schema ?? ''} of ${server}`;
  const { codec, engine } = fleetSide(within);
  const faults: StateFault[] = [];
  let rows = 0;
  for (const of of tables)
    rows += await verifyRows({ engine: engine(of), codec }, of, (fault) => faults.push({ place, ...fault }));
  return { ok: faults.length === 0, places: [{ place, there: true, rows }], faults };
}

function onlyFiles(detail: string, hint: string): ObkError {
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'The state of this run is in PostgreSQL, not in the files of a home.',
    detail,
    hint: [hint],
  });
}

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

/**
 * The statements that make a role which may do what obk does every day, but not change the schema; they run as they stand, and
 * again.
 */
export function roleStatements(role: string, database: string, schema: string): readonly string[] {
  if (!/^[\w.@-]{1,63}$/.test(role) || /^pg_/i.test(role))
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'That is no name for a role.',
      detail: 'It has 1 to 63 characters out of letters, digits, _, -, . and @, and does not begin with pg_.',
    });
  const [name, own] = [quoted(role), quoted(schema)];
  const create = `CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE`;
  return [
    `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN ${create}; END IF; END $$;`,
    `GRANT CONNECT ON DATABASE ${quoted(database)} TO ${name};`,
    `GRANT USAGE ON SCHEMA ${own} TO ${name};`,
    `GRANT SELECT ON ${own}.migration TO ${name};`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables.map((table) => `${own}.${table.name}`).join(', ')} TO ${name};`,
  ];
}

/** So many rows are sealed anew in one transaction. */
const batch = 100;

/**
 * Seals with the current key what another known one has sealed, a batch in each transaction: interrupted, it goes on where it was. Throws
 * STATE_UNREADABLE where a value was sealed with a key that is not known, before anything, or is damaged, after all others.
 */
export async function rekey(within: Within, progress: (done: StateRekeyed) => void): Promise<StateRekeyed[]> {
  const { database, vault } = within;
  const foreign = (await keysIn(database, vault)).filter(({ known }) => !known);
  if (foreign.length > 0)
    throw new ObkError({
      code: 'STATE_UNREADABLE',
      title: 'Values are sealed with a key that this run has not got.',
      detail:
        foreign.map(({ key, values }) => `${String(values)} with ${key}`).join(', ') +
        '; nothing was changed.',
      hint: ['obk config set state.oldKeyFrom env:OBK_STATE_OLD_KEY   # the key before this one'],
    });
  const { engine } = stateWithin(within);
  const done = new Map<string, number>();
  let damaged = 0;
  /** Goes once through a table: how many values it sealed, and how many it could not open. */
  async function pass(of: Table): Promise<{ anew: number; unread: number }> {
    const kind = of.kind ?? of.name;
    let [anew, unread] = [0, 0];
    let last: Row | undefined;
    do {
      const some = await resealed(engine, vault, of, last);
      ({ last } = some);
      unread += some.unread;
      anew += some.anew;
      done.set(kind, (done.get(kind) ?? 0) + some.anew);
      if (some.anew > 0) progress({ kind, sealed: done.get(kind) ?? 0 });
    } while (last !== undefined);
    return { anew, unread };
  }
  for (const of of tables.filter(({ sealed }) => sealed !== undefined)) {
    let passed = await pass(of);
    // Meanwhile another machine may have sealed with the key before.
    while (passed.anew > 0) passed = await pass(of);
    damaged += passed.unread;
  }
  if (damaged > 0)
    throw new ObkError({
      code: 'STATE_UNREADABLE',
      title: `${String(damaged)} values do not hold what obk wrote, and stay as they are.`,
      detail: 'All others are sealed with the current key.',
      hint: ['obk state status'],
    });
  return [...done].map(([kind, count]) => ({ kind, sealed: count }));
}

/** What became of the values of a batch, and where the next one begins. */
interface Batch {
  anew: number;
  unread: number;
  last: Row | undefined;
}

/** Seals anew one batch of the rows behind one of them. */
function resealed(engine: Engine, vault: Vault, of: Table, after: Row | undefined): Promise<Batch> {
  const keyId = Buffer.from(vault.keyId, 'hex');
  const columns = Object.keys(of.sealed ?? {});
  const key = of.key.join(', ');
  // By its key each row is met once, however many there are.
  const behind =
    after === undefined ? '' : `AND (${key}) > (${of.key.map((_, at) => `?${String(at + 2)}`).join(', ')})`;
  const isOld = columns.map((column) => `substring(${column} FROM 2 FOR 8) <> ?1`).join(' OR ');
  const values = [keyId, ...(after === undefined ? [] : of.key.map((name) => after[name] ?? null))];
  const scope = select(
    of,
    `WHERE (${isOld}) ${behind} ORDER BY ${key} LIMIT ${String(batch)} FOR UPDATE`,
    values,
  );
  const countOf = (row: Row) =>
    columns.filter((name) => row[name] instanceof Uint8Array && !isOf(keyId, row[name])).length;
  return engine.change([scope], ([rows = []]) => {
    const result: Batch = { anew: 0, unread: 0, last: rows.at(-1) };
    const changes = rows.flatMap((row): readonly Change[] => {
      const opened = openedRow(vault, of, row);
      if (opened === undefined) {
        result.unread += countOf(row);
        return [];
      }
      result.anew += countOf(row);
      return replaced(of, opened.row, sealedRow(vault, of, opened));
    });
    return { changes, result };
  });
}

const isOf = (keyId: Buffer, sealed: Uint8Array): boolean => keyId.equals(sealed.subarray(1, 9));

/** Its hashes may be of its key: what was saved since under the current key is newer then, and stays. */
function replaced(of: Table, before: Row, after: Row): readonly Change[] {
  const text = (row: Row) => JSON.stringify(of.key.map((name) => keyText(row[name] ?? null)));
  if (text(before) === text(after)) return [replace(of, before as never, after as never)];
  const { sql, values } = insert(of, after as never);
  const gone = of.key.map((name, at) => `${name} = ?${String(at + 1)}`).join(' AND ');
  return [
    remove(
      of,
      gone,
      of.key.map((name) => before[name] ?? null),
    ),
    { sql: `${sql} ON CONFLICT DO NOTHING`, values },
  ];
}
