import type { Row } from './rows.ts';

const units = { s: 1, m: 60, h: 3600 } as const;

/** Seconds of `90s`, `60m` or `8h`. */
export function secondsOf(text: string): number {
  const match = /^(\d+)([smh])$/.exec(text);
  if (match === null) throw new Error(`--budget ${text}: give a number with s, m or h, such as 60m`);
  return Number(match[1]) * units[match[2] as keyof typeof units];
}

/** How many trials each row gets: all of them, or the same part of all where the whole would take longer than the budget. */
export function sizes(rows: readonly Row[], budget = Infinity): { part: number; trials: Map<Row, number> } {
  const start = sum(rows, ({ seconds }) => seconds.start);
  const trying = sum(rows, ({ seconds, full }) => seconds.each * full);
  const part = Math.min(1, Math.max(0, budget - start) / trying);
  const trials = new Map(rows.map((row) => [row, Math.max(row.least, Math.floor(row.full * part))]));
  return { part, trials };
}

function sum(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}
