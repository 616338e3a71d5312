import { randomUUID } from 'node:crypto';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Journal } from '../../client/ports/journal.ts';
import type { EndedRun, JournalRecord, JournalRun, OpenWrite } from '../../settings/records/journal.ts';
import { cameToNothing, isEnd, isNothing, lastOf } from '../../client/state/exchange-state.ts';
import { ownIdentity } from '../system/process-identity.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import { summary } from '../../client/state/run-summary.ts';
import { createClock } from '../system/system-clock.ts';
import { timeInName } from '../files/safe-name.ts';
import type { Database } from './database.ts';
import { channel, followRecords } from './follow-records.ts';
import { unopened } from './own-key.ts';
import type { ForeignRows } from './own-key.ts';
import type { Listen } from './follow-records.ts';
import { markOf, openWriteRows } from './open-write-rows.ts';
import type { FoundWrite } from './open-write-rows.ts';
import type { Machine } from './machine.ts';
import type { LettingGo } from './postgres-intents.ts';
import { places } from './places.ts';
import type { Vault } from './vault.ts';

type Of<Type> = Extract<JournalRecord, { type: Type }>;

/**
 * One row for each record, and one for each write that is not over, of all machines. What belongs together is one transaction: a write
 * and what it is found by; a `sending` and, where the intents are in the same database, what the intent says of it.
 */
