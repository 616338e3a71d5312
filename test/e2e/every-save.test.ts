import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import type { Ran } from '../helpers/obk.ts';
import { payArgs, payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';
import { wrongAfter } from '../helpers/struck.ts';
import { part, ranTable, trials } from '../helpers/trials.ts';

const bin = resolve(import.meta.dirname, '../../bin/obk.js');
const preload = resolve(import.meta.dirname, '../helpers/fault-at.cjs');
const row = trials('4', 4);

let bank: ExemptingBank;
let home: PayingHome;
let points: number;
let amounts = 0;

type Kind = 'kill' | 'full' | 'error';

/** obk in a process of its own, struck at the nth change of its state. */
function struck(args: readonly string[], kind: Kind, at: number): Promise<Ran> {
  return new Promise((done, failed) => {
    const env = {
      ...home.env,
      FAULT_KIND: kind,
      FAULT_AT: String(at),
      FAULT_FOLDER: join(home.folder, 'state'),
      FAULT_REPORT: join(home.folder, 'count'),
    };
    const child = spawn(process.execPath, ['--require', preload, bin, ...args], { env });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', failed);
    child.on('close', (code) => {
      done({ code, stdout, stderr });
    });
  });
}

/** One that nobody has paid yet: exempted from SCA, or with an authorisation that is due. */
const nextAmount = (exempt: boolean): string => {
  amounts += 1;
  return `${exempt ? '' : '1'}${String(10 + Math.floor(amounts / 100))}.${String(amounts % 100).padStart(2, '0')}`;
};

beforeAll(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
  // The first makes the tables; what is struck is what every further one does.
  for (let round = 0; round < 2; round += 1) {
    const whole = await struck(payArgs(nextAmount(false)), 'kill', 1e9);
    expect(whole.code, whole.stderr).toBe(0);
  }
  points = Number(readFileSync(join(home.folder, 'count'), 'utf8'));
  expect(points).toBeGreaterThan(20);
}, 30_000);
afterAll(async () => {
  home.close();
  await bank.close();
});

/** So many points, all of them where there are not more; the last ones come after the answer of the bank. */
function chosen(): number[] {
  const all = Array.from({ length: points }, (_, at) => at + 1);
  const step = Math.max(1, points / row.count);
  return all.filter((at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

/** Of the payments each kind of strike takes two in `npm test`. */
const payments = [
  ['exempted, without a key', true, undefined],
  ['to be authorised, without a key', false, undefined],
  ['exempted, with a key', true, 'key'],
  ['to be authorised, with a key', false, 'key'],
] as const;
const isCampaign = row.count > 4;

afterAll(() => {
  ranTable('every kind of payment at every strike');
});

describe.each([
  ['kill', 0],
  ['full', 1],
  ['error', 2],
] as const)('%s at a change of the state, in production', (kind, turn) => {
  it.each(isCampaign ? payments : part(payments, 2, turn))(
    'a payment %s',
    { timeout: row.timeout(120_000) },
    async (_, exempt, key) => {
      const found: string[] = [];
      let [before, after] = [0, 0];
      for (const at of chosen()) {
        const amount = nextAmount(exempt);
        const chosenKey = key && `${key}-${kind}-${amount}`;
        const first = await struck(payArgs(amount, chosenKey), kind, at);
        const made = bank.made(amount);
        if (made === 0) before += 1;
        else after += 1;
        const wrong = await wrongAfter(first, { amount, exempt, key: chosenKey }, { home, bank });
        found.push(...wrong.map((what) => `at ${String(at)} of ${String(points)}: ${what}`));
      }
      row.report(`${String(points)} changes, ${String(found.length)} violations`, chosen().length);
      expect(found, found.join('\n')).toEqual([]);
      // Faults that all come too early or too late prove nothing.
      expect(before).toBeGreaterThan(0);
      expect(after).toBeGreaterThan(0);
    },
  );
});
