/** The promises of obk with their full figures, as data; each is kept by tests that `npm test` runs in a smaller size. */

/** A mistake that must turn its row red: in a file of the project, the text `find`, which stands there once, is replaced. */
export interface Mistake {
  readonly says: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** With how many trials it must be found. */
  readonly trials: number;
}

/** One line of the campaign. */
export interface Row {
  /** The number of the promise, or a name. */
  readonly id: string;
  readonly promise: string;
  /** What is counted. */
  readonly unit: string;
  readonly full: number;
  /** The fewest that prove anything: no budget goes below. */
  readonly least: number;
  /** What the row takes on two cores, in seconds: at any size, and for each trial. */
  readonly seconds: { readonly start: number; readonly each: number };
  /** The test files that keep the promise; they take their number of trials from `trials(id, …)`. */
  readonly tests: readonly string[];
  /** Programs without which the row cannot run; it is said aloud, and is red. */
  readonly needs?: readonly string[];
  readonly mistake: Mistake;
}

export const rows: readonly Row[] = [
  {
    id: '1',
    promise: 'A payment is never created twice, whatever dies when',
    unit: 'kills',
    full: 15_000,
    least: 60,
    seconds: { start: 10, each: 0.2 },
    tests: ['test/e2e/kill.test.ts'],
    mistake: {
      says: 'every run may send, whatever an earlier one has sent for the same intent',
      file: 'src/flows/intent.ts',
      find: 'const claim = await journal.claim(intent);',
      replace: 'const claim = { claimed: true };',
      trials: 60,
    },
  },
  {
    id: '25',
    promise: 'The limit of 100 calls a minute is kept by eight processes',
    unit: 'minutes',
    full: 5,
    least: 2,
    seconds: { start: 15, each: 62 },
    tests: ['test/e2e/pace.test.ts'],
    mistake: {
      says: 'a call that waits forgets what the others have taken meanwhile',
      file: 'src/flows/pace.ts',
      find: '[...recent(uses, rate, now), { at: now, what: me }]',
      replace: '[{ at: now, what: me }]',
      trials: 2,
    },
  },
];
