// The calls of the money path to the system, each struck in turn: an error of the disk, a full disk, a kill.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startExemptingBank } from '../../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../../helpers/exempting-bank.ts';
import { payArgs, payingHome } from '../../helpers/paying-home.ts';
import type { PayingHome } from '../../helpers/paying-home.ts';
import { hasPrograms } from '../../helpers/programs.ts';
import { traced } from '../../helpers/strace.ts';
import type { Call, Strike } from '../../helpers/strace.ts';
import { isListed, wrongAfter } from '../../helpers/struck.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('4', 2);
const watch = [
  'openat',
  'write',
  'pwrite64',
  'fsync',
  'fdatasync',
  'rename',
  'link',
  'unlink',
  'mkdir',
  'ftruncate',
  'close',
];
const needsSpace = ['openat', 'write', 'pwrite64', 'rename', 'link', 'mkdir'];

let bank: ExemptingBank;
let home: PayingHome;
let calls: Call[] = [];
let amounts = 0;

const nextAmount = (exempt: boolean): string => {
  amounts += 1;
  return `${exempt ? '' : '1'}${String(10 + Math.floor(amounts / 100))}.${String(amounts % 100).padStart(2, '0')}`;
};
const run = (amount: string, key: string | undefined, strike?: Strike) =>
  traced(payArgs(amount, key), {
    ...{ env: home.env, cwd: home.folder, watch },
    ...(strike === undefined ? {} : { strike }),
  });

const hasStrace = hasPrograms('strace');
beforeAll(async () => {
  if (!hasStrace) return;
  bank = await startExemptingBank();
  home = await payingHome(bank);
  // The first makes the folders; what is struck is what every further one does.
  for (let round = 0; round < 2; round += 1) {
    const whole = await run(nextAmount(false), `whole-${String(round)}`);
    if (whole.code !== 0) throw new Error(whole.stderr);
    ({ calls } = whole);
  }
  calls = calls.filter(({ line }) => line.includes(`${home.folder}/state`));
}, 30_000);
afterAll(async () => {
  if (!hasStrace) return;
  home.close();
  await bank.close();
});

/** So many calls, spread over all of them. */
function chosen(kind: string): Call[] {
  const able = kind === 'error=ENOSPC' ? calls.filter(({ name }) => needsSpace.includes(name)) : calls;
  const step = Math.max(1, able.length / row.count);
  return able.filter((_, at) => Math.floor((at + 1) / step) !== Math.floor(at / step));
}

/**
 * A payment struck at a call. Calls are counted by name, and how many come before depends on the moment: where the strike met
 * what is not the state (a file of obk itself, a socket), that says nothing of the state, and another payment is struck; undefined where
 * none meets it.
 */
async function strikeState(call: Call, how: string, exempt: boolean, keyed: string | undefined) {
  for (let left = 10; ; left -= 1) {
    const amount = nextAmount(exempt);
    const key = keyed && `${keyed}-${how}-${amount}`;
    const first = await run(amount, key, { call, how });
    if (first.met?.includes(`${home.folder}/state`) === true) return { amount, key, first };
    if (left === 0) return undefined;
  }
}

describe.runIf(hasStrace).each(['signal=KILL', 'error=EIO', 'error=ENOSPC'])(
  'the failure %s at a system call',
  (how) => {
    it.each([
      ['exempted, without a key', true, undefined],
      ['to be authorised, with a key', false, 'key'],
    ] as const)(
      'never lets a payment be made twice: %s',
      { timeout: row.timeout(60_000) },
      async (_, exempt, keyed) => {
        const found: string[] = [];
        let struck = 0;
        for (const call of chosen(how)) {
          const met = await strikeState(call, how, exempt, keyed);
          if (met === undefined) continue;
          const { amount, key, first } = met;
          if (first.struck) struck += 1;
          const wrong = await wrongAfter(first, { amount, exempt, key }, { home, bank });
          if (first.hangs) wrong.push('it hangs');
          found.push(
            ...wrong.map(
              (what) =>
                `${call.name} ${String(call.at)}: ${what}\n  ${call.line}\n  met ${first.met ?? 'nothing'}`,
            ),
          );
        }
        row.report(`${String(calls.length)} calls, ${how}: ${String(struck)} struck`, chosen(how).length);
        expect(found, found.join('\n')).toEqual([]);
        expect(struck).toBeGreaterThan(0);
      },
    );
  },
);

describe.runIf(hasStrace)('a disk that is full from a write on', () => {
  it.each([true, false])(
    'pays nothing again for a payment (exempted: %s), and shows what the bank has answered',
    { timeout: row.timeout(60_000) },
    async (exempt) => {
      const found: string[] = [];
      let kept = 0;
      const writes = calls.filter(({ name }) => name === 'pwrite64');
      const step = Math.max(1, writes.length / row.count);
      const some = writes.filter((_, at) => Math.floor((at + 1) / step) !== Math.floor(at / step));
      for (const call of some) {
        const amount = nextAmount(exempt);
        const key = `full-${amount}`;
        const first = await run(amount, key, { call, how: 'error=ENOSPC', onwards: true });
        const made = bank.made(amount);
        if (made === 0) kept += 1;
        const wrong = await wrongAfter(first, { amount, exempt, key }, { home, bank });
        if (first.hangs) wrong.push('it hangs');
        if (made === 1 && !`${first.stdout}${first.stderr}`.includes('payment-'))
          wrong.push(`what the bank has answered is not said: exit ${String(first.code)}: ${first.stderr}`);
        if (made === 1 && first.code === 0 && !(await isListed(home, amount)))
          wrong.push('exit 0, and it is not kept');
        found.push(...wrong.map((what) => `write ${String(call.at)}: ${what}`));
      }
      row.report(`${String(writes.length)} writes, ${String(kept)} times nothing left`, some.length);
      expect(found, found.join('\n')).toEqual([]);
    },
  );
});
