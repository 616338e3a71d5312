import { expect, it } from 'vitest';
import { paceEight } from '../helpers/counting-bank.ts';
import { trials } from '../helpers/trials.ts';

const row = trials('25', 2);
const inCampaign = row.timeout(0) > 0;
// A window of the bank is a minute in the campaign.
const windowMs = inCampaign ? 60_000 : 6_000;
const pagesEach = Math.ceil((row.count * 90) / 8);

it(
  '8 processes at a bank with a limit of 100 get no 429, and use at least 75 % of it',
  { timeout: row.timeout(60_000) },
  async () => {
    const bound = inCampaign ? (row.count + 2) * windowMs : 50_000;
    const { arrivals, refused, rows, complaints } = await paceEight(windowMs, pagesEach, bound);
    const inWindow = Array.from(
      { length: row.count },
      (_, window) => arrivals.filter((at) => Math.floor(at / windowMs) === window).length,
    );
    row.report(`${inWindow.join(', ')} calls in each, ${refused} times 429`);
    expect(complaints).toBe('');
    expect(rows).toEqual(Array(8).fill(pagesEach));
    expect(refused).toBe(0);
    expect(arrivals).toHaveLength(8 * pagesEach);
    for (const calls of inWindow) expect(calls).toBeGreaterThanOrEqual(75);
  },
);
