import { execFile, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from '../../src/adapters/postgres/database.ts';
import type { Database } from '../../src/adapters/postgres/database.ts';
import { migrate } from '../../src/adapters/postgres/migrate.ts';
import { grantsFor } from '../../src/adapters/postgres/schema.ts';
import { createVault } from '../../src/adapters/postgres/vault.ts';
import type { Vault } from '../../src/adapters/postgres/vault.ts';
import { createClock } from '../../src/adapters/system-clock.ts';
import { Secret } from '../../src/secret.ts';
import { pathOf } from './programs.ts';

const administrator = 'keeper';
/** The role of obk may do what `grantsFor` says: a right that is missing there fails a test. */
const role = 'obk';

/** The folder with initdb and postgres 15 or newer: Debian keeps them off PATH. */
function postgresFolder(): string | undefined {
  const onPath = pathOf('initdb');
  const all = '/usr/lib/postgresql';
  const folders = [
    ...(onPath === undefined ? [] : [dirname(onPath)]),
    ...namesIn(all)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(all, version, 'bin')),
  ];
  return folders.find((folder) => {
    const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
    return Number(/\) (\d+)/.exec(stdout)?.[1]) >= 15;
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

let bin: string | null | undefined;

/** Whether there is a PostgreSQL 15 or newer; stderr says so where there is none, because tests are skipped for it. */
export function hasPostgres(): boolean {
  if (bin === undefined) {
    const missing = isInstalled('pg') ? 'PostgreSQL 15' : 'the package pg';
    // No setting leads to these drivers yet, and in a long run the journal's tests can use up the connections of the server:
    // until that is mended, only who asks for them gets them.
    const isAskedFor = process.env['OBK_TEST_POSTGRES'] === '1';
    bin = isAskedFor && isInstalled('pg') ? (postgresFolder() ?? null) : null;
    if (bin === null)
      process.stderr.write(
        `SKIPPED: ${isAskedFor ? `${missing} is not installed` : 'OBK_TEST_POSTGRES is not 1'}: what needs it is not tested\n`,
      );
  }
  return bin !== null;
}

/** A server of its own. */
interface Server {
  /** The URL of a database for the role of obk, or another one. */
  url: (database: string, user?: string) => Secret;
}

let running: Promise<Server> | undefined;

/** Starts a server on a socket in a folder of its own; both go away when this process ends, however it does. */
function server(): Promise<Server> {
  return (running ??= start());
}

async function start(): Promise<Server> {
  if (!hasPostgres() || typeof bin !== 'string') throw new Error('there is no PostgreSQL');
  // Not below the home of a test file: the files of a worker share it.
  const folder = mkdtempSync(join(tmpdir(), 'obk-pg-'));
  // PostgreSQL refuses to be root: it is nobody then.
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  // Another user may have no way to the folders of our own PATH.
  const options = { ...user, cwd: folder, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
  const how = [
    '-D',
    data,
    '-U',
    administrator,
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
    '--no-instructions',
  ];
  try {
    await promisify(execFile)(join(bin, 'initdb'), how, {
      ...options,
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const settings = [
    ...['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'full_page_writes=off'],
    ...['autovacuum=off', 'shared_buffers=16MB', 'max_connections=400', 'log_min_messages=panic'],
  ].flatMap((setting) => ['-c', setting]);
  // The shell reads a pipe that ends with this process.
  const keeper =
    '"$@" & server=$!; cat >/dev/null; kill -QUIT $server; wait $server; rm -rf "$0"/*; rmdir "$0"';
  const child = spawn('/bin/sh', ['-c', keeper, folder, join(bin, 'postgres'), '-D', data, ...settings], {
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  const url = (database: string, as = role) =>
    new Secret(`postgres://${as}@/${database}?host=${encodeURIComponent(folder)}`);
  const first = database(url('postgres', administrator), true);
  // The socket appears a moment after the start.
  for (let turn = 0; turn < 500; turn++) {
    if (namesIn(folder).some((name) => name.startsWith('.s.PGSQL') && !name.endsWith('.lock'))) break;
    await createClock().sleep(10);
  }
  await first.rows(`CREATE ROLE ${role} LOGIN`);
  await first.close();
  return { url };
}

function database(url: Secret, anySchema = false): Database {
  return createDatabase({ url: () => Promise.resolve(url), clock: createClock(), anySchema });
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

let count = 0;

export function testDatabase({ tables = true } = {}): TestDatabase {
  let made: Promise<Server> | undefined;
  let emptied: Promise<void> | undefined;
  let tablesToEmpty: readonly { name: string }[] | undefined;
  const name = `case${String(process.pid)}_${String(++count)}`;
  const opened: Database[] = [];

  async function make(): Promise<Server> {
    const running = await server();
    await outsideTransaction(running.url('postgres', administrator), `CREATE DATABASE ${name}`);
    if (tables) {
      const own = database(running.url(name, administrator), true);
      await migrate(own);
      for (const grant of grantsFor(role)) await own.rows(grant);
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
      const own = createDatabase({ url, clock: createClock() });
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

/** CREATE DATABASE may not stand in a transaction. */
async function outsideTransaction(url: Secret, statement: string): Promise<void> {
  const { openSession } = await import('../../src/adapters/postgres/session.ts');
  const { serverAddress } = await import('../../src/adapters/postgres/server-address.ts');
  const session = await openSession(serverAddress(url), {
    ...{ clock: createClock(), patienceMs: 10_000, limitMs: 10_000 },
  });
  await session.query(statement);
  await session.end();
}

/** A key that every test may know. */
export const testKey = '5a'.repeat(32);

export function testVault(): Vault {
  return createVault([new Secret(testKey)]);
}
