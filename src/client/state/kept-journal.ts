import { ObkError } from '../../base/errors.ts';
import type { JournalRecord, JournalRun, OpenWrite } from '../../settings/records/journal.ts';
import type { Codec, Engine, Row } from '../ports/engine.ts';
import type { Intents } from '../ports/intents.ts';
import type { Clock } from '../ports/clock.ts';
import type { FollowOptions, Journal, JournalFollower } from '../ports/journal.ts';
import { commit } from './commit.ts';
import type { Part } from './commit.ts';
import { isEnd, isNothing } from './exchange-state.ts';
import { comes, leaves } from './kept-intents.ts';
import { markOf, ofExchange, opened, rowOf } from './open-write-rows.ts';
import type { Owners } from './owners.ts';
import { heldNumbers, ofRun, runLists } from './run-lists.ts';
import { summary } from './run-summary.ts';
import { isLeftOut, openIn, sealIn, unopened } from './sealed-rows.ts';
import { openWrites, read, records, remove, runs, select } from './tables.ts';

const mostSeen = 64;

type Of<Type> = Extract<JournalRecord, { type: Type }>;

/** The runs with their records, and the writes that are not over. */
export function keptJournal(options: {
  /** Where intents and open writes are; where the runs are. */
  state: Engine;
  log: Engine;
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
  const { state, log, codec, owners, run, machine, intents, startOf, clock, following } = options;
  const now = () => clock.now().getTime();
  const lists = runLists({ log, machine, startOf, clock });
  /** The writes of this run with the intents that they carry out, until their ends. */
  const writes = new Map<string, { intent: string | undefined; kept: boolean }>();
  /** What the bank made and is not saved yet, by noun and id. */
  const made = new Map<string, string>();
  /** The records of this run without their texts, to sum it up at its end. */
  const own: JournalRecord[] = [];
  /** The records of runs as far as they were read, once somebody follows. */
  let seen: Map<string, readonly JournalRecord[]> | undefined;
  let profile = '';

  /** First what must never be lost; where both are in one database, all at once. */
  async function both(ofState: readonly Part[], ofLog: readonly Part[]): Promise<void> {
    if (state === log) return commit(state, [...ofState, ...ofLog]);
    if (ofState.length > 0) await commit(state, ofState);
    await commit(log, ofLog);
  }

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

  function prepares(record: Of<'prepared'>): Part[] {
    if (!record.write) return [];
    const { exchange, intent = null } = record;
    const key = { run, exchange, profile, intent, owner: owners.own, at: now(), state: 'prepared' };
    return [ofExchange(run, exchange, () => [rowOf(codec, key, markOf(record, profile))])];
  }

  function sends({ exchange }: Of<'sending'>): Part[] {
    const write = writes.get(exchange);
    if (write === undefined) return [];
    return [
      ...(write.intent === undefined ? [] : [leaves(codec, write.intent, run)]),
      ofExchange(run, exchange, ([before]) => {
        const whole = before && opened(codec, before);
        // Without it nobody would know of this write, or of what.
        if (whole === undefined) throw damaged(run);
        return [{ ...whole.row, state: 'sending' }];
      }),
    ];
  }

  /** The write that this record ends is over, unless what it made is not saved. */
  function ends(of: string, record: JournalRecord): Part[] {
    if (!('exchange' in record) || !isEnd(record)) return [];
    const write = of === run ? writes.get(record.exchange) : undefined;
    const to = isNothing(record) ? 'returned' : 'made';
    const back = write?.intent === undefined ? [] : [comes(codec, write.intent, run, to)];
    if (write?.kept === true && record.type !== 'resolved') return back;
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
    const its = { run: of, exchange, alive, ...(host !== undefined && { host }) };
    // Whoever reads it will be told; not to list it would hide a write.
    if (whole === undefined) return its;
    const { exact: _, ...facts } = whole.mark;
    const write: OpenWrite = { ...facts, ...its };
    if (write.made !== undefined) return write;
    if (whole.row.state === 'prepared') return undefined;
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
      const ofState =
        record.type === 'prepared'
          ? prepares(record)
          : record.type === 'sending'
            ? sends(record)
            : ends(run, record);
      own.push(slim(record));
      const ended = summary(own);
      const sum = ofRun(run, (rows) => rows.map((row) => ({ ...row, ended: JSON.stringify(ended) })));
      await both(ofState, [listed(), ...(ended === undefined ? [] : [sum]), lineOf(run, profile, line)]);
      if (record.type === 'prepared' && record.write)
        writes.set(record.exchange, { intent: record.intent, kept: false });
      else if ('exchange' in record && isEnd(record) && writes.get(record.exchange)?.kept !== true)
        writes.delete(record.exchange);
    },

    resolve: async (of, record) => {
      const [row] = await log.rows(select(runs, 'WHERE run = ?1', [of]));
      const over = ends(of, record);
      // The state outlives the log.
      if (row === undefined && (await isOpen(of))) return commit(state, over);
      if (row === undefined)
        throw new ObkError({
          code: 'STATE_NOT_WRITTEN',
          title: 'The journal could not be written.',
          detail: `There is no run ${of}.`,
        });
      // Its summary is no longer true.
      await both(over, [
        ofRun(of, (rows) => rows.map((one) => ({ ...one, ended: null }))),
        lineOf(of, String(row['profile']), record),
      ]);
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

    keep: async (exchange, what) => {
      const write = writes.get(exchange);
      await commit(state, [
        ofExchange(run, exchange, ([before]) => {
          const { mark = { exact: null } } = (before && opened(codec, before)) ?? {};
          const key = { run, exchange, profile, intent: write?.intent ?? null, owner: owners.own, at: now() };
          return [rowOf(codec, { ...key, state: 'sending' }, { ...mark, made: what })];
        }),
      ]);
      if (write !== undefined) write.kept = true;
      made.set(`${what.resource.noun} ${what.resource.id}`, exchange);
    },

    saved: async (noun, id) => {
      const exchange = made.get(`${noun} ${id}`);
      if (exchange === undefined) return;
      await commit(state, [ofExchange(run, exchange, () => [])]);
      made.delete(`${noun} ${id}`);
    },

    close: (of, exchange) => commit(state, [ofExchange(of, exchange, () => [])]),

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
