import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { obkRun } from '../helpers/kill-cycles.ts';
import { shop } from '../helpers/obk.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';
import type { RunningBank } from '../helpers/standalone-bank.ts';
import { isWhole, ranTable, trials } from '../helpers/trials.ts';

const row = trials('15', 3);
const many = isWhole ? 20 : 8;
let bank: RunningBank;
beforeAll(async () => {
  bank = await startStandaloneBank();
}, 30_000);
afterAll(async () => {
  ranTable('twenty payments at once');
  await bank.close();
});
beforeEach(() => {
  bank.forgetCalls();
});

const init = (amount: string, key: string) =>
  obkRun(
    bank,
    [
      ...['payment', 'init', ...shop, '--profile', 'sandbox', '--no-input', '--json'],
      ...['--amount', amount, '--intent-key', key],
    ],
    bank.env,
  );
const idOf = (stdout: string) => (JSON.parse(stdout) as { paymentId?: string }).paymentId;

it(
  'two processes with one intent key at once: one payment, and the loser waits or gets it',
  { timeout: row.timeout(60_000) },
  async () => {
    for (let round = 0; round < row.count; round += 1) {
      const amount = `${String(61 + Math.floor(round / 100))}.${String(round % 100).padStart(2, '0')}`;
      bank.forgetCalls();
      const both = await Promise.all([
        init(amount, `both-${String(round)}`),
        init(amount, `both-${String(round)}`),
      ]);
      const where = `round ${String(round)}: ${JSON.stringify(both)}`;
      expect(bank.paymentsOf(amount), where).toBe(1);
      expect(bank.arrivals('initiatePayment'), where).toBe(1);
      const winners = both.filter(({ exit }) => exit === 0);
      const losers = both.filter(({ exit }) => exit !== 0);
      expect(winners.length, where).toBeGreaterThan(0);
      const [paymentId] = bank.paymentIdsOf(amount);
      for (const { stdout } of winners) expect(idOf(stdout)).toBe(paymentId);
      for (const { exit, stderr } of losers) {
        expect(exit, where).toBe(8);
        expect(stderr).toContain('INTENT_IN_PROGRESS');
      }
    }
    row.report('1 payment of each');
  },
);

it(
  `${String(many)} payments at once are as many payments, each with all its records`,
  { timeout: 60_000 },
  async () => {
    const amounts = Array.from({ length: many }, (_, at) => `92.${String(at).padStart(2, '0')}`);
    const all = await Promise.all(amounts.map((amount) => init(amount, `many-${amount}`)));
    const created = expect.stringMatching(/^\{"created":\{.*\}\}\n$/) as string;
    expect(all.map(({ exit, stderr }) => ({ exit, stderr }))).toEqual(
      amounts.map(() => ({ exit: 0, stderr: created })),
    );
    expect(bank.arrivals('initiatePayment')).toBe(many);
    const ids = all.map(({ stdout }) => idOf(stdout));
    expect(new Set(ids).size).toBe(many);
    const listed = JSON.parse(bank.obk('payment', 'list', '--profile', 'sandbox', '--json')) as {
      paymentId: string;
      amount: string;
    }[];
    const pending = JSON.parse(bank.obk('pending', 'list', '--profile', 'sandbox', '--json')) as {
      id: string;
    }[];
    for (const [at, id] of ids.entries()) {
      expect(bank.paymentIdsOf(amounts[at] ?? '')).toEqual([id]);
      expect(listed.find((row) => row.paymentId === id)).toMatchObject({ amount: amounts[at] });
      expect(pending.some((row) => row.id === id)).toBe(true);
    }
    // Nothing half-written is left behind.
    const state = join(bank.env['XDG_STATE_HOME'] ?? '', 'obk');
    const left = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tmp$|\.lock$/.test(name),
    );
    expect(left).toEqual([]);
  },
);