export function postgresJournal(options: {
  database: Database;
  vault: Vault;
  run: string;
  machine: Machine;
  intents: LettingGo;
  processInfo?: ProcessIdentity;
  clock?: Clock;
  /** Opens a connection that listens; without it the journal is asked again and again. */
  listen?: Listen;
  /** The rows that lists leave out; without it they leave out none. */
  foreign?: ForeignRows;
}): Journal {
  const { database, vault, run, machine, intents, foreign, processInfo = ownIdentity() } = options;
  const { clock = createClock(), listen = () => Promise.resolve(undefined) } = options;
  const marks = openWriteRows(database, vault, processInfo);
  /** The writes of this run, with the intents that they carry out. */
  const writes = new Map<string, { intent: string | undefined; kept: boolean }>();
  /** Created resources that are not saved yet, by noun and id. */
  const kept = new Map<string, string>();
  let profile: string | undefined;
  let isListed = false;

  /** In one transaction, which may be done twice: each record has an id. */
  const once = <T>(action: () => Promise<T>) => database.again(() => database.transaction(action));

  async function list(): Promise<void> {
    if (isListed) return;
    await database.rows(
      'INSERT INTO run (run, profile, machine, host) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [run, profile ?? '', machine.id, machine.host],
    );
  }

  async function add(of: string, record: JournalRecord, id: string, its = profile ?? ''): Promise<void> {
    const insert =
      'INSERT INTO record (id, run, type, profile, record) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING';
    // Whoever follows wants the calls that are over; each notification waits for those of others at its commit.
    const isTold = ['answered', 'failed', 'resolved'].includes(record.type);
    await database.rows(
      isTold ? `WITH added AS (${insert} RETURNING 1) SELECT pg_notify('${channel}', '') FROM added` : insert,
      [id, of, record.type, its, vault.seal(places.record(its, of, id), record)],
    );
  }

  async function prepare(record: Of<'prepared'>, id: string): Promise<void> {
    const { exact: _, ...rest } = record;
    await Promise.all([
      record.write && marks.put(run, record.exchange, profile ?? '', markOf(record, profile), false),
      add(run, rest, id),
    ]);
  }

  async function send(record: Of<'sending'>, id: string): Promise<void> {
    const own = writes.get(record.exchange);
    const { intent } = own ?? {};
    if (intent === undefined)
      await once(async () => {
        await Promise.all([add(run, record, id), own !== undefined && marks.markSent(run, record.exchange)]);
      });
    else await intents.letGo(intent, run, () => add(run, record, id));
  }

  /** Forgets the write that this record ends, unless what it made is not saved. */
  async function closeIfOver(of: string, record: JournalRecord): Promise<void> {
    if (!('exchange' in record) || !isEnd(record)) return;
    if (of === run && writes.get(record.exchange)?.kept === true && record.type !== 'resolved') return;
    await marks.remove(of, record.exchange);
  }

  /** What this run has recorded of its own request is a proof; the records that another finds later are none. */
  async function giveBackIfNothing(record: JournalRecord): Promise<void> {
    if (!('exchange' in record) || !isNothing(record)) return;
    const intent = writes.get(record.exchange)?.intent;
    if (intent !== undefined && cameToNothing(await read(run), intent)) await intents.giveBack(intent, run);
  }

  async function read(of: string): Promise<readonly JournalRecord[]> {
    const rows = await database.rows<{ id: string; profile: string; record: Buffer }>(
      'SELECT id, profile, record FROM record WHERE run = $1 ORDER BY number',
      [of],
    );
    // A run without one of its records is another run: all of them are counted, and none is left out.
    for (const { id, profile: its, record } of rows) foreign?.has(places.record(its, of, id), record);
    return rows.map(({ id, profile: its, record }) => {
      const opened = vault.open(places.record(its, of, id), record);
      if (opened === undefined) throw unopened(vault, record, () => damaged(of, id));
      return opened as JournalRecord;
    });
  }

  /** The list leaves out what cannot be read; whoever removes runs must know of each. */
  async function openWrites(isLeftOut: (found: FoundWrite) => boolean = () => false): Promise<OpenWrite[]> {
    const all: OpenWrite[] = [];
    for (const found of await marks.list()) {
      if (isLeftOut(found)) continue;
      const write = await openWrite(found);
      if (write !== undefined) all.push(write);
    }
    return all;
  }

  async function openWrite({
    run: of,
    exchange,
    sent,
    alive: mayLive,
    mark,
    host,
  }: FoundWrite): Promise<OpenWrite | undefined> {
    const { exact: _, ...facts } = mark ?? { exact: null };
    const alive = of !== run && mayLive;
    const write: OpenWrite = { ...facts, run: of, exchange, alive, ...(host !== undefined && { host }) };
    if (write.made !== undefined) return write;
    const records = await read(of).catch(unreadable);
    const isPrepared = records?.some((record) => record.type === 'prepared' && record.exchange === exchange);
    const last = isPrepared === true ? lastOf(records ?? [], exchange) : undefined;
    if (last === 'end') return undefined;
    const left = mark?.intent === undefined ? undefined : await intents.hasLeft(mark.intent, of);
    if (left === 'no') return undefined;
    if (last === 'sending' || last === 'unknown' || sent || left === 'yes') return write;
    // Whoever reads it will be told; not to list it would hide a write.
    const isUnclear = (left === 'maybe' || mark === undefined) && (records ?? []).length === 0;
    return isUnclear ? write : undefined;
  }

  return {
    run,

    host: () => Promise.resolve(machine.host),

    append: async (record) => {
      const id = randomUUID();
      if (record.type === 'run') profile = record.profile;
      if (record.type === 'sending') {
        if (!isListed) await once(list);
        await send(record, id);
      } else
        await once(async () => {
          // Statements of one transaction need not wait for each other's answers.
          const [, , , records] = await Promise.all([
            list(),
            record.type === 'prepared' ? prepare(record, id) : add(run, record, id),
            closeIfOver(run, record),
            record.type === 'ended' ? read(run) : [],
          ]);
          await giveBackIfNothing(record);
          if (record.type !== 'ended') return;
          const ended = summary(records);
          await database.rows('UPDATE run SET ended = $2 WHERE run = $1', [run, JSON.stringify(ended)]);
        });
      isListed = true;
      if (record.type === 'prepared' && record.write)
        writes.set(record.exchange, { intent: record.intent, kept: false });
      else if ('exchange' in record && isEnd(record) && writes.get(record.exchange)?.kept !== true)
        writes.delete(record.exchange);
    },

    resolve: (of, record) => {
      const id = randomUUID();
      return once(async () => {
        // Its summary is no longer true; the row also keeps two that resolve apart.
        const [its] = await database.rows<{ profile: string }>(
          'UPDATE run SET ended = NULL WHERE run = $1 RETURNING profile',
          [of],
        );
        if (its === undefined)
          throw new ObkError({
            code: 'STATE_NOT_WRITTEN',
            title: 'The journal could not be written.',
            detail: `obk.run ${of}: there is no such run.`,
          });
        await add(of, record, id, its.profile);
        await closeIfOver(of, record);
      });
    },

    runs: () =>
      database.again(async () =>
        asRuns(await database.rows<RunRow>(`SELECT ${runColumns} FROM run ORDER BY run DESC`, [machine.id])),
      ),

    oldest: () =>
      database.again(async () => {
        const rows = await database.rows<RunRow>(`SELECT ${runColumns} FROM run ORDER BY run LIMIT 1`, [
          machine.id,
        ]);
        return asRuns(rows)[0];
      }),

    runsThat: (may) =>
      database.again(() =>
        // Thousands of runs are of a few kinds.
        database.transaction(async () => {
          const kinds = await database.rows<{ kind: string; free: boolean }>(
            'SELECT DISTINCT ended::text AS kind, free FROM run WHERE ended IS NOT NULL',
          );
          const picked = kinds.filter(({ kind, free }) =>
            may({ ...(JSON.parse(kind) as EndedRun), ...(free && { free }) }),
          );
          const of = (wanted: boolean) =>
            picked.filter(({ free }) => free === wanted).map(({ kind }) => kind);
          return asRuns(
            await database.rows<RunRow>(
              `SELECT ${runColumns} FROM run
                WHERE ended IS NULL OR ended::text = ANY(CASE WHEN free THEN $2::text[] ELSE $3::text[] END)
                ORDER BY run DESC`,
              [machine.id, of(true), of(false)],
            ),
          );
        }),
      ),

    noteFree: async (runs) => {
      await database.again(() =>
        database.rows('UPDATE run SET free = true WHERE run = ANY($1) AND ended IS NOT NULL', [runs]),
      );
    },

    read: (of) => database.again(() => read(of)),

    openWrites: () => database.again(() => openWrites(({ sealed }) => foreign?.has(...sealed) === true)),

    openRuns: async () => {
      const open = await database.again(() => openWrites());
      return asRuns([...new Set(open.map((write) => write.run))].map((one) => ({ run: one })));
    },

    keep: async (exchange, made) => {
      await once(async () => {
        await list();
        const before = await marks.one(run, exchange);
        const mark = before?.mark ?? { exact: null };
        await marks.put(run, exchange, profile ?? '', { ...mark, made }, true);
      });
      isListed = true;
      const own = writes.get(exchange);
      if (own !== undefined) own.kept = true;
      kept.set(`${made.resource.noun} ${made.resource.id}`, exchange);
    },

    saved: async (noun, id) => {
      const exchange = kept.get(`${noun} ${id}`);
      if (exchange === undefined) return;
      await database.again(() => marks.remove(run, exchange));
      kept.delete(`${noun} ${id}`);
    },

    close: (of, exchange) => database.again(() => marks.remove(of, exchange)),

    remove: async (of) => {
      await database.again(() => database.rows('DELETE FROM run WHERE run = $1', [of]));
    },

    // A server has its own times for that.
    scrub: () => Promise.resolve(),
    follow: (follow) =>
      followRecords({
        ...{ database, clock, follow, listen, asRuns },
        ...{ columns: runColumns, machine: machine.id },
      }),

    exact: async (of, exchange) => {
      const found = await database.again(() => marks.one(of, exchange));
      if (found !== undefined && found.mark === undefined)
        throw unopened(vault, found.sealed[1], () => damaged(of, exchange));
      return found?.mark?.exact ?? undefined;
    },
  };
}

function unreadable(error: unknown): undefined {
  if (error instanceof ObkError && error.code === 'STATE_UNREADABLE') return undefined;
  throw error;
}

interface RunRow {
  run: string;
  host?: string | null;
  elsewhere?: boolean;
}

/** With the machine that asks as the first value. */
const runColumns = 'run, host, machine IS DISTINCT FROM $1 AS elsewhere';

function asRuns(rows: readonly RunRow[]): JournalRun[] {
  return rows.flatMap(({ run, host, elsewhere = false }) => {
    const startedAt = timeInName(run);
    if (startedAt === undefined) return [];
    return [{ run, startedAt, ...(host !== undefined && { host }), ...(elsewhere && { elsewhere }) }];
  });
}

function damaged(run: string, what: string): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'The journal cannot be read.',
    detail: `Run ${run}, ${what}: it does not hold what obk wrote.`,
    hint: ['obk pending list'],
  });
}
