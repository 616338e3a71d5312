import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { trials } from '../../helpers/trials.ts';
import { networkFaults } from '../network-faults.ts';
import { pay, payerAt } from '../payer.ts';
import type { Payer } from '../payer.ts';
import { startPlainBank } from '../plain-bank.ts';
import type { PlainBank } from '../plain-bank.ts';

/** Refusals that say that nothing was made, and an answer that came whole. */
const clear = ['401', '409', '429 with Retry-After', 'a second answer behind the first'];
const lost = Object.keys(networkFaults).filter((fault) => !clear.includes(fault));
const histories = lost.flatMap((fault) => [true, false].map((keyed) => ({ fault, keyed })));

const row = trials('5', 8);
const chosen = histories.filter((_, at) => (at * row.count) % histories.length < row.count);

let bank: PlainBank;
beforeAll(async () => {
  bank = await startPlainBank();
});
afterAll(async () => {
  row.report('each is listed with a next step; one payment in each loop', chosen.length);
  await bank.close();
});
let payer: Payer;
beforeEach(async () => {
  bank.afresh();
  payer = await payerAt(bank.baseUrl);
});
afterEach(() => {
  payer.close();
});

it.each(chosen)(
  'a loop until it works pays once: $fault, with a key of its own: $keyed',
  async ({ fault, keyed }) => {
    const args = pay('7.00', '--authorise-later', ...(keyed ? ['--intent-key', 'loop'] : []));
    const careful = args.filter((arg) => arg !== '--allow-duplicate');
    bank.surprise('POST payments', networkFaults[fault]!);
    const exits: (number | null)[] = [];
    let stderr = '';
    for (let round = 0; round < 4; round += 1) {
      const ran = await payer.run(...careful);
      exits.push(ran.code);
      stderr ||= ran.stderr;
      if (ran.code === 0) break;
    }
    const about = `${JSON.stringify(exits)} ${stderr}`;
    expect(bank.count('POST payments'), about).toBe(1);
    expect(exits[0], about).toBe(12);
    expect(exits, about).not.toContain(0);
    const pending = await payer.run('pending', 'list', '--json');
    const rows = JSON.parse(pending.stdout) as { kind: string; amount: string; next: string }[];
    expect(rows.filter(({ kind }) => kind === 'unknown')).toHaveLength(1);
    expect(rows[0]).toMatchObject({ amount: '7.00' });
    expect(rows[0]?.next).toMatch(/^obk /);
  },
  row.timeout(30_000),
);
