import { afterAll, beforeAll, expect, it } from 'vitest';
import { killCycles } from '../../helpers/kill-cycles.ts';
import { startStandaloneBank } from '../../helpers/standalone-bank.ts';
import type { RunningBank } from '../../helpers/standalone-bank.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('2', 60);
let bank: RunningBank;
beforeAll(async () => {
  bank = await startStandaloneBank();
}, 30_000);
afterAll(() => bank.close());

it(
  'the harness finds the duplicates of an obk without a memory',
  { timeout: row.timeout(120_000) },
  async () => {
    const { violations } = await killCycles(bank, { cycles: row.count, seed: row.seed, forgetful: true });
    const doubles = violations.filter((text) => text.includes('2 payments')).length;
    row.report(`${doubles} doubles found`);
    expect(doubles).toBeGreaterThanOrEqual(Math.floor(row.count / 15));
  },
);
