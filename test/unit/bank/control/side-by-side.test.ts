import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doorsFromFlags } from '../../../../src/settings/doors/read-doors.ts';
import type { ServedBank } from '../../../../src/bank/door.ts';
import type { HandledBank } from '../../../helpers/steered-bank.ts';
import { createBank } from '../../../helpers/steered-bank.ts';
import { controlOf } from '../../../helpers/control.ts';
import { payment, tppOf } from '../tpp.ts';

/** Eight banks in one home, and a test suite at each of them, all at once: none hears of another. */
const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const stateDir = mkdtempSync(join(tmpdir(), 'obk-eight-'));
const clock = { now: () => new Date() };
const banks: HandledBank[] = [];
const stop = new AbortController();
const served: Promise<void>[] = [];
let addresses: ServedBank[] = [];

beforeAll(async () => {
  addresses = await Promise.all(
    names.map(
      (name, index) =>
        new Promise<ServedBank>((resolve, reject) => {
          const bank = createBank({ stateDir, clock });
          banks.push(bank);
          const ledger = index % 2 === 0 ? {} : { database: ':memory:' };
          const running = bank.serve(
            { doors: [doorsFromFlags({ port: 0 })], without: [], name, ...ledger },
            resolve,
            stop.signal,
          );
          running.catch(reject);
          served.push(running);
        }),
    ),
  );
});
afterAll(async () => {
  stop.abort();
  await Promise.all(served);
  await Promise.all(banks.map((bank) => bank.close()));
  rmSync(stateDir, { recursive: true, force: true, maxRetries: 3 });
});

describe('a home with eight banks', () => {
  it('runs eight test suites side by side', async () => {
    const results = await Promise.all(addresses.map((address, index) => suite(address, index)));
    expect(results.map(({ name }) => name)).toEqual(names);
    expect(new Set(results.map(({ paymentId }) => paymentId)).size).toBe(names.length);
  });
});

/** What a suite does: data of its own, a fault, a switch, a clock, payments and decisions, calls, and a reset. */
async function suite(address: ServedBank, index: number) {
  const ask = controlOf(address);
  const call = tppOf(address);
  const own = {
    psuId: 'anna',
    approach: 'REDIRECT',
    password: `secret-${String(index)}`,
    balance: `${String(100 + index)}.00`,
  };
  const { json: anna } = await ask('POST', '/people', { body: own });
  expect(anna).toMatchObject({ password: own.password, accounts: [{ balance: own.balance }] });
  await ask('PATCH', '/scenario', { body: { tokenLifetime: index % 2 === 0 ? '1-minute' : '1-hour' } });
  await ask('POST', '/clock', { body: { move: `+${String(index + 1)}d` } });
  await ask('POST', '/faults', {
    body: { operation: 'initiatePayment', kind: 'status', status: 400 + index, count: 1, raw: true },
  });
  const path = '/v1/payments/sepa-credit-transfers';
  const headers = { 'PSU-ID': 'anna', 'TPP-Redirect-URI': 'https://tpp.example/cb' };
  const pay = () => call('POST', path, { body: payment(anna.accounts[0].iban, '1.00'), headers });
  expect((await pay()).status).toBe(400 + index);
  const paymentId = String((await pay()).json.paymentId);
  const byCommand = createBank({ stateDir, clock, at: address.name });
  await byCommand.decide(index % 2 === 0 ? 'approve' : 'refuse', paymentId);
  await byCommand.close();
  const left = index % 2 === 0 ? `${String(99 + index)}.00` : own.balance;
  const { json: after } = await ask('GET', '/people/anna');
  expect(after.accounts[0].balance).toBe(left);
  expect((await ask('GET', '/payments')).json.payments).toHaveLength(1);
  expect((await ask('GET', '/clock')).json.movedMs).toBe((index + 1) * 86_400_000);
  const { calls } = (await ask('GET', '/calls')).json;
  expect(calls.map(({ operation }: { operation: string }) => operation)).toEqual([
    'initiatePayment',
    'initiatePayment',
  ]);
  // The token of one lets nobody in at another.
  const other = addresses[(index + 1) % addresses.length]!;
  const foreign = controlOf({ controlUrl: other.controlUrl, tokenFile: address.tokenFile });
  expect((await foreign('GET', '/people')).status).toBe(401);
  await ask('POST', '/reset');
  expect((await ask('GET', '/people/anna')).status).toBe(404);
  return { name: address.name, paymentId };
}
