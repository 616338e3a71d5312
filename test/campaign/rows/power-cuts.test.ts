// A power cut at any moment of a payment: what nobody waited for is lost, kept in part, or comes in another order.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IntentHeld } from '../../../src/base/errors.ts';
import { imageAfter, placed, traceOf } from '../../helpers/crash-images.ts';
import type { Kept, Trace } from '../../helpers/crash-images.ts';
import { Dice } from '../../helpers/dice.ts';
import { startExemptingBank } from '../../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../../helpers/exempting-bank.ts';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { stateAtHome } from '../../helpers/file-store.ts';
import { createObk, shop } from '../../helpers/obk.ts';
import type { Obk } from '../../helpers/obk.ts';
import { payArgs, payingHome } from '../../helpers/paying-home.ts';
import type { PayingHome } from '../../helpers/paying-home.ts';
import { hasPrograms } from '../../helpers/programs.ts';
import { rowsIn } from '../../helpers/state-file.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('power', 90);
const hasStrace = hasPrograms('strace');

/** The trace of a payment, the second in its home; its key is `second`. */
interface Scene {
  profile: string;
  trace: Trace;
  /** After how many steps the state first said what it says, as it is when nothing is lost. */
  first: ReadonlyMap<string, number>;
}

let bank: ExemptingBank;
let home: PayingHome;
let obk: Obk;
const scenes: Scene[] = [];
const place = mkdtempSync(join(tmpdir(), 'obk-power-'));
const isWrite = (step: Trace['steps'][number]) => step.is === 'left' && /^(?:POST|PUT) /.test(step.text);

beforeAll(async () => {
  if (!hasStrace) return;
  bank = await startExemptingBank();
  home = await payingHome(bank);
  await scene(
    'acme',
    { env: home.env, cwd: home.folder, stateDir: join(home.folder, 'state') },
    (amount, key) => payArgs(`1${amount}`, key),
  );
  obk = createObk();
  const people = (await obk.json(['sandbox', 'people'])) as {
    psuId: string;
    password: string;
    otp: string;
  }[];
  const { password = '', otp = '' } = people.find(({ psuId }) => psuId === 'embedded-choice') ?? {};
  const env = { ...obk.env, PSU_PASSWORD: password, PSU_OTP: otp };
  await scene(
    'sandbox',
    { env, cwd: obk.folder, stateDir: join(obk.home, 'state', 'obk') },
    (amount, key) => [
      ...['payment', 'init', ...shop, '--profile', 'sandbox', '--amount', amount, '--intent-key', key],
      ...['--psu-id', 'embedded-choice', '--sca-method', 'sms', '--psu-password-from', 'env:PSU_PASSWORD'],
      ...['--otp-from', 'env:PSU_OTP', '--wait', '--no-input', '--json'],
    ],
  );
}, 120_000);
afterAll(async () => {
  rmSync(place, { recursive: true, force: true });
  if (!hasStrace) return;
  home.close();
  obk.close();
  await bank.close();
});

async function scene(
  profile: string,
  where: Parameters<typeof traceOf>[1],
  words: (amount: string, key: string) => readonly string[],
): Promise<void> {
  // The first makes the files and their tables.
  expect((await traceOf(words('10.00', 'first'), where)).code).toBe(0);
  const trace = await traceOf(words('11.00', 'second'), where);
  expect(trace.code).toBe(0);
  const first = new Map<string, number>();
  for (const count of trace.steps.keys()) {
    if (trace.steps[count]?.is !== 'synced' && trace.steps[count]?.is !== 'left') continue;
    placed(imageAfter(trace, count, 'all', new Dice(1)), place);
    const now = told();
    if (!first.has(now)) first.set(now, count);
  }
  scenes.push({ profile, trace, first });
}

/** What the state says of payments and authorisations. */
function told(): string {
  const of = (table: string) =>
    rowsIn(place, 'state', `SELECT CAST(record AS TEXT) AS record FROM ${table} ORDER BY 1`);
  return JSON.stringify([of('resource'), of('conversation')]);
}

