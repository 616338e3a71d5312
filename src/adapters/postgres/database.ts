import { AsyncLocalStorage } from 'node:async_hooks';
import { ObkError } from '../../base/errors.ts';
import type { Secret } from '../../base/secret.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { StateWaits } from '../../base/waits.ts';
import { usualCallMs } from '../../base/waits.ts';
import { ConnectionLost, replicaTitle, StatementRefused } from './failures.ts';
import { checkSchemaName, needKnown, quoted, schemaVersion, usualSchema } from './schema.ts';
import { serverAddress } from './server-address.ts';
import type { Session } from './session.ts';

/** One connection to the database with the state, opened at its first use and anew after it was lost. */
export interface Database {
  /** The schema in which statements find their tables: they name none. */
  readonly schema: string;
  /** The rows of one statement: within `transaction` in that one, elsewhere in one of its own. */
  rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /**
   * Runs an action in one transaction, durable when its promise resolves; within an action it joins. Throws ConnectionLost,
   * LOCK_BUSY where a row is held by another for too long, and what the action throws, after which nothing of it is there.
   */
  transaction<T>(action: () => Promise<T>): Promise<T>;
  /** Runs an action that may be done twice, and does it a second time where the connection was lost. */
  again<T>(action: () => Promise<T>): Promise<T>;
  /** A separate connection that wakes on notifications of a channel; undefined behind a pooler. */
  listen(channel: string, wake: () => void): Promise<Session | undefined>;
  close(): Promise<void>;
}

/** Where the URL of a database comes from, and how long connecting, a statement and the wait for a row may take. */
export interface DatabaseOptions extends Partial<StateWaits> {
  url: () => Promise<Secret>;
  clock: Clock;
  /** So long the action of a transaction may say nothing before the server ends it. */
  idleMs?: number;
  /** The schema is not looked at: for the commands that make it. */
  anySchema?: boolean;
  /** The name of the schema, if not obk. */
  schema?: string;
}

/** For this long after a failed connection no new one is tried. */
const failureMs = 5_000;
/** A listener that does not come soon is tried again: the journal is asked meanwhile. */
const listenerMs = 2_000;

/** A transaction that goes on. */
interface Open {
  session: Session;
  isBegun: Promise<unknown>;
  isOpen: boolean;
  /** Why a statement failed, and with it all of the transaction. */
  why?: unknown;
}

export function createDatabase(options: DatabaseOptions): Database {
  const { clock, patienceMs = usualCallMs, idleMs = 30_000, anySchema = false, signal } = options;
  const schema = checkSchemaName(options.schema ?? usualSchema);
  const within = new AsyncLocalStorage<Open>();
  let current: Session | undefined;
  let failed: { at: number; error: unknown } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  // Per transaction, since a session behind a pooler is shared with others.
  const begin = [
    'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE',
    `SET LOCAL statement_timeout = ${String(patienceMs + 1000)}`,
    `SET LOCAL lock_timeout = ${String(patienceMs)}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${String(idleMs)}`,
    'SET LOCAL synchronous_commit = on',
    `SET LOCAL search_path = ${quoted(schema)}, pg_temp`,
  ].join('; ');

  async function open(longestMs: number): Promise<Session> {
    const address = serverAddress(await options.url());
    const { openSession } = await loaded();
    return openSession(address, { clock, patienceMs: longestMs, signal });
  }

  /** A session in which a transaction is about to begin: what is asked next may follow at once. */
  async function begun(): Promise<Omit<Open, 'isOpen'>> {
    if (current?.isLost === false) {
      const isBegun = current.query(begin);
      // Whoever asks next is told.
      isBegun.catch(() => undefined);
      return { session: current, isBegun };
    }
    if (failed !== undefined && clock.monotonic() - failed.at < failureMs) throw failed.error;
    const fresh = await open(patienceMs).catch((error: unknown) => {
      failed = { at: clock.monotonic(), error };
      throw error;
    });
    failed = undefined;
    await beginWhereFit(fresh, begin, anySchema ? undefined : schema).catch((error: unknown) => {
      fresh.end();
      throw error;
    });
    current = fresh;
    return { session: fresh, isBegun: Promise.resolve() };
  }

  async function alone<T>(action: () => Promise<T>): Promise<T> {
    const mine: Open = { ...(await begun()), isOpen: true };
    let result: T;
    try {
      result = await within.run(mine, action);
      await mine.isBegun;
    } catch (error) {
      await mine.session.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      mine.isOpen = false;
    }
    needCommit(await mine.session.query('COMMIT'), mine.why);
    return result;
  }

  /** One statement with its transaction, all of it under way at once. */
  async function single(text: string, values?: readonly unknown[]): Promise<readonly unknown[]> {
    const { session, isBegun } = await begun();
    const [, answer, commit] = await Promise.all([
      isBegun,
      session.query(text, values),
      session.query('COMMIT'),
    ]);
    needCommit(commit);
    return answer.rows;
  }

  /** One transaction at a time: there is one connection. */
  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const mine = last.then(action);
    last = mine.catch(() => undefined);
    return mine;
  }

  const transaction: Database['transaction'] = (action) =>
    within.getStore()?.isOpen === true ? action() : inTurn(() => alone(action));

  return {
    schema,
    transaction,

    rows: async <Row extends object>(text: string, values?: readonly unknown[]) => {
      const open = within.getStore();
      if (open?.isOpen !== true) return (await inTurn(() => single(text, values))) as Row[];
      const answer = open.session.query(text, values);
      answer.catch((error: unknown) => (open.why ??= error));
      await open.isBegun;
      return (await answer).rows as Row[];
    },

    again: async (action) => {
      try {
        return await action();
      } catch (error) {
        if (!(error instanceof ConnectionLost) || within.getStore()?.isOpen === true) throw error;
        return action();
      }
    },

    listen: async (channel, wake) => {
      const session = await open(listenerMs);
      if (await session.listen(channel, wake)) return session;
      session.end();
      return undefined;
    },

    close: async () => {
      await last;
      current?.end();
      current = undefined;
    },
  };
}

