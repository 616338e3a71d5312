import { expect, it } from 'vitest';
import { paceEight } from '../helpers/counting-bank.ts';

const windowMs = 6_000;
const pagesEach = 23;

it(
  '8 processes at a bank with a limit of 100 get no 429, and use at least 75 % of it',
  { timeout: 60_000 },
  async () => {
    const { arrivals, refused, rows, complaints } = await paceEight(windowMs, pagesEach, 50_000);
    expect(complaints).toBe('');
    expect(rows).toEqual(Array(8).fill(pagesEach));
    expect(refused).toBe(0);
    expect(arrivals).toHaveLength(8 * pagesEach);
    const within = (window: number) => arrivals.filter((at) => Math.floor(at / windowMs) === window).length;
    expect(within(0)).toBeGreaterThanOrEqual(75);
    expect(within(1)).toBeGreaterThanOrEqual(75);
  },
);
