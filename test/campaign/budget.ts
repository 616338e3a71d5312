import type { Row } from './rows.ts';

const units = { s: 1, m: 60, h: 3600 } as const;

/** Seconds of `90s`, `60m` or `8h`. */
export function secondsOf(text: string): number {
  const match = /^(\d+)([smh])$/.exec(text);
  if (match === null) throw new Error(`--budget ${text}: give a number with s, m or h, such as 60m`);
  return Number(match[1]) * units[match[2] as keyof typeof units];
}

/** How large each row is run. */
export interface Sizes {
  /** The part of its full size that each row gets, but never less than its least. */
  readonly part: number;
  readonly trials: ReadonlyMap<Row, number>;
  /** What all of it takes by the estimates of the rows, in seconds. */
  readonly seconds: number;
}

/**
 * The largest part of all rows alike that the budget holds, the time of those counted in that do not go below their least; the
 * least of each where even that takes longer.
 */
export function sizes(rows: readonly Row[], budget = Infinity): Sizes {
  const at = (part: number): Sizes => {
    const trials = new Map(rows.map((row) => [row, trialsOf(row, part)]));
    const seconds = rows.reduce((sum, row) => sum + secondsFor(row, trials.get(row) ?? row.least), 0);
    return { part, trials, seconds };
  };
  const whole = at(1);
  if (whole.seconds <= budget) return whole;
  let [low, high] = [0, 1];
  for (let round = 0; round < 40; round += 1) {
    const middle = (low + high) / 2;
    if (at(middle).seconds <= budget) low = middle;
    else high = middle;
  }
  return at(low);
}

/** What a row takes with so many trials, by its estimate. */
export function secondsFor({ seconds }: Row, trials: number): number {
  return seconds.start + seconds.each * trials;
}

function trialsOf({ full, least }: Row, part: number): number {
  return Math.min(full, Math.max(least, Math.floor(full * part)));
}
