import type { Journal } from '../../src/ports/journal.ts';

const nothing = Promise.resolve();

/** A journal that remembers nothing: the mistake that every harness of the money path must find. */
export const nullJournal: Journal = {
  run: 'forgotten',
  append: () => nothing,
  resolve: () => nothing,
  runs: () => Promise.resolve([]),
  read: () => Promise.resolve([]),
  openRuns: () => Promise.resolve([]),
  exact: () => Promise.resolve(undefined),
  claim: () => Promise.resolve({ claimed: true }),
  takeOver: () => Promise.resolve(true),
  noteResource: () => nothing,
  intent: () => Promise.resolve(undefined),
  intentsLike: () => Promise.resolve([]),
  newestIntent: () => Promise.resolve(undefined),
  intentRuns: () => Promise.resolve(new Map()),
  runsThat: () => Promise.resolve([]),
  noteFree: () => nothing,
  openWrites: () => Promise.resolve([]),
  keep: () => nothing,
  saved: () => nothing,
  close: () => nothing,
  settleIntent: () => nothing,
  intentsNamed: () => Promise.resolve([]),
  brokenIntents: () => Promise.resolve([]),
  repairIntent: () => nothing,
  remove: () => nothing,
};
