import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClock } from '../../src/adapters/system/system-clock.ts';
import { ObkError } from '../../src/base/errors.ts';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import { fileStore } from '../helpers/file-store.ts';
import type { FileStore } from '../helpers/file-store.ts';
import { payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';

let bank: ExemptingBank;
let home: PayingHome;
beforeAll(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
});
afterAll(async () => {
  home.close();
  await bank.close();
});

/** A store whose nth call after the bank has made the payment finds a disk that fails. */
function failingAfter(amount: string, nth: number) {
  const store = fileStore({
    configDir: `${home.folder}/config`,
    stateDir: `${home.folder}/state`,
    clock: createClock(),
  });
  let called = 0;
  const failing = <T extends object>(port: T) =>
    new Proxy(port, {
      get(of, name) {
        const real: unknown = Reflect.get(of, name);
        if (typeof real !== 'function') return real;
        return async (...args: unknown[]): Promise<unknown> => {
          if (bank.made(amount) > 0) called += 1;
          if (called !== nth || bank.made(amount) === 0)
            return (real as (...all: unknown[]) => unknown)(...args);
          throw new ObkError({ code: 'STATE_UNREADABLE', title: `${String(name)} cannot be read.` });
        };
      },
    });
  const ports: FileStore = {
    settings: failing(store.settings),
    credentials: failing(store.credentials),
    resources: failing(store.resources),
    locks: failing(store.locks),
    usage: failing(store.usage),
  };
  return { ports, reached: () => called >= nth };
}

it.each([
  ['exempted', ''],
  ['to be authorised', '1'],
])('a payment is named whatever part of the store fails once it is made: %s', async (_, lead) => {
  let failed = 0;
  for (let nth = 1; nth <= 40; nth += 1) {
    const amount = `${lead}31.${String(nth).padStart(2, '0')}`;
    const { ports, reached } = failingAfter(amount, nth);
    const { code, stderr } = await home.pay(amount, `key-${amount}`, { ports });
    expect(bank.made(amount)).toBe(1);
    if (!reached()) break;
    if (code === 0 || code === 8) continue;
    failed += 1;
    expect(stderr, `call ${String(nth)}, exit ${String(code)}`).toMatch(/"paymentId":"payment-/);
  }
  expect(failed).toBeGreaterThan(0);
});
