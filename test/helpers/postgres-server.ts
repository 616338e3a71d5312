import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createClock } from '../../src/adapters/system/system-clock.ts';
import { Secret } from '../../src/base/secret.ts';
import { pathOf } from './programs.ts';

/** The role that owns the databases of tests. */
export const administrator = 'keeper';
/** The role of obk is made by what `obk state init` prints: a right that is missing there fails a test. */
export const role = 'obk';

/** A server of PostgreSQL on a socket. */
export interface Server {
  /** The URL of a database for the role of obk, or another one. */
  url: (database: string, user?: string) => Secret;
  /** The folder of its socket. */
  folder: string;
  /** Stops it as a crash does, and starts it again. */
  restart(): Promise<void>;
  /** Starts it again as a standby: it answers, and only reads from now on. */
  becomeReplica(): Promise<void>;
}

const run = promisify(execFile);

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
    const hasPackage = isInstalled('pg');
    bin = hasPackage ? (postgresFolder() ?? null) : null;
    const missing = hasPackage ? 'PostgreSQL 15' : 'the package pg';
    if (bin === null)
      process.stderr.write(`SKIPPED: ${missing} is not installed: what needs it is not tested\n`);
  }
  return bin !== null;
}

let shared: Promise<Server> | undefined;

/** The server of this run of the tests: the first process that asks starts it, and it goes away with the run, however that ends. */
export function serverOfRun(): Promise<Server> {
  return (shared ??= startOrWait());
}

async function startOrWait(): Promise<Server> {
  // vitest.config.ts sets it: the process of the whole run, and its start.
  const of = process.env['OBK_TEST_RUN'] ?? '';
  const [pid] = of.split('-');
  if (pid === undefined || pid === '') return ownServer();
  const folder = join(tmpdir(), `obk-pg-${of}`);
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const clock = createClock();
    for (let turn = 0; turn < 3000; turn++) {
      if (existsSync(join(folder, 'ready'))) return serverIn(folder);
      await clock.sleep(20);
    }
    throw new Error('the PostgreSQL of another test process has not started');
  }
  // Another user than root sees no process of root by a signal.
  const isAlive = `{ if [ -d /proc/self ]; then [ -d /proc/${pid} ]; else ps -p ${pid} >/dev/null; fi; }`;
  return start(folder, `while ${isAlive}; do sleep 1; done`);
}

/** A server of this process alone, which goes away with it; a durable one waits for the disk as one of every day does. */
export function ownServer({ durable = false } = {}): Promise<Server> {
  // Not below the home of a test file: the files of a worker share it. The shell reads a pipe that ends with this process.
  return start(mkdtempSync(join(tmpdir(), 'obk-pg-')), 'cat >/dev/null', durable);
}

/** PostgreSQL refuses to be root: it is nobody then. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

const optionsIn = (folder: string) => ({
  ...user,
  cwd: folder,
  // Another user may have no way to the folders of our own PATH.
  env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
});

function programOf(name: string): string {
  if (!hasPostgres() || typeof bin !== 'string') throw new Error('there is no PostgreSQL');
  return join(bin, name);
}

function control(folder: string, ...args: readonly string[]): Promise<unknown> {
  return run(programOf('pg_ctl'), ['-D', join(folder, 'data'), '-s', '-w', ...args], {
    ...optionsIn(folder),
    timeout: 60_000,
  });
}

/** Starts a server in a folder; `waiting` is what a shell does until both are to go away. */
async function start(folder: string, waiting: string, durable = false): Promise<Server> {
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
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
    await run(programOf('initdb'), how, { ...optionsIn(folder), timeout: 60_000, killSignal: 'SIGKILL' });
    const settings = [
      ...[
        'listen_addresses=',
        `unix_socket_directories=${folder}`,
        ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
      ],
      ...['autovacuum=off', 'shared_buffers=16MB', 'max_connections=200', 'log_min_messages=panic'],
    ].map((setting) => `-c ${setting}`);
    await control(folder, '-l', join(folder, 'log'), '-o', settings.join(' '), 'start');
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const keeper = `${waiting}; "$1" -D "$0/data" -s -m immediate stop; rm -rf "$0"/*; rmdir "$0"`;
  const child = spawn('/bin/sh', ['-c', keeper, folder, programOf('pg_ctl')], {
    ...optionsIn(folder),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  const server = serverIn(folder);
  await outsideTransaction(server.url('postgres', administrator), `CREATE ROLE ${role} LOGIN`);
  writeFileSync(join(folder, 'ready'), '');
  return server;
}

function serverIn(folder: string): Server {
  return {
    folder,
    url: (database, as = role) =>
      new Secret(`postgres://${as}@/${database}?host=${encodeURIComponent(folder)}`),
    restart: async () => {
      await control(folder, '-m', 'immediate', '-l', join(folder, 'log'), 'restart');
    },
    becomeReplica: async () => {
      writeFileSync(join(folder, 'data', 'standby.signal'), '');
      await control(folder, '-m', 'fast', '-l', join(folder, 'log'), 'restart');
    },
  };
}

/** CREATE DATABASE may not stand in a transaction. */
export async function outsideTransaction(url: Secret, statement: string): Promise<void> {
  const { openSession } = await import('../../src/adapters/postgres/session.ts');
  const { serverAddress } = await import('../../src/adapters/postgres/server-address.ts');
  const session = await openSession(serverAddress(url), {
    ...{ clock: createClock(), patienceMs: 10_000, signal: undefined },
  });
  await session.query(statement);
  session.end();
}
