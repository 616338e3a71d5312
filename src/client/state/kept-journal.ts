import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import type { JournalRecord, JournalRun, OpenWrite } from '../../settings/records/journal.ts';
import type { Codec, Row } from '../ports/engine.ts';
import type { Intents } from '../ports/intents.ts';
import type { Clock } from '../ports/clock.ts';
import type { FollowOptions, Journal, JournalFollower } from '../ports/journal.ts';
import type { Part } from './commit.ts';
import { comes, leaves } from './kept-intents.ts';
import type { Owners } from './owners.ts';
import { heldNumbers, ofRun, runLists } from './run-lists.ts';
import { endedText, summary } from './run-lists.ts';
import { isLeftOut, openIn, sealIn, unopened } from './sealed-rows.ts';
import type { Stage } from './stage.ts';
import { openWrites, read, records, remove, runs, select } from './tables.ts';
import type { Header } from '../../settings/records/wire.ts';
import type { RowOf } from './tables.ts';

const mostSeen = 64;

type Of<Type> = Extract<JournalRecord, { type: Type }>;

/** The runs with their records, and the writes that are not over. */
export function keptJournal(options: {
  stage: Stage;
  codec: Codec;
  owners: Owners;
  run: string;
  /** This machine, in a state of several, and how it is called there; empty at home, where all is of here. */
  machine: { id: string; host?: string };
  intents: Pick<Intents, 'find'>;
  /** When a run began, ISO 8601; undefined where a text is no id of a run. */
  startOf: (run: string) => string | undefined;
  clock: Clock;
  /** How a log is followed that does not number its records one after the other. */
  following?: (
    options: FollowOptions,
    asRuns: (rows: readonly Row[]) => readonly JournalRun[],
  ) => Promise<JournalFollower>;
}): Journal {
  const { stage, codec, owners, run, machine, intents, startOf, clock, following } = options;
  const { state, log } = stage;
  const now = () => clock.now().getTime();
  const lists = runLists({ log, machine, startOf, clock });
  /** The writes of this run, until their ends, and which of them may have left. */
  const writes = new Map<string, Of<'prepared'>>();
  const left = new Set<string>();
  /** The records of this run without their texts, to sum it up at its end. */
  const own: JournalRecord[] = [];
  /** The records of runs as far as they were read, once somebody follows. */
  let seen: Map<string, readonly JournalRecord[]> | undefined;
  let profile = '';

  function lineOf(of: string, its: string, record: JournalRecord): Part {
    return {
      of: records,
      where: 'run = ?1 ORDER BY number DESC LIMIT 1',
      values: [of],
      next: (rows) => {
        const number = Number(rows.at(-1)?.['number'] ?? 0) + 1;
        const key = { run: of, number, type: record.type, profile: its };
        return [...rows, { ...key, record: sealIn(codec, records, 'record', key, record) }];
      },
    };
  }

  const listed = (): Part =>
    ofRun(run, ([before]) => [
      before ?? { run, profile, machine: machine.id, host: machine.host ?? null, ended: null },
    ]);

  /** The request leaves now: from here on it is open, with its exact bytes. */
  function sends({ exchange }: Of<'sending'>): Part[] {
    const record = writes.get(exchange);
    if (record === undefined) return [];
    const { intent = null } = record;
    const key = { run, exchange, profile, intent, owner: owners.own, at: now(), state: 'sending' };
    return [
      ...(intent === null ? [] : [leaves(codec, intent, run)]),
      ofExchange(run, exchange, () => [rowOf(codec, key, markOf(record, profile))]),
    ];
  }

  /** The write that this record ends is over. */
  function ends(of: string, record: JournalRecord): Part[] {
    if (!('exchange' in record) || !isEnd(record)) return [];
    const write = of === run ? writes.get(record.exchange) : undefined;
    const to = isNothing(record) ? 'returned' : 'made';
    const back = write?.intent === undefined ? [] : [comes(codec, write.intent, run, to)];
    return [...back, ofExchange(of, record.exchange, () => [])];
  }

  async function recordsOf(of: string, after = 0): Promise<readonly JournalRecord[]> {
    const rows = await log.rows(
      select(records, 'WHERE run = ?1 AND number > ?2 ORDER BY number', [of, after]),
    );
    // A run without one of its records is another run: all of them are counted, and none is left out.
    for (const found of rows) isLeftOut(codec, records, found);
    return rows.map((found) => {
      const row = read(records, found);
      const record = row && (openIn(codec, records, 'record', row) as JournalRecord | undefined);
      if (record === undefined) throw unopened(codec, records, found, () => damaged(of));
      return record;
    });
  }

  /** Whoever follows reads only what is new of a run; beyond `mostSeen` runs the memory would grow instead. */
  async function readOn(of: string): Promise<readonly JournalRecord[]> {
    if (seen === undefined) return recordsOf(of);
    const before = seen.get(of) ?? [];
    const all = [...before, ...(await recordsOf(of, before.length))];
    if (seen.size < mostSeen || seen.has(of)) seen.set(of, all);
    return all;
  }

  async function open(found: Row): Promise<OpenWrite | undefined> {
    const { run: of, exchange, owner, at } = found as Record<string, string>;
    if (of === undefined || exchange === undefined || owner === undefined) return undefined;
    const alive = of !== run && owners.mayLive(of, owner, Number(at));
    const whole = opened(codec, found);
    const host = owners.hostOf?.(owner);
    const its = { run: of, exchange, alive, ...defined({ host }) };
    // Whoever reads it will be told; not to list it would hide a write.
    if (whole === undefined) return its;
    const { exact: _, ...facts } = whole.mark;
    const write: OpenWrite = { ...facts, ...its };
    const intent =
      write.intent === undefined ? undefined : await intents.find(write.intent).catch(unreadable);
    const isOver = intent !== undefined && (intent.run !== of || intent.settled !== undefined);
    return isOver ? undefined : write;
  }

  /** A list leaves out what cannot be read; whoever removes runs must know of each. */
  async function allOpen(isList: boolean): Promise<OpenWrite[]> {
    const rows = await state.rows(select(openWrites, 'ORDER BY run DESC, at DESC, exchange'));
    const all: OpenWrite[] = [];
    for (const row of rows) {
      if (isList && isLeftOut(codec, openWrites, row)) continue;
      const write = await open(row);
      if (write !== undefined) all.push(write);
    }
    return all;
  }

  async function isOpen(of: string): Promise<boolean> {
    return (await state.rows(select(openWrites, 'WHERE run = ?1', [of]))).length > 0;
  }

  return {
    run,
    host: () => Promise.resolve(machine.host),

    append: async (record) => {
      if (record.type === 'run') ({ profile } = record);
      const line = record.type === 'prepared' ? withoutExact(record) : record;
      own.push(slim(record));
      const ended = summary(own);
      const sum = ofRun(run, (rows) => rows.map((row) => ({ ...row, ended: endedText(ended) })));
      const ofLog = [listed(), ...(ended === undefined ? [] : [sum]), lineOf(run, profile, line)];
      if (record.type === 'prepared' && record.write) writes.set(record.exchange, record);
      if (record.type === 'sending') {
        left.add(record.exchange);
        return stage.leave({ state: sends(record), log: ofLog }).catch((error: unknown) => {
          // Where others held the state all the time, nothing of it is there.
          if (error instanceof ObkError && error.code === 'LOCK_BUSY') left.delete(record.exchange);
          throw error;
        });
      }
      const ofWrite = 'exchange' in record && left.has(record.exchange);
      const ofState = ofWrite ? ends(run, record) : [];
      const due = record.type === 'answered' || record.type === 'failed';
      if ('exchange' in record && isEnd(record)) writes.delete(record.exchange);
      const answer = ofWrite && record.type === 'answered';
      await stage.note({ state: ofState, log: ofLog }, { ofWrite, due, answer });
    },

    resolve: async (of, record) => {
      const [row] = await log.rows(select(runs, 'WHERE run = ?1', [of]));
      const over = ends(of, record);
      // The state outlives the log.
      if (row === undefined && (await isOpen(of))) return stage.keep({ state: over });
      if (row === undefined)
        throw new ObkError({
          code: 'STATE_NOT_WRITTEN',
          title: 'The journal could not be written.',
          detail: `There is no run ${of}.`,
        });
      // Its summary is no longer true.
      await stage.keep({
        state: over,
        log: [
          ofRun(of, (rows) => rows.map((one) => ({ ...one, ended: null }))),
          lineOf(of, String(row['profile']), record),
        ],
      });
    },

    runs: () => Promise.resolve(lists.all()),
    runsThat: lists.that,
    oldest: lists.oldest,
    noteFree: lists.noteFree,
    read: readOn,
    openWrites: () => allOpen(true),
    openRuns: async () => {
      const open = await allOpen(false);
      return [...new Set(open.map((write) => write.run))].flatMap((of) => {
        const startedAt = startOf(of);
        return startedAt === undefined ? [] : [{ run: of, startedAt }];
      });
    },

    close: (of, exchange) => stage.keep({ state: [ofExchange(of, exchange, () => [])] }),

    exact: async (of, exchange) => {
      const [found] = await state.rows(
        select(openWrites, 'WHERE run = ?1 AND exchange = ?2', [of, exchange]),
      );
      const whole = found && opened(codec, found);
      if (found !== undefined && whole === undefined)
        throw unopened(codec, openWrites, found, () => damaged(of));
      return whole?.mark.exact ?? undefined;
    },

    remove: async (of) => {
      const held = following === undefined ? heldNumbers(of) : [];
      const gone = [...held, remove(records, 'run = ?1', [of]), remove(runs, 'run = ?1', [of])];
      await state.change([], () => ({ changes: [remove(openWrites, 'run = ?1', [of])], result: undefined }));
      await log.change([], () => ({ changes: gone, result: undefined }));
    },

    scrub: async () => {
      await state.scrub();
      if (log !== state) await log.scrub();
    },

    follow: async (asked) => {
      const follower = (await following?.(asked, lists.asRuns)) ?? lists.follow(asked.signal);
      seen ??= new Map();
      await follower.changed();
      return follower;
    },
  };
}

