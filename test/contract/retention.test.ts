import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClock } from '../../src/adapters/system/system-clock.ts';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import { grow } from '../helpers/grown-home.ts';
import { payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';
import { plantInto, rowsIn } from '../helpers/state-file.ts';

let bank: ExemptingBank;
let home: PayingHome;
beforeEach(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
});
afterEach(async () => {
  home.close();
  await bank.close();
});

const day = 24 * 60 * 60 * 1000;
const in100Days = 100 * day;

/** The clock some time from now. No time passes on it, but for what `step` lets each look at it take: the machine may be busy. */
function clockAt(ms: number, step = 0) {
  const clock = createClock();
  let steps = 0;
  return {
    clock: {
      ...clock,
      now: () => new Date(clock.now().getTime() + ms),
      monotonic: () => step * (steps += 1),
    },
  };
}

/** A run that calls the bank, so much later. */
async function later(ms: number, step = 0): Promise<void> {
  const args = ['payment', 'status', 'payment-0001', '--profile', 'acme', '--json'];
  const { code, stderr } = await home.run(args, { ports: clockAt(ms, step) });
  expect(code, stderr).toBe(0);
}

const state = () => join(home.folder, 'state');
const runs = () => rowsIn(state(), 'log', 'SELECT run FROM run').map(({ run }) => String(run));
/** Which payments the journal has still the start of. */
const started = (amounts: readonly string[]) => {
  const records = rowsIn(
    state(),
    'log',
    "SELECT CAST(record AS TEXT) AS text FROM record WHERE type = 'prepared'",
  );
  return amounts.filter((amount) =>
    records.some(
      ({ text }) =>
        String(text).includes('initiatePayment') && String(text).includes(`\\"amount\\":\\"${amount}\\"`),
    ),
  );
};
const usage = () =>
  rowsIn(
    state(),
    'log',
    `SELECT CAST(record AS TEXT) AS record FROM usage WHERE CAST(record AS TEXT) LIKE '%"retention"%'`,
  );
const keep = (value: string) => home.run(['config', 'set', 'retention', value, '--json']);

const payments = [
  ['1.00', 'exempt'],
  ['101.00', 'open'],
  ['2.00', undefined],
  ['201.00', 'lost'],
] as const;
const amounts = payments.map(([amount]) => amount);

/** How the same payments end when they are started once more. */
async function again(ms: number): Promise<(number | null)[]> {
  const codes: (number | null)[] = [];
  for (const [amount, key] of payments) {
    if (key === undefined) continue;
    codes.push((await home.pay(amount, key, { ports: clockAt(ms) })).code);
    expect(bank.made(amount)).toBe(1);
  }
  return codes;
}

it('a retention removes what no open outcome needs, and no payment is made again', async () => {
  for (const [amount, key] of payments) await home.pay(amount, key);
  const before = await again(0);
  expect(started(amounts)).toEqual(amounts);
  await later(in100Days);
  expect(started(amounts)).toEqual(amounts);
  expect((await keep('90d')).code).toBe(0);
  await later(89 * day);
  expect(started(amounts)).toEqual(amounts);
  await later(in100Days);
  expect(started(amounts)).toEqual(['101.00', '201.00']);
  expect(await again(in100Days)).toEqual(before);
  expect(before).toEqual([0, 0, 12]);
  const shown = await home.run(['payment', 'list', '--profile', 'acme', '--json']);
  expect(shown.stdout).toContain('payment-0001');
});

it('a retention keeps the intent, whatever becomes of what was saved', async () => {
  await home.pay('1.00', 'k');
  await keep('90d');
  await later(in100Days);
  expect(started(['1.00'])).toEqual([]);
  for (const table of ['resource', 'conversation']) plantInto(state(), 'state', `DELETE FROM ${table}`);
  const again = await home.pay('1.00', 'k', { ports: clockAt(in100Days) });
  expect(JSON.parse(again.stdout)).toMatchObject({ paymentId: 'payment-0001' });
  expect(bank.made('1.00')).toBe(1);
});

it('a retention looks once a day', async () => {
  await home.pay('1.00', 'k');
  await keep('4w');
  await later(0);
  await home.pay('2.00', 'l');
  await later(28 * day - day / 2);
  const before = usage();
  await later(28 * day);
  expect(usage()).toEqual(before);
  expect(started(['1.00', '2.00'])).toEqual(['1.00', '2.00']);
  await later(30 * day);
  expect(started(['1.00', '2.00'])).toEqual([]);
});

it('a retention continues where the run before had no time left', async () => {
  await home.pay('1.00', 'k');
  await grow(home, 12);
  await keep('30d');
  const counts: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    // Each look at the clock takes 20 ms.
    await later(in100Days, 20);
    counts.push(runs().filter((run) => run.startsWith('20260101')).length);
  }
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts[0]).toBeLessThan(12);
  expect(counts[3]).toBeLessThan(counts[0] ?? 0);
});

it('a retention does not change how a run ends where it cannot work', async () => {
  await home.pay('1.00', 'k');
  await keep('30d');
  await later(0);
  plantInto(state(), 'log', 'UPDATE usage SET record = ?1', [Buffer.from('not what obk wrote')]);
  const args = ['payment', 'status', 'payment-0001', '--profile', 'acme', '-v'];
  const { code, stderr } = await home.run(args, { ports: clockAt(in100Days) });
  expect({ code, why: /could not be removed.*does not hold what obk wrote/.test(stderr) }, stderr).toEqual({
    code: 0,
    why: true,
  });
  expect(started(['1.00'])).toEqual(['1.00']);
});

it('a retention is set, shown and removed, and refuses what is not a time', async () => {
  const json = async (...args: string[]) =>
    JSON.parse((await home.run(['config', ...args, '--profile', 'acme', '--json'])).stdout) as unknown;
  expect(await json('get', 'retention')).toMatchObject({ value: null });
  await keep('4w');
  expect(await json('get', 'retention')).toMatchObject({ value: '28d', origin: 'user' });
  for (const value of ['0', '0d', 'x', '-1d', '1y']) expect((await keep(value)).code, value).toBe(2);
  await json('unset', 'retention');
  expect(await json('get', 'retention')).toMatchObject({ value: null });
  const file = join(home.folder, 'config/config.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{"retention":"0d",'));
  const refused = await home.run(['config', 'list', '--profile', 'acme', '--json']);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('retention');
  expect(existsSync(join(state(), 'log.db'))).toBe(false);
});
