import { AsyncLocalStorage } from 'node:async_hooks';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Secret } from '../../base/secret.ts';
import { ConnectionLost, sqlState } from './connection-lost.ts';
import {
  checkSchemaName,
  isTooOld,
  newerSchema,
  quoted,
  schemaVersion,
  tooOld,
  usualSchema,
} from './schema.ts';
import { serverAddress } from './server-address.ts';
import type { ServerAddress } from './server-address.ts';
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
  close(): Promise<void>;
}

/** The source of a database's URL and the limits of its use. */
export interface DatabaseOptions {
  url: () => Promise<Secret>;
  clock: Clock;
  /** So long a statement, the wait for a row and the way to the server may take. */
  patienceMs?: number;
  /** So long the action of a transaction may say nothing before the server ends it. */
  idleMs?: number;
  /** The schema is not looked at: for the commands that make it. */
  anySchema?: boolean;
  /** The name of the schema, if not obk. */
  schema?: string;
}

const usualPatienceMs = 10_000;
const failureMs = 5_000;

/** A transaction that goes on. */
interface Open {
  session: Session;
  isBegun: Promise<unknown>;
  isOpen: boolean;
}

export function createDatabase(options: DatabaseOptions): Database {
  const { clock, patienceMs = usualPatienceMs, idleMs = 3 * usualPatienceMs, anySchema = false } = options;
  const schema = checkSchemaName(options.schema ?? usualSchema);
  const within = new AsyncLocalStorage<Open>();
  let current: Session | undefined;
  /** Who has waited for a server in vain does not wait again for each of its reads. */
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
  const check = anySchema ? askWriter : askSchema(schema);

  /** A session in which a transaction has begun, or is about to: what is asked next may follow at once. */
  async function begun(): Promise<{ mine: Session; isBegun: Promise<unknown> }> {
    if (current !== undefined && !current.isLost) {
      const isBegun = current.query(begin);
      // Whoever asks next is told.
      isBegun.catch(() => undefined);
      return { mine: current, isBegun };
    }
    const address = serverAddress(await options.url());
    const { openSession } = await loaded();
    if (failed !== undefined && clock.monotonic() - failed.at < failureMs) throw failed.error;
    const fresh = await openSession(address, { clock, patienceMs, limitMs: patienceMs + 1000 }).catch(
      (error: unknown) => {
        failed = { at: clock.monotonic(), error };
        throw error;
      },
    );
    failed = undefined;
    try {
      const { rows } = await fresh.query(`${begin}; ${check}`).catch(async (error: unknown) => {
        // A replica refuses the transaction, and a database without the schema the check; both say it better when they are asked.
        await fresh.query('ROLLBACK');
        judge(await factsOf(fresh, check), address, anySchema ? undefined : schema);
        throw told(error);
      });
      judge(rows[0] as Facts, address, anySchema ? undefined : schema);
    } catch (error) {
      await fresh.end();
      throw error;
    }
    current = fresh;
    return { mine: fresh, isBegun: Promise.resolve() };
  }

  async function alone<T>(action: () => Promise<T>): Promise<T> {
    const { mine, isBegun } = await begun();
    const store = { session: mine, isBegun, isOpen: true };
    let result: T;
    try {
      result = await within.run(store, action);
      await isBegun;
    } catch (error) {
      store.isOpen = false;
      await mine.query('ROLLBACK').catch(() => undefined);
      throw told(error);
    }
    store.isOpen = false;
    await mine.query('COMMIT').then(needCommit, atCommit);
    return result;
  }

  /** One statement with its transaction, all of it under way at once. */
  async function single(text: string, values?: readonly unknown[]): Promise<readonly unknown[]> {
    const { mine, isBegun } = await begun();
    const ended = Promise.allSettled([isBegun, mine.query(text, values), mine.query('COMMIT')]);
    const [before, answer, commit] = await ended;
    for (const one of [before, answer, commit]) if (one.status === 'rejected') atCommit(one.reason);
    if (answer.status === 'rejected' || commit.status === 'rejected') throw new Error('it has failed before');
    needCommit(commit.value);
    return answer.value.rows;
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
      answer.catch(() => undefined);
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

    close: async () => {
      await last;
      const open = current;
      current = undefined;
      await open?.end();
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

/** What the server said of a statement, as far as an operator can do something about it. */
export function told(error: unknown): unknown {
  const state = sqlState(error);
  if (state === '55P03' || state === '57014')
    return new ObkError({
      code: 'LOCK_BUSY',
      title: 'Another process holds what is needed here.',
      detail: 'The database has waited for it in vain.',
      hint: ['Run it again when the other has ended.'],
      cause: error,
    });
  if (state === '') return error;
  return new ObkError({
    code: state === '25006' ? 'STATE_UNREACHABLE' : 'STATE_NOT_WRITTEN',
    title: state === '25006' ? replicaTitle : 'The database has refused a statement.',
    detail: `${(error as Error).message} (SQLSTATE ${state}).`,
    cause: error,
  });
}

/** What a server is asked before it is used; no version where the schema does not matter, null where it is not there. */
interface Facts {
  replica?: boolean;
  version?: number | null;
}

const askWriter = 'SELECT pg_is_in_recovery() AS replica';
const askSchema = (schema: string) =>
  `${askWriter}, (SELECT max(version) FROM ${quoted(schema)}.migration) AS version`;

/** The facts without a transaction, which a replica would refuse in words of its own. */
async function factsOf(session: Session, check: string): Promise<Facts> {
  const ask = async (text: string) => (await session.query(text)).rows[0] as Facts;
  return ask(check).catch(async (error: unknown) => {
    // No such schema or table, or no right to read it.
    if (!['3F000', '42P01', '42501'].includes(sqlState(error))) throw told(error);
    return { ...(await ask(askWriter)), version: null };
  });
}

/** Throws unless a writer has answered, whose schema is that of this obk where one is asked for. */
function judge(
  { replica, version = null }: Facts,
  { shown }: ServerAddress,
  schema: string | undefined,
): void {
  if (replica === true) throw readsOnly(shown);
  if (schema === undefined) return;
  if (version !== null && version > schemaVersion) throw newerSchema(schema, version, shown);
  if (version !== null && isTooOld(version)) throw tooOld(schema, version);
  if (version !== schemaVersion)
    throw new ObkError({
      code: 'STATE_UNREADABLE',
      title: 'The tables of obk in this database are missing or older than this obk.',
      detail:
        version === null
          ? `${shown}: schema ${schema} is not there, or this user may not read it.`
          : `${shown}: schema ${schema} is of version ${String(version)}; this obk needs ${String(schemaVersion)}.`,
      hint: [
        version === null
          ? 'obk state doctor   # which of the two it is'
          : 'obk state migrate --url-from env:OBK_OWNER_URL   # as the owner of the tables',
      ],
    });
}

/** A transaction in which a statement failed is rolled back by COMMIT, which says so and throws nothing. */
function needCommit({ command }: { command: string }): void {
  if (command !== 'COMMIT') throw new Error('the transaction had failed before');
}

/** An error of a statement behind which COMMIT is on its way already. */
function atCommit(error: unknown): never {
  if (error instanceof ConnectionLost) throw new ConnectionLost('at COMMIT', error.cause, true);
  throw told(error);
}

export const replicaTitle = 'This server of the database only reads.';

function readsOnly(shown: string): ObkError {
  return new ObkError({
    code: 'STATE_UNREACHABLE',
    title: replicaTitle,
    detail: `${shown} is a replica: what obk keeps must be written where it is read.`,
    hint: ['Name the address of the writer.'],
  });
}
