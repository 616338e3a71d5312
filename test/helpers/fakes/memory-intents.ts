import { IntentHeld } from '../../../src/base/errors.ts';
import type { Intents } from '../../../src/client/ports/intents.ts';
import { brokenIntent, checkMayLeave, ended, mayBeTaken } from '../../../src/client/state/intent-rules.ts';
import type { Intent } from '../../../src/settings/records/journal.ts';

/** What the journal tells of the requests of an intent. */
export interface LettingGo {
  /** Calls `record`, waits for it, and notes that the request left, while no other run can take the intent over. */
  letGo(hash: string, run: string, record: () => void | Promise<void>): Promise<void>;
  /** Notes that the run itself has recorded that nothing came of its request. */
  giveBack(hash: string, run: string): Promise<void>;
  /** Whether the write of a run left, as the intent knows it: `maybe` where that cannot be read. */
  hasLeft(hash: string, run: string): Promise<'no' | 'yes' | 'maybe' | 'legacy'>;
}

/** What the intents of several runs share: the directory of the files. */
export interface IntentsState {
  /** The runs whose process has not ended. */
  living: Set<string>;
  intents: Map<string, Intent>;
  /** The last change of each intent: the next one waits for it. */
  changes: Map<string, Promise<unknown>>;
}

export function intentsState(): IntentsState {
  return { living: new Set(), intents: new Map(), changes: new Map() };
}

/** Whatever is claimed here is written at once. */
const wish = { drop: () => Promise.resolve(false) };

const nameOf = ({ hash, run }: Intent): string => `${hash} ${run}`;

/** The intents as one run sees them, in memory; `written` throws where a write is to fail. */
export function memoryIntents({
  state = intentsState(),
  run,
  journal,
  written = () => undefined,
}: {
  state?: IntentsState;
  run: string;
  journal: { cameToNothing(run: string, hash: string): Promise<boolean> };
  written?: () => void;
}): Intents & LettingGo {
  const { living, intents, changes } = state;
  living.add(run);

  function exclusively<T>(hash: string, change: (before: Intent | undefined) => T | Promise<T>): Promise<T> {
    const mine = (changes.get(hash) ?? Promise.resolve()).then(() => {
      written();
      return change(intents.get(hash));
    });
    changes.set(
      hash,
      mine.catch(() => undefined),
    );
    return mine;
  }

  function isElsewhereAlive(intent: Intent): boolean {
    return intent.run !== run && living.has(intent.run);
  }

  function of(profile: string): Intent[] {
    return [...intents.values()]
      .filter((intent) => intent.profile === profile)
      .reverse()
      .sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
  }

  return {
    claim: (intent, seen) =>
      exclusively(intent.hash, (before) => {
        if (before) {
          return { claimed: false, intent: structuredClone(before), ownerAlive: isElsewhereAlive(before) };
        }
        const known = new Set(seen?.map(nameOf));
        const isNew = (one: Intent) => one.fingerprint === intent.fingerprint && !known.has(nameOf(one));
        if (seen !== undefined && of(intent.profile).some(isNew)) throw new IntentHeld();
        intents.set(intent.hash, { ...structuredClone(intent), sent: false });
        return { claimed: true, wish };
      }),
    missing: async () => 0,
    takeOver: (intent, previousRun) =>
      exclusively(intent.hash, async (before) => {
        if (before?.run !== previousRun || isElsewhereAlive(before)) return undefined;
        if (!mayBeTaken(before, await journal.cameToNothing(previousRun, intent.hash))) return undefined;
        intents.set(intent.hash, { ...structuredClone(intent), sent: false });
        return wish;
      }),
    letGo: (hash, of, record) =>
      exclusively(hash, async (intent) => {
        if (intent === undefined) throw brokenIntent('memory', 'it is missing', hash);
        checkMayLeave(intent, of, await journal.cameToNothing(of, hash));
        await record();
        intent.sent = true;
      }),
    giveBack: async () => undefined,
    hasLeft: async (hash, of) => leftOf(intents.get(hash), of),
    noteResource: (hash, resourceId) =>
      exclusively(hash, (intent) => {
        if (intent) intent.resourceId = resourceId;
      }),
    settle: (hash, settled, of = {}) =>
      exclusively(hash, (intent) => {
        const after = intent && ended(intent, settled, of);
        if (after !== undefined) intents.set(hash, after);
      }),
    named: async (prefix) =>
      structuredClone([...intents.values()].filter(({ hash }) => hash.startsWith(prefix))),
    broken: async () => [],
    repair: async () => undefined,
    find: async (hash) => structuredClone(intents.get(hash)),
    like: async (profile, fingerprint) =>
      of(profile)
        .filter((intent) => intent.fingerprint === fingerprint)
        .map((intent) => ({ ...structuredClone(intent), alive: isElsewhereAlive(intent) })),
    newest: async (profile) => structuredClone(of(profile)[0]),
    runs: async () => new Map([...intents.values()].map((intent) => [intent.run, structuredClone(intent)])),
  };
}

/** Whether the write of a run left, as its intent knows it (`Intents.hasLeft`); undefined is one that cannot be read. */
function leftOf(intent: Intent | undefined, run: string): 'no' | 'yes' | 'maybe' | 'legacy' {
  if (intent === undefined) return 'maybe';
  if (intent.run !== run || intent.settled !== undefined || intent.sent === false) return 'no';
  return intent.sent === true ? 'yes' : 'legacy';
}
