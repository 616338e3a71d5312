/** A number of calls of one operation within a window of time. */
export interface Rate {
  calls: number;
  windowMs: number;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Returns the milliseconds of a duration such as 90s, 2m or 500ms (seconds without a unit); undefined for another text.
 */
export function milliseconds(text: string): number | undefined {
  const [, digits, unit = 's'] = /^(\d{1,9}(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const ms = Number(digits) * (units[unit] ?? Number.NaN);
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

/** Reads a rate such as 90 (a minute), 90/6s or off; undefined for another text. */
export function readRate(text: string): Rate | 'off' | undefined {
  if (text === 'off') return text;
  const [, calls = '', window = '1m'] = /^(\d{1,6})(?:\/(.+))?$/.exec(text) ?? [];
  const windowMs = milliseconds(window);
  return Number(calls) > 0 && windowMs !== undefined ? { calls: Number(calls), windowMs } : undefined;
}
