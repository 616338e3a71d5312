import { afterAll, beforeAll, expect, it } from 'vitest';
import { killCycles } from '../helpers/kill-cycles.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';
import type { RunningBank } from '../helpers/standalone-bank.ts';
import { trials } from '../helpers/trials.ts';

const row = trials('1', 9);
let bank: RunningBank;
beforeAll(async () => {
  bank = await startStandaloneBank();
}, 30_000);
afterAll(() => bank.close());

it(
  'never makes two payments of one intent, whenever it is killed',
  { timeout: row.timeout(180_000) },
  async () => {
    const { cycles, violations } = await killCycles(bank, { cycles: row.count, seed: row.seed });
    const made = cycles.filter((cycle) => cycle.before === 1).length;
    const unknown = cycles.filter((cycle) => cycle.exit === 12).length;
    row.report(`${made} with the payment made before the kill, ${unknown} reruns ended in unknown`);
    expect(violations).toEqual([]);
    // Kills that all came too early or too late would prove nothing.
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(cycles.length);
  },
);
