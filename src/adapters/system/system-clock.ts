import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock, Ids } from '../../client/ports/clock.ts';

export function createClock(): Clock {
  return {
    now: () => new Date(),
    // `performance` would be loaded for it.
    monotonic: () => Number(process.hrtime.bigint()) / 1e6,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(reasonOf(signal));
          return;
        }
        const stop = () => {
          clearTimeout(timer);
          if (signal) reject(reasonOf(signal));
        };
        const timer = setTimeout(() => {
          signal?.removeEventListener('abort', stop);
          resolve();
        }, ms);
        signal?.addEventListener('abort', stop, { once: true });
      }),
    after: (ms, act) => {
      const timer = setTimeout(act, ms);
      return () => {
        clearTimeout(timer);
      };
    },
  };
}

export function createIds(): Ids {
  return {
    uuid: () => randomUUID(),
    token: (bytes) => randomBytes(bytes).toString('base64url'),
  };
}

function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
