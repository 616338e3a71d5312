import type { Clock, Ids } from '../../../src/client/ports/clock.ts';

/** A clock that stands still until a test (or a sleep, unless `manual`) moves it. */
export interface FakeClock extends Clock {
  /** The milliseconds of every sleep so far. */
  readonly slept: readonly number[];
  /** How many sleep now. */
  readonly sleeping: number;
  /** Moves the time on and wakes whoever slept until then. */
  advance(ms: number): void;
  set(iso: string): void;
}

export const startOfTime = '2026-11-21T10:00:00.000Z';

/** Sleeping moves the time by itself; with `manual` only `advance` does. */
export function fakeClock({ at = startOfTime, manual = false } = {}): FakeClock {
  let now = Date.parse(at);
  let monotonic = 1_000;
  const slept: number[] = [];
  const sleepers = new Set<{ until: number; wake: () => void }>();

  function advance(ms: number): void {
    now += ms;
    monotonic += ms;
    for (const sleeper of [...sleepers].sort((a, b) => a.until - b.until)) {
      if (sleeper.until > monotonic) continue;
      sleepers.delete(sleeper);
      sleeper.wake();
    }
  }

  function wakeAfter(ms: number, wake: () => void): () => void {
    slept.push(ms);
    const sleeper = { until: monotonic + ms, wake };
    sleepers.add(sleeper);
    // Whoever races with this sleep gets its turn first.
    if (!manual) {
      setImmediate(() => {
        if (sleepers.has(sleeper)) advance(Math.max(0, sleeper.until - monotonic));
      });
    }
    return () => sleepers.delete(sleeper);
  }

  return {
    slept,
    get sleeping() {
      return sleepers.size;
    },
    advance,
    set: (iso) => {
      now = Date.parse(iso);
    },
    now: () => new Date(now),
    monotonic: () => monotonic,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const stop = wakeAfter(ms, resolve);
        signal?.addEventListener('abort', () => {
          stop();
          reject(signal.reason as Error);
        });
      }),
    after: wakeAfter,
  };
}

/** Ids that count up: 00000000-0000-4000-8000-000000000001 and so on. */
export function fakeIds(): Ids {
  let uuids = 0;
  let tokens = 0;
  return {
    uuid: () => `00000000-0000-4000-8000-${(++uuids).toString(16).padStart(12, '0')}`,
    token: (bytes) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntBE(++tokens, Math.max(0, bytes - 4), Math.min(4, bytes));
      return buffer.toString('base64url');
    },
  };
}
