import { setImmediate } from 'node:timers/promises';
import { isNothing } from '../../../src/client/state/kept-journal.ts';
import { ObkError } from '../../../src/base/errors.ts';
import type { Intents } from '../../../src/client/ports/intents.ts';
import type { Journal } from '../../../src/client/ports/journal.ts';
import type { JournalRecord, OpenWrite } from '../../../src/settings/records/journal.ts';
import { intentsState, memoryIntents } from './memory-intents.ts';
import type { IntentsState, LettingGo } from './memory-intents.ts';

/** What several journals (one for each run) share, with their intents: the state directory. */
export interface JournalState extends IntentsState {
  runs: Map<string, { startedAt: string; records: JournalRecord[] }>;
  exact: Map<string, { headers: readonly (readonly [string, string])[]; body: string }>;
}

/** A journal in memory; `failWrites` makes every further write of it, and of its own intents, throw that error. */
export interface MemoryJournal extends Journal {
  readonly state: JournalState;
  /** Those of this run, in the same state; others where the test has given them. */
  readonly intents: Intents & LettingGo;
  /** The records of this run so far. */
  readonly records: readonly JournalRecord[];
  failWrites(error: Error | undefined): void;
  /** The process of this run ends without a word. */
  die(): void;
}

export function journalState(): JournalState {
  return { ...intentsState(), runs: new Map(), exact: new Map() };
}

let count = 0;

export function memoryJournal({
  state = journalState(),
  run = `run-${++count}`,
  ...given
}: { state?: JournalState; run?: string; intents?: Intents & LettingGo } = {}): MemoryJournal {
  const own = { startedAt: '', records: [] as JournalRecord[] };
  state.living.add(run);
  let broken: Error | undefined;

  function written(): void {
    if (broken) throw broken;
  }

  function add(to: string, record: JournalRecord): void {
    const entry = to === run ? own : state.runs.get(to);
    if (!entry) throw new Error(`no run ${to}`);
    if (entry.records.length === 0) {
      entry.startedAt = record.at;
      state.runs.set(to, entry);
    }
    if (record.type === 'prepared') {
      const { exact, ...rest } = record;
      if (record.write && exact) state.exact.set(`${to} ${record.exchange}`, structuredClone(exact));
      entry.records.push(structuredClone(rest));
    } else {
      entry.records.push(structuredClone(record));
    }
    if ('exchange' in record && !isOpen(entry.records, record.exchange, true)) {
      state.exact.delete(`${to} ${record.exchange}`);
    }
  }

  const nothingCame = async (of: string, hash: string): Promise<boolean> =>
    cameToNothing(state.runs.get(of)?.records ?? [], hash);
  const intents =
    given.intents ?? memoryIntents({ state, run, journal: { cameToNothing: nothingCame }, written });

  async function openWrites(): Promise<OpenWrite[]> {
    const all: OpenWrite[] = [];
    for (const entry of newestFirst()) {
      const records = state.runs.get(entry.run)?.records ?? [];
      for (const record of records) {
        if (record.type !== 'prepared') continue;
        if (!isOpen(records, record.exchange, false)) continue;
        const left =
          record.intent === undefined ? undefined : await intents.hasLeft(record.intent, entry.run);
        if (left === 'no') continue;
        const alive = entry.run !== run && state.living.has(entry.run);
        all.push({ run: entry.run, exchange: record.exchange, alive });
      }
    }
    return all;
  }

  function newestFirst(): { run: string; startedAt: string }[] {
    return [...state.runs]
      .map(([name, { startedAt }]) => ({ run: name, startedAt }))
      .reverse()
      .sort((a, b) => compare(b.startedAt, a.startedAt));
  }

  return {
    run,
    host: () => Promise.resolve(undefined),
    state,
    intents,
    records: own.records,
    failWrites: (error) => {
      broken = error;
    },
    die: () => {
      state.living.delete(run);
    },
    append: async (record) => {
      written();
      if (record.type === 'sending') {
        const prepared = own.records.find(
          (other) => other.type === 'prepared' && other.exchange === record.exchange && other.write,
        );
        const hash = prepared?.type === 'prepared' ? prepared.intent : undefined;
        const send = () => {
          add(run, record);
        };
        if (hash !== undefined) await intents.letGo(hash, run, send);
        else send();
        return;
      }
      add(run, record);
      const write = own.records.find(
        (other) => other.type === 'prepared' && 'exchange' in record && other.exchange === record.exchange,
      );
      const hash = write?.type === 'prepared' ? write.intent : undefined;
      if (hash !== undefined && record.type !== 'prepared' && (await nothingCame(run, hash)))
        await intents.giveBack(hash, run);
    },
    resolve: async (of, record) => {
      written();
      if (!state.runs.has(of))
        throw new ObkError({ code: 'STATE_NOT_WRITTEN', title: `There is no run ${of}.` });
      add(of, record);
    },
    runs: async () => newestFirst(),
    oldest: async () => newestFirst().at(-1),
    read: async (of) => structuredClone(state.runs.get(of)?.records ?? []),
    openRuns: async () => {
      const open = new Set((await openWrites()).map((write) => write.run));
      return newestFirst().filter((entry) => open.has(entry.run));
    },
    openWrites,
    close: async () => undefined,
    runsThat: async () => newestFirst(),
    noteFree: async () => undefined,
    scrub: async () => undefined,
    follow: async ({ signal }) => {
      const sizes = new Map([...state.runs].map(([of, { records }]) => [of, records.length]));
      return {
        wait: async () => {
          await setImmediate();
          signal.throwIfAborted();
        },
        changed: async () => {
          const changed = newestFirst().filter(
            ({ run: of }) => state.runs.get(of)?.records.length !== sizes.get(of),
          );
          for (const { run: of } of changed) sizes.set(of, state.runs.get(of)?.records.length ?? 0);
          return changed.reverse();
        },
        close: async () => undefined,
      };
    },
    exact: async (of, exchange) => {
      const isKept = isOpen(state.runs.get(of)?.records ?? [], exchange, false);
      return isKept ? structuredClone(state.exact.get(`${of} ${exchange}`)) : undefined;
    },
    remove: async (of) => {
      written();
      state.runs.delete(of);
      for (const key of state.exact.keys()) if (key.startsWith(`${of} `)) state.exact.delete(key);
    },
  };
}

/** Whether a write has no final answer: `prepared` counts as open only where its exact bytes are concerned. */
function isOpen(records: readonly JournalRecord[], exchange: string, fromPrepared: boolean): boolean {
  let open = false;
  for (const record of records) {
    if (!('exchange' in record) || record.exchange !== exchange) continue;
    if (record.type === 'prepared') open = record.write && fromPrepared;
    else if (record.type === 'sending') {
      open = records.some((other) => other.type === 'prepared' && other.exchange === exchange && other.write);
    } else if (record.type === 'resolved') open = false;
    else if (record.outcome !== 'UNKNOWN') open = false;
  }
  return open;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Whether the records of a run prove that an intent came to nothing: of each of its writes that was let go, that it never left or
 * was refused, and of one at least. Without a proof it may have been carried out.
 */
function cameToNothing(records: readonly JournalRecord[], intent: string): boolean {
  const writes = records.filter((record) => record.type === 'prepared' && record.intent === intent);
  const ends = writes.flatMap((write) => {
    const last = records.findLast(
      (record) => 'exchange' in record && 'exchange' in write && record.exchange === write.exchange,
    );
    return last === undefined || last.type === 'prepared' ? [] : [last];
  });
  return ends.length > 0 && ends.every(isNothing);
}
