import { expect, it } from 'vitest';
import { retryAfterMs } from '../../../../src/client/exchange/retry.ts';

const now = Date.UTC(2026, 10, 22, 9, 0, 0);

it.each<[string, number | undefined]>([
  ['0', 0],
  ['5', 5_000],
  ['99999', 99_999_000],
  ['Sun, 22 Nov 2026 09:00:07 GMT', 7_000],
  ['Sun, 22 Nov 2026 08:59:00 GMT', undefined],
  ['Mon, 23 Nov 2026 09:00:00 GMT', 86_400_000],
  ['', undefined],
  ['-1', undefined],
  ['100000', undefined],
  ['1.5', undefined],
  ['2026-11-22T09:00:07Z', undefined],
  ['Sunday, 22-Nov-26 09:00:07 GMT', undefined],
  ['Sun, 32 Nov 2026 09:00:07 GMT', undefined],
  ['Sun, 22 Nov 2026 09:00:07 GMT x', undefined],
])('Retry-After is read: "%s"', (text, ms) => {
  expect(retryAfterMs(text, now)).toBe(ms);
});
