import { ObkError } from '../../../src/errors.ts';
import type { Intent, JournalRecord, Made, OpenWrite } from '../../../src/records/journal.ts';
import type { Journal } from '../../../src/ports/journal.ts';

/** What several journals (one for each run) share: the directory of the file journal. */
export interface JournalState {
  runs: Map<string, { startedAt: string; records: JournalRecord[] }>;
  /** The runs whose process has not ended. */
  living: Set<string>;
  intents: Map<string, Intent>;
  /** What was made and is not saved yet, by run and exchange. */
  made: Map<string, Made>;
  exact: Map<string, { headers: readonly (readonly [string, string])[]; body: string }>;
}

/** A journal in memory; `failWrites` makes every further write throw that error. */
export interface MemoryJournal extends Journal {
  readonly state: JournalState;
  /** The records of this run so far. */
  readonly records: readonly JournalRecord[];
  failWrites(error: Error | undefined): void;
  /** The process of this run ends without a word. */
  die(): void;
}

export function journalState(): JournalState {
  return { runs: new Map(), living: new Set(), intents: new Map(), made: new Map(), exact: new Map() };
}

let count = 0;

export function memoryJournal({ state = journalState(), run = `run-${++count}` } = {}): MemoryJournal {
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

  function isElsewhereAlive(intent: Intent): boolean {
    return intent.run !== run && state.living.has(intent.run);
  }

  function newestFirst(): { run: string; startedAt: string }[] {
    return [...state.runs]
      .map(([name, { startedAt }]) => ({ run: name, startedAt }))
      .reverse()
      .sort((a, b) => compare(b.startedAt, a.startedAt));
  }

  return {
    run,
    state,
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
        const intent = hash === undefined ? undefined : state.intents.get(hash);
        if (intent && intent.run !== run) {
          throw new ObkError({
            code: 'INTENT_IN_PROGRESS',
            title: 'Another process has taken over this payment.',
          });
        }
        add(run, record);
        if (intent !== undefined) intent.sent = true;
        return;
      }
      add(run, record);
    },
    resolve: async (of, record) => {
      written();
      if (!state.runs.has(of))
        throw new ObkError({ code: 'STATE_NOT_WRITTEN', title: `There is no run ${of}.` });
      add(of, record);
    },
    runs: async () => newestFirst(),
    read: async (of) => structuredClone(state.runs.get(of)?.records ?? []),
    openRuns: async () =>
      newestFirst().filter((entry) => {
        const records = state.runs.get(entry.run)?.records ?? [];
        return records.some(
          (record) => record.type === 'prepared' && isOpen(records, record.exchange, false),
        );
      }),
    openWrites: async () =>
      newestFirst().flatMap((entry): OpenWrite[] => {
        const records = state.runs.get(entry.run)?.records ?? [];
        return records.flatMap((record) => {
          if (record.type !== 'prepared') return [];
          const made = state.made.get(`${entry.run} ${record.exchange}`);
          if (made === undefined && !isOpen(records, record.exchange, false)) return [];
          const alive = entry.run !== run && state.living.has(entry.run);
          return [{ run: entry.run, exchange: record.exchange, alive, ...(made && { made }) }];
        });
      }),
    keep: async (exchange, made) => {
      written();
      state.made.set(`${run} ${exchange}`, structuredClone(made));
    },
    saved: async (_noun, id) => {
      for (const [key, made] of state.made) if (made.resource.id === id) state.made.delete(key);
    },
    close: async (of, exchange) => {
      state.made.delete(`${of} ${exchange}`);
    },
    runsThat: async () => newestFirst(),
    noteFree: async () => undefined,
    exact: async (of, exchange) => structuredClone(state.exact.get(`${of} ${exchange}`)),
    claim: async (intent) => {
      written();
      const before = state.intents.get(intent.hash);
      if (before) {
        return { claimed: false, intent: structuredClone(before), ownerAlive: isElsewhereAlive(before) };
      }
      state.intents.set(intent.hash, { ...structuredClone(intent), sent: false });
      return { claimed: true };
    },
    takeOver: async (intent, previousRun) => {
      written();
      const before = state.intents.get(intent.hash);
      if (before?.run !== previousRun || isElsewhereAlive(before)) return false;
      const records = state.runs.get(previousRun)?.records ?? [];
      const isOnItsWay = records.some(
        (record) =>
          record.type === 'prepared' &&
          record.intent === intent.hash &&
          records.findLast((other) => 'exchange' in other && other.exchange === record.exchange)?.type ===
            'sending',
      );
      if (isOnItsWay && before.sent !== false && before.settled === undefined) return false;
      state.intents.set(intent.hash, { ...structuredClone(intent), sent: false });
      return true;
    },
    noteResource: async (hash, resourceId) => {
      written();
      const intent = state.intents.get(hash);
      if (intent) intent.resourceId = resourceId;
    },
    settleIntent: async (hash, settled, { resourceId, run } = {}) => {
      written();
      const intent = state.intents.get(hash);
      if (intent && (run === undefined || intent.run === run))
        Object.assign(intent, { settled, ...(resourceId !== undefined && { resourceId }) });
    },
    intentsNamed: async (prefix) => [...state.intents.values()].filter(({ hash }) => hash.startsWith(prefix)),
    brokenIntents: async () => [],
    repairIntent: async () => undefined,
    intent: async (hash) => structuredClone(state.intents.get(hash)),
    intentsLike: async (profile, fingerprint) =>
      intentsOf(state, profile)
        .filter((intent) => intent.fingerprint === fingerprint)
        .map((intent) => ({ ...structuredClone(intent), alive: isElsewhereAlive(intent) })),
    newestIntent: async (profile) => structuredClone(intentsOf(state, profile)[0]),
    intentRuns: async () => new Map([...state.intents.values()].map((intent) => [intent.run, intent])),
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

function intentsOf(state: JournalState, profile: string): Intent[] {
  return [...state.intents.values()]
    .filter((intent) => intent.profile === profile)
    .reverse()
    .sort((a, b) => compare(b.createdAt, a.createdAt));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
