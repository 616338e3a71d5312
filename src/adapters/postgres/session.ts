import { hostname } from 'node:os';
import pg from 'pg';
import type { TypeParser } from 'pg';
import type { Clock } from '../../client/ports/clock.ts';
import { ObkError } from '../../base/errors.ts';
import { ConnectionLost, hintsFor, reasonOf, sqlState } from './connection-lost.ts';
import type { ServerAddress } from './server-address.ts';

interface Result {
  command: string;
  rows: unknown[];
}

/** One connection. What goes wrong with it is a ConnectionLost; what the server says of a statement, its own error. */
export interface Session {
  /** Leaves at once, and is carried out after those before it; of several statements in one text the result is that of the last. */
  query(text: string, values?: readonly unknown[]): Promise<Result>;
  readonly isLost: boolean;
  /** The process of the server, by its greeting. */
  readonly process: number | null;
  /** Called at each notification, and when the connection is lost. */
  onNotification(wake: () => void): void;
  end(): Promise<void>;
}

/** So long a server may say nothing to a statement: longer than the limits that it is given itself. */
const silenceMs = 5_000;

/**
 * Opens a connection. A server that has no room, is starting or is going down is asked again until `patienceMs` are over: nothing has
 * been asked of it yet. Throws STATE_UNREACHABLE.
 */
export async function openSession(
  address: ServerAddress,
  { clock, patienceMs, limitMs }: { clock: Clock; patienceMs: number; limitMs: number },
): Promise<Session> {
  const end = clock.monotonic() + patienceMs;
  let busy: unknown;
  for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
    const left = Math.max(1, Math.ceil(end - clock.monotonic()));
    try {
      return await connect(address, left, limitMs);
    } catch (error) {
      // Of a server that was busy all the time and silent at last, the first tells more.
      if (isBusy(error)) busy = error;
      if (!isBusy(error) || clock.monotonic() + pause >= end) throw unreachable(address, busy ?? error);
    }
    // Not all at the same moment again.
    await clock.sleep(pause * (0.5 + Math.random()));
  }
}

/** A connection on which the server tells what is notified. */
export interface Listener {
  readonly isLost: boolean;
  end(): Promise<void>;
}

/**
 * Opens a connection that listens on a channel; undefined where another process than the one that was greeted answers: behind a
 * pooler a notification goes to whoever has that server connection at the time. Throws STATE_UNREACHABLE.
 */
export async function openListener(
  address: ServerAddress,
  options: { clock: Clock; patienceMs: number; limitMs: number; channel: string; wake: () => void },
): Promise<Listener | undefined> {
  const { channel, wake, ...within } = options;
  const session = await openSession(address, within);
  try {
    const { rows } = await session.query('SELECT pg_backend_pid() AS pid');
    if ((rows[0] as { pid: number }).pid !== session.process) {
      await session.end();
      return undefined;
    }
    session.onNotification(wake);
    await session.query(`LISTEN ${channel}`);
  } catch (error) {
    await session.end();
    throw unreachable(address, error);
  }
  return session;
}

/** As pg reads a value, but whole numbers exactly. */
const getTypeParser: TypeParser = (oid, format) =>
  oid === int8 ? BigInt : pg.types.getTypeParser(oid, format);

/** The type bigint (https://www.postgresql.org/docs/current/catalog-pg-type.html). */
const int8 = 20;

async function connect(address: ServerAddress, withinMs: number, limitMs: number): Promise<Session> {
  const { host, port, user, database, password, tls, shown } = address;
  const client = new pg.Client({
    ...{ host, port, user, database, password: () => password },
    ssl: tls !== false && {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(tls.ca !== undefined && { ca: tls.ca }),
    },
    connectionTimeoutMillis: withinMs,
    query_timeout: limitMs + silenceMs,
    pipeline: true,
    types: { getTypeParser },
    // Whoever looks at the server sees which machine it is.
    application_name: ['obk', hostname()].join(' ').slice(0, 63),
  });
  let lost: unknown;
  // Without a listener, a connection that ends while nothing is asked would end the process.
  client.on('error', (error: unknown) => {
    lost ??= error;
  });
  client.on('end', () => {
    lost ??= new Error('it was closed');
  });
  try {
    await client.connect();
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
  return {
    query: async (text, values) => {
      if (lost !== undefined) throw new ConnectionLost(shown, lost);
      try {
        const result = await client.query(text, values);
        return Array.isArray(result) ? (result.at(-1) as Result) : result;
      } catch (error) {
        if (isAnswer(error)) throw error;
        lost ??= error;
        void client.end().catch(() => undefined);
        throw new ConnectionLost(shown, error);
      }
    },
    process: client.processID,
    onNotification: (wake) => {
      client.on('notification', wake);
      client.on('end', wake);
      client.on('error', wake);
    },
    get isLost() {
      return lost !== undefined;
    },
    // The farewell leaves at once; nobody waits for the server to go.
    end: () => {
      client.unref();
      void client.end().catch(() => undefined);
      return Promise.resolve();
    },
  };
}

/** Whether the server answered and the connection goes on: classes 08 and 57P0 and FATAL are the end of it. */
function isAnswer(error: unknown): boolean {
  const { severity } = error as { severity?: unknown };
  return sqlState(error) !== '' && severity === 'ERROR' && !/^(08|57P0)/.test(sqlState(error));
}

/** Too many connections (53300), starting, stopping or recovering (57P01-57P03). */
function isBusy(error: unknown): boolean {
  return /^(53300|57P0[123])$/.test(sqlState(error));
}

function unreachable(address: ServerAddress, cause: unknown): ObkError {
  return new ObkError({
    code: 'STATE_UNREACHABLE',
    title: 'The database with the state cannot be reached.',
    detail: `${address.shown}: ${reasonOf(cause)}.`,
    hint: hintsFor(cause, address),
    cause,
  });
}