/** What is wrong with what the rules make of an image. */
async function wrongIn(
  { profile, trace, first }: Scene,
  count: number,
  kept: Kept,
  dice: Dice,
): Promise<string[]> {
  const done = trace.steps.slice(0, count);
  const left = done.findLastIndex(isWrite);
  const hasLeft = left >= 0;
  const printed = done.flatMap((step) => (step.is === 'printed' ? [step.text] : [])).join('');
  placed(imageAfter(trace, count, kept, dice), place);
  const since = first.get(told()) ?? Infinity;
  const at = (run: string) => stateAtHome({ stateDir: place, clock: fakeClock(), run });
  const [state, other] = [at('later'), at('other')];
  try {
    const all = [...(await state.intents.runs()).values()];
    const mine = all.find(({ key }) => key === 'second');
    const open = await state.journal.openWrites();
    const saved = (await state.resources.list(profile, 'payment')).find(
      ({ intent }) => intent === mine?.hash,
    );
    const isOpen = open.some(({ intent }) => intent !== undefined && intent === mine?.hash);
    const found: string[] = [];
    if (!all.some(({ key }) => key === 'first')) found.push('the payment before is not known');
    if (hasLeft && mine?.sent !== true) found.push('a payment that left may be sent again');
    if (hasLeft && !isOpen && saved === undefined) found.push('a payment that left is in no list');
    if (mine?.sent === true && !isOpen && saved === undefined) found.push('it is begun, and in no list');
    if (hasLeft && open.length === 0 && since <= left)
      found.push('a write that left is neither open nor over');
    if (printed !== '' && (isOpen || mine?.resourceId === undefined || saved?.status !== statusIn(printed)))
      found.push('an outcome that was printed is lost');
    const began = await Promise.all([begin(state, 'later'), begin(other, 'other')]);
    const again = began.filter(Boolean).length;
    if (mine === undefined ? again > 1 : again > 0) found.push(`it is begun ${String(again)} times more`);
    return found.map(
      (what) => `${profile}, ${kept} after ${String(count)} of ${String(trace.steps.length)}: ${what}`,
    );

    /** Two runs at once begin the same payment without a key of their own, after a look that saw no other than that of the image. */
    async function begin({ intents }: typeof state, run: string): Promise<boolean> {
      const like = mine ?? all.find(({ key }) => key === 'first');
      if (like === undefined) return false;
      const fresh = { ...like, run, fingerprint: mine?.fingerprint ?? 'second', chosen: false };
      const hash = mine?.hash ?? run.padEnd(64, '0');
      try {
        return (await intents.claim({ ...fresh, hash }, [])).claimed;
      } catch (error) {
        if (error instanceof IntentHeld) return false;
        throw error;
      }
    }
  } catch (error) {
    return [`${profile}, ${kept} after ${String(count)}: ${String(error)}`];
  } finally {
    await state.close();
    await other.close();
  }
}

const statusIn = (text: string): unknown => {
  try {
    return (JSON.parse(text) as { transactionStatus?: unknown }).transactionStatus;
  } catch {
    return undefined;
  }
};

describe.runIf(hasStrace)('a power cut', () => {
  it(
    'loses no write that left and no outcome that was printed',
    { timeout: row.timeout(120_000) },
    async () => {
      for (const { trace } of scenes) {
        expect(trace.steps.some(isWrite)).toBe(true);
        expect(trace.steps.some(({ is }) => is === 'printed')).toBe(true);
      }
      const seen = scenes.flatMap((one) =>
        one.trace.steps.flatMap((step, at) =>
          step.is === 'printed' || isWrite(step) ? [{ scene: one, count: at + 1 }] : [],
        ),
      );
      const dice = new Dice(row.seed);
      const found: string[] = [];
      for (let turn = 0; turn < row.count; turn += 1) {
        const kept = (['nothing', 'all', 'some'] as const)[turn % 3] ?? 'some';
        const cut = Math.floor(turn / 3);
        // First after each step that somebody outside has seen, then wherever the dice fall.
        const at = seen[cut];
        const its = at?.scene ?? scenes[cut % scenes.length];
        if (its === undefined) break;
        const count = at?.count ?? dice.below(its.trace.steps.length + 1);
        found.push(...(await wrongIn(its, count, kept, dice)));
      }
      row.report(`${String(found.length)} violations`);
      expect(found).toEqual([]);
    },
  );
});
