import type { Target } from '../exchange/target.ts';
import { newsOf } from './news.ts';
import type { News } from './news.ts';

/** How waiting ended: what was waited for came, can no longer come, or time was up. */
export type WatchEnd = 'reached' | 'missed' | 'timeout';

/** How often is read, and how long at most. */
export interface Pace {
  intervalMs: number;
  timeoutMs: number;
}

/** What is read of a resource again and again, and when that is over. */
export interface Watched<Reading> {
  id: string;
  read: () => Promise<Reading>;
  /** Undefined while it goes on. */
  judge: (reading: Reading) => 'reached' | 'missed' | undefined;
}

/**
 * Polls a resource and yields each reading until `judge` sees an end or the time is up; returns how it ended, and the last
 * reading.
 */
export async function* watch<Reading>(
  target: Target,
  { id, read, judge }: Watched<Reading>,
  { intervalMs, timeoutMs }: Pace,
): AsyncGenerator<Reading, { end: WatchEnd; last: Reading }> {
  const { clock } = target.ports;
  const deadline = clock.monotonic() + timeoutMs;
  let news: News | undefined;
  try {
    for (;;) {
      const last = await read();
      yield last;
      const end = judge(last);
      if (end !== undefined) return { end, last };
      const left = deadline - clock.monotonic();
      if (left <= 0) return { end: 'timeout', last };
      news ??= await newsOf(target, id);
      await news.sleep(Math.min(intervalMs, left), target.run.signal);
    }
  } finally {
    await news?.close();
  }
}
