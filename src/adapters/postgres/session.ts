import { hostname } from 'node:os';
import pg from 'pg';
import type { TypeParser } from 'pg';
import type { Clock } from '../../client/ports/clock.ts';
import type { StateWaits } from '../../base/waits.ts';
import { ConnectionLost, isBusy, refusalIn } from './failures.ts';
import type { ServerAddress } from './server-address.ts';

interface Result {
  command: string;
  rows: unknown[];
}

/** One connection. */
export interface Session {
  /**
   * Leaves at once, and is carried out after those before it; of several statements in one text the result is that of the last.
   * Throws StatementRefused, after which the connection goes on, ConnectionLost, or what the run was interrupted with.
   */
  query(text: string, values?: readonly unknown[]): Promise<Result>;
  /**
   * Wakes at each notification on a channel, and when the connection is lost. False where another process than the one that has
   * greeted answers: behind a pooler a notification goes to whoever has that server connection at the time.
   */
  listen(channel: string, wake: () => void): Promise<boolean>;
  readonly isLost: boolean;
  /** The server, for people. */
  readonly shown: string;
  end(): void;
}

type Limits = StateWaits & { clock: Clock };

/** So long a server may say nothing to a statement: longer than the limits that it is given itself. */
const silenceMs = 6_000;

/**
 * Opens a connection. A server that has no room, is starting or is going down is asked again until `patienceMs` are over: nothing has
 * been asked of it yet. Throws STATE_UNREACHABLE.
 */
export async function openSession(address: ServerAddress, limits: Limits): Promise<Session> {
  const { clock, patienceMs, signal } = limits;
  signal?.throwIfAborted();
  const end = clock.monotonic() + patienceMs;
  let busy: unknown;
  for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
    const left = Math.max(1, Math.ceil(end - clock.monotonic()));
    try {
      return await connect(address, left, limits);
    } catch (error) {
      signal?.throwIfAborted();
      // Of a server that was busy all the time and silent at last, the first tells more.
      if (isBusy(error)) busy = error;
      if (!isBusy(error) || clock.monotonic() + pause >= end)
        throw new ConnectionLost(address, busy ?? error, 'opening');
    }
    // Not all at the same moment again.
    await clock.sleep(pause * (0.5 + Math.random()), signal);
  }
}

/** As pg reads a value, but whole numbers exactly. */
const getTypeParser: TypeParser = (oid, format) =>
  oid === int8 ? BigInt : pg.types.getTypeParser(oid, format);

/** The type bigint (https://www.postgresql.org/docs/current/catalog-pg-type.html). */
const int8 = 20;

async function connect(
  address: ServerAddress,
  withinMs: number,
  { patienceMs, signal }: Limits,
): Promise<Session> {
  const { tls, shown, connectMs = Infinity, password, ...where } = address;
  const client = new pg.Client({
    ...{ ...where, password: () => password },
    ssl: tls !== false && { ...tls, rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    connectionTimeoutMillis: Math.min(withinMs, connectMs),
    query_timeout: patienceMs + silenceMs,
    pipeline: true,
    types: { getTypeParser },
    // Whoever looks at the server sees which machine it is.
    application_name: ['obk', hostname()].join(' ').slice(0, 63),
  });
  let lost: unknown;
  // The farewell leaves at once; nobody waits for the server to go.
  const end = () => {
    signal?.removeEventListener('abort', stop);
    client.unref();
    void client.end().catch(() => undefined);
  };
  // It fails whatever waits for an answer.
  const stop = () => {
    lost ??= signal?.reason;
    client.connection.stream.destroy();
  };
  signal?.addEventListener('abort', stop, { once: true });
  // Without a listener, a connection that ends while nothing is asked would end the process.
  client.on('error', (error: unknown) => (lost ??= error));
  client.on('end', () => (lost ??= new Error('it was closed')));
  try {
    await client.connect();
  } catch (error) {
    end();
    throw error;
  }
  const query: Session['query'] = async (text, values) => {
    if (lost !== undefined) throw new ConnectionLost(address, lost, undefined);
    try {
      const result = await client.query(text, values);
      return Array.isArray(result) ? (result.at(-1) as Result) : result;
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal !== undefined) throw refusal;
      lost ??= error;
      end();
      signal?.throwIfAborted();
      throw new ConnectionLost(address, error, text === 'COMMIT' ? text : undefined);
    }
  };
  return {
    ...{ query, shown, end },
    listen: async (channel, wake) => {
      const { rows } = await query('SELECT pg_backend_pid() AS pid');
      if ((rows[0] as { pid: number }).pid !== client.processID) return false;
      for (const event of ['notification', 'end', 'error']) client.on(event, wake);
      await query(`LISTEN ${channel}`);
      return true;
    },
    get isLost() {
      return lost !== undefined;
    },
  };
}
