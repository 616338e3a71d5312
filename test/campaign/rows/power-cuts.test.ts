// A power cut at any moment of a payment: what nobody waited for is lost, kept in part, or comes in another order.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imageAfter, placed, traceOf } from '../../helpers/crash-images.ts';
import type { Kept, Trace } from '../../helpers/crash-images.ts';
import { Dice } from '../../helpers/dice.ts';
import { startExemptingBank } from '../../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../../helpers/exempting-bank.ts';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { stateAtHome } from '../../helpers/file-store.ts';
import { payArgs, payingHome } from '../../helpers/paying-home.ts';
import type { PayingHome } from '../../helpers/paying-home.ts';
import { hasPrograms } from '../../helpers/programs.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('power', 90);
const hasStrace = hasPrograms('strace');

let bank: ExemptingBank;
let home: PayingHome;
let trace: Trace;
const scene = mkdtempSync(join(tmpdir(), 'obk-power-'));

beforeAll(async () => {
  if (!hasStrace) return;
  bank = await startExemptingBank();
  home = await payingHome(bank);
  const stateDir = join(home.folder, 'state');
  const pay = (amount: string, key: string) =>
    traceOf(payArgs(amount, key), { env: home.env, cwd: home.folder, stateDir });
  // The first makes the files and their tables.
  expect((await pay('10.00', 'first')).code).toBe(0);
  trace = await pay('11.00', 'second');
  expect(trace.code).toBe(0);
}, 60_000);
afterAll(async () => {
  rmSync(scene, { recursive: true, force: true });
  if (!hasStrace) return;
  home.close();
  await bank.close();
});

/** What is wrong with what the rules make of an image. */
async function wrongIn(count: number, kept: Kept, dice: Dice): Promise<string[]> {
  const done = trace.steps.slice(0, count);
  const hasLeft = done.some((step) => step.is === 'left' && step.text.startsWith('POST '));
  const hasPrinted = done.some((step) => step.is === 'printed');
  placed(imageAfter(trace, count, kept, dice), scene);
  const state = stateAtHome({ stateDir: scene, clock: fakeClock(), run: 'later' });
  try {
    const all = [...(await state.intents.runs()).values()];
    const mine = all.find(({ key }) => key === 'second');
    const open = await state.journal.openWrites();
    const saved = await state.resources.list('acme', 'payment');
    const isOpen = open.some(({ intent }) => intent !== undefined && intent === mine?.hash);
    const isSaved = saved.some(({ intent }) => intent === mine?.hash);
    const claim = mine && (await state.intents.claim({ ...mine, run: 'later' }));
    const found: string[] = [];
    if (!all.some(({ key }) => key === 'first')) found.push('the payment before is not known');
    if (hasLeft && mine?.sent !== true) found.push('a payment that left may be sent again');
    if (hasLeft && !isOpen && !isSaved) found.push('a payment that left is in no list');
    if (claim?.claimed === true) found.push('its key is free');
    if (mine?.sent === true && !isOpen && !isSaved) found.push('it is begun, and in no list');
    if (hasPrinted && (!isSaved || isOpen || mine?.resourceId === undefined))
      found.push('an outcome that was printed is lost');
    return found.map((what) => `${kept} after ${String(count)} of ${String(trace.steps.length)}: ${what}`);
  } catch (error) {
    return [`${kept} after ${String(count)}: ${String(error)}`];
  } finally {
    await state.close();
  }
}

describe.runIf(hasStrace)('a power cut', () => {
  it(
    'loses no write that left and no outcome that was printed',
    { timeout: row.timeout(120_000) },
    async () => {
      const { steps } = trace;
      expect(steps.some((step) => step.is === 'left' && step.text.startsWith('POST '))).toBe(true);
      expect(steps.some(({ is }) => is === 'printed')).toBe(true);
      const dice = new Dice(row.seed);
      const found: string[] = [];
      for (let turn = 0; turn < row.count; turn += 1) {
        const kept = (['nothing', 'all', 'some'] as const)[turn % 3] ?? 'some';
        // Evenly over the whole run first, then wherever the dice fall.
        const count =
          turn < row.count / 2
            ? Math.round((turn / (row.count / 2)) * steps.length)
            : dice.below(steps.length + 1);
        found.push(...(await wrongIn(count, kept, dice)));
      }
      row.report(`${String(found.length)} violations`);
      expect(found).toEqual([]);
    },
  );
});
