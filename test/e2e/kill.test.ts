import { afterAll, beforeAll, expect, it } from 'vitest';
import { killCycles } from '../helpers/kill-cycles.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';
import type { RunningBank } from '../helpers/standalone-bank.ts';

let bank: RunningBank;
beforeAll(async () => {
  bank = await startStandaloneBank();
}, 30_000);
afterAll(() => bank.close());

it('never makes two payments of one intent, whenever it is killed', { timeout: 180_000 }, async () => {
  const { cycles, violations } = await killCycles(bank, { cycles: 24, seed: 7 });
  expect(violations).toEqual([]);
  // Kills that all came too early or too late would prove nothing.
  expect(cycles.some((cycle) => cycle.before === 0)).toBe(true);
  expect(cycles.some((cycle) => cycle.before === 1)).toBe(true);
});
