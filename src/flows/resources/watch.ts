import type { Target } from '../exchange/target.ts';

/** How waiting ended: what was waited for came, can no longer come, or time was up. */
export type WatchEnd = 'reached' | 'missed' | 'timeout';

/** How often is read, and how long at most. */
export interface Pace {
  intervalMs: number;
  timeoutMs: number;
}

/**
 * Polls and yields each reading until `judge` sees an end or the time is up; returns how it ended, and the last
 * reading.
 */
export async function* watch<Reading>(
  { ports, run }: Target,
  { intervalMs, timeoutMs }: Pace,
  read: () => Promise<Reading>,
  judge: (reading: Reading) => 'reached' | 'missed' | undefined,
): AsyncGenerator<Reading, { end: WatchEnd; last: Reading }> {
  const { clock } = ports;
  const deadline = clock.monotonic() + timeoutMs;
  for (;;) {
    const last = await read();
    yield last;
    const end = judge(last);
    if (end !== undefined) return { end, last };
    const left = deadline - clock.monotonic();
    if (left <= 0) return { end: 'timeout', last };
    await clock.sleep(Math.min(intervalMs, left), run.signal);
  }
}