/** The package is optional, and nobody loads it who does not need it. */
async function loaded() {
  try {
    return await import('./session.ts');
  } catch (cause) {
    throw new ObkError({
      code: 'STATE_UNREACHABLE',
      title: 'A state in PostgreSQL needs the package pg, which is not installed.',
      detail: 'It is an optional dependency.',
      hint: ['npm install --include=optional'],
      cause,
    });
  }
}

/** Begins the first transaction. Throws unless a writer has answered, whose schema is that of this obk where one is asked for. */
async function beginWhereFit(session: Session, begin: string, schema: string | undefined): Promise<void> {
  const isReplica = 'SELECT pg_is_in_recovery() AS replica';
  const isOurs = schema && `, (SELECT max(version) FROM ${quoted(schema)}.migration) AS version`;
  const ask = async (text: string) => (await session.query(text)).rows[0] as Facts;
  const { replica, version = null } = await ask(`${begin}; ${isReplica}${isOurs ?? ''}`).catch(
    async (error: unknown) => {
      if (!(error instanceof StatementRefused)) throw error;
      // A replica refuses the transaction, and a database without the schema the question.
      await session.query('ROLLBACK');
      const facts = await ask(isReplica);
      if (!facts.replica && !absent.includes(error.state)) throw error;
      return facts;
    },
  );
  const { shown } = session;
  if (replica)
    throw new ObkError({
      code: 'STATE_UNREACHABLE',
      title: replicaTitle,
      detail: `${shown} is a replica: what obk keeps must be written where it is read.`,
      hint: ['Name the address of the writer.'],
    });
  if (schema === undefined || version === schemaVersion) return;
  needKnown(schema, version ?? 0, shown);
  const [why, hint] =
    version === null
      ? ['is not there, or this user may not read it', 'obk state doctor   # which of the two it is']
      : [
          `is of version ${String(version)}; this obk needs ${String(schemaVersion)}`,
          'obk state migrate --url-from env:OBK_OWNER_URL   # as the owner of the tables',
        ];
  throw new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'The tables of obk in this database are missing or older than this obk.',
    detail: `${shown}: schema ${schema} ${why}.`,
    hint: [hint],
  });
}

interface Facts {
  replica: boolean;
  version?: number | null;
}

/** No such schema or table, or no right to read it. */
const absent = ['3F000', '42P01', '42501'];

/** A transaction in which a statement failed is rolled back by COMMIT, which says so and throws nothing. */
function needCommit({ command }: { command: string }, cause?: unknown): void {
  if (command !== 'COMMIT') throw new Undone('the transaction had failed before', { cause });
}

/** A transaction was to be committed although one of its statements had failed, which is the `cause`. It is a bug except in the engine, which relies on it. */
export class Undone extends Error {}