const slim = (record: JournalRecord): JournalRecord =>
  'headers' in record ? { ...record, headers: [], body: '' } : record;

function withoutExact({ exact: _, ...record }: Of<'prepared'>): JournalRecord {
  return record;
}

function unreadable(error: unknown): undefined {
  if (error instanceof ObkError && error.code === 'STATE_UNREADABLE') return undefined;
  throw error;
}

function damaged(run: string): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'The journal cannot be read.',
    detail: `Run ${run}: it does not hold what obk wrote.`,
    hint: ['obk pending list'],
  });
}

/** Whether a record says for certain that nothing came of its exchange. */
export function isNothing(record: JournalRecord): boolean {
  if (record.type === 'resolved') return record.resolution === 'not-created';
  if (record.type !== 'answered' && record.type !== 'failed') return false;
  return record.outcome === 'NOT_SENT' || record.outcome === 'REJECTED';
}

/** Whether a record says for certain how its exchange ended. */
function isEnd(record: JournalRecord): boolean {
  if (record.type === 'resolved') return true;
  return (record.type === 'answered' || record.type === 'failed') && record.outcome !== 'UNKNOWN';
}

type OpenWriteRow = RowOf<typeof openWrites>;

/** What is kept of a write until its end is known. */
type Mark = Omit<OpenWrite, 'run' | 'exchange' | 'alive' | 'host'> & {
  exact: { headers: readonly Header[]; body: string } | null;
};

/** The mark of a write that is about to be sent. */
function markOf(record: Extract<JournalRecord, { type: 'prepared' }>, profile: string): Mark {
  const { operation, at, requestId, bodySha256, intent, resource, exact = null } = record;
  return {
    ...{ operation, at, requestId, bodySha256, exact, profile },
    ...defined({ intent, resource }),
  };
}

/** The mark of a row; undefined where a bit of it is not as it was written. */
function opened(codec: Codec, found: Row): { row: OpenWriteRow; mark: Mark } | undefined {
  const row = read(openWrites, found);
  const mark = row && (openIn(codec, openWrites, 'mark', row) as Mark | undefined);
  return row === undefined || mark === undefined ? undefined : { row, mark };
}

/** What becomes of the open write of an exchange. */
function ofExchange(run: string, exchange: string, next: Part['next']): Part {
  return { of: openWrites, where: 'run = ?1 AND exchange = ?2', values: [run, exchange], next };
}

/** The row of a write with its mark. */
function rowOf(codec: Codec, key: Omit<OpenWriteRow, 'mark'>, mark: Mark): OpenWriteRow {
  return { ...key, mark: sealIn(codec, openWrites, 'mark', key, mark) };
}
