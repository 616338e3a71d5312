// A state that was lost, or put back as it was before: what was begun since is not begun again by one who does not know.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import { oneError } from '../helpers/one-error.ts';
import { payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';

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

const state = (name: string) => join(home.folder, 'state', name);
const parts = ['state.db', 'state.db-wal', 'state.db-shm'];
const acme = ['--profile', 'acme', '--json', '--no-input'];

function removeState(): void {
  for (const name of parts) rmSync(state(name), { force: true });
}

it.each(['is lost', 'is an older copy'])(
  'an older state lets no key pay again unasked where it %s',
  async (how) => {
    await home.pay('1.00', 'first');
    const copy = join(home.folder, 'copy');
    mkdirSync(copy);
    // As a copy by SQLite itself: nothing of it is left in the log of the engine.
    const { plantInto } = await import('../helpers/state-file.ts');
    plantInto(join(home.folder, 'state'), 'state', 'VACUUM INTO ?1', [join(copy, 'state.db')]);
    await home.pay('2.00', 'second');
    await home.pay('3.00');
    removeState();
    if (how === 'is an older copy') cpSync(join(copy, 'state.db'), state('state.db'));
    // What the copy still knows is not missing.
    if (how === 'is an older copy') {
      const known = await home.pay('1.00', 'first');
      expect(JSON.parse(known.stdout)).toMatchObject({ paymentId: 'payment-0001' });
      expect(bank.made('1.00')).toBe(1);
    }
    for (const [amount, key] of [
      ['2.00', 'second'],
      ['3.00', undefined],
      ['4.00', 'new'],
    ] as const) {
      const again = await home.pay(amount, key);
      expect(oneError(again)).toMatchObject({ code: 'DUPLICATE_PAYMENT' });
      expect(bank.made(amount)).toBe(amount === '4.00' ? 0 : 1);
    }
    // Each of those that are missing is settled by a person; then nothing is asked any more.
    for (let turn = 0; turn < 5; turn += 1) {
      const { hint } = oneError(await home.pay('4.00', 'new'));
      const id = /^obk pending show ([0-9a-f]+)/.exec(hint[0] ?? '')?.[1];
      if (id === undefined) break;
      const settled = await home.run([
        'pending',
        'resolve',
        id,
        '--not-created',
        '--reason',
        'looked',
        ...acme,
      ]);
      expect(settled.code, settled.stderr).toBe(0);
      if (how === 'is an older copy' ? turn === 1 : turn === 2) break;
    }
    expect((await home.pay('4.00', 'new')).code).toBe(0);
    expect(bank.made('4.00')).toBe(1);
  },
);

it('an older state lets a person continue who takes the risk of a payment', async () => {
  await home.pay('1.00', 'first');
  removeState();
  const { code } = await home.pay('2.00', 'second', {});
  expect(code).not.toBe(0);
  const allowed = await home.run([
    ...['payment', 'init', '--product', 'sepa-credit-transfers', '--profile', 'acme', '--confirm', 'acme'],
    ...['--creditor-account', 'DE89370400440532013000', '--creditor-name', 'Shop', '--psu-ip', '192.0.2.7'],
    ...['--amount', '2.00', '--allow-duplicate', '--no-input', '--json'],
  ]);
  expect(allowed.code, allowed.stderr).toBe(0);
  expect(bank.made('2.00')).toBe(1);
});

it('an older state is reported, never read, and blocks payments until it is moved aside', async () => {
  mkdirSync(state('intents'), { recursive: true });
  writeFileSync(state('intents/abc.json'), '{"record":{"sent":true}}');
  const listed = await home.run(['payment', 'list', '--profile', 'acme', '--no-input']);
  expect(listed.code).toBe(0);
  expect(listed.stderr.match(/an earlier obk/g)).toHaveLength(1);
  const refused = await home.pay('1.00', 'k');
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('intents.earlier');
  expect(bank.made('1.00')).toBe(0);
  writeFileSync(state('intents/abc.json'), '{"record":{"sent":true,"settled":{"created":true}}}');
  expect((await home.pay('1.00', 'k')).code).toBe(0);
});
