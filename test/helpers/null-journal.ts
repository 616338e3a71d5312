import type { Intents } from '../../src/client/ports/intents.ts';
import type { Journal } from '../../src/client/ports/journal.ts';

const nothing = Promise.resolve();

/** A journal that remembers nothing: the mistake that every harness of the money path must find. */
export const nullJournal: Journal = {
  run: 'forgotten',
  host: () => Promise.resolve(undefined),
  append: () => nothing,
  resolve: () => nothing,
  runs: () => Promise.resolve([]),
  oldest: () => Promise.resolve(undefined),
  read: () => Promise.resolve([]),
  openRuns: () => Promise.resolve([]),
  exact: () => Promise.resolve(undefined),
  runsThat: () => Promise.resolve([]),
  noteFree: () => nothing,
  scrub: () => nothing,
  follow: () =>
    Promise.resolve({ wait: () => nothing, changed: () => Promise.resolve([]), close: () => nothing }),
  openWrites: () => Promise.resolve([]),
  close: () => nothing,
  remove: () => nothing,
};

/** Intents that remember nothing either: each run may send. */
export const nullIntents: Intents = {
  claim: () => Promise.resolve({ claimed: true, wish: { drop: () => Promise.resolve(false) } }),
  takeOver: () => Promise.resolve({ drop: () => Promise.resolve(false) }),
  missing: () => Promise.resolve(0),
  noteResource: () => nothing,
  find: () => Promise.resolve(undefined),
  like: () => Promise.resolve([]),
  newest: () => Promise.resolve(undefined),
  runs: () => Promise.resolve(new Map()),
  settle: () => nothing,
  named: () => Promise.resolve([]),
  broken: () => Promise.resolve([]),
  repair: () => nothing,
};
