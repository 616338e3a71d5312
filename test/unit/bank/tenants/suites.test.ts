import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { tenantOf } from './tenant-of.ts';

const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const file = `
seed: same-for-all
scenario: { rateLimit: off }
people:
  - { psuId: anna, password: secret, otp: 123456, approach: REDIRECT, accounts: [{ iban: DE89370400440532013000, balance: 1000.00 }] }
  - { psuId: ben, password: secret, approach: REDIRECT, accounts: [{ balance: 5.00 }] }
`;

describe.each(['file', ':memory:'])('one bank with eight tenants, in %s', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'obk-tenants-'));
  let bank: TestBank;
  beforeAll(async () => {
    const config = join(folder, 'bank.yaml');
    writeFileSync(config, file);
    const database = kind === 'file' ? join(folder, 'bank.db') : ':memory:';
    bank = await startBank({ name: 'eight', config, database, doors: { tenants: 'header:X-Tenant' } });
  });
  afterAll(async () => {
    await bank.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('runs eight test suites side by side, each as if it were the only one', async () => {
    const ids = await Promise.all(names.map((name, index) => suite(bank, name, index)));
    // The file makes the ids of all of them the same, and none has met another.
    expect(new Set(ids).size).toBe(1);
    const [one, two] = [tenantOf(bank, 'one'), tenantOf(bank, 'two')];
    const paid = await one.call.pay('1.00');
    await two.call.pay('1.00');
    const link = String(paid.json._links.scaRedirect.href);
    const decision = { body: { id: link, decision: 'approve', psuId: 'anna' } };
    expect((await two.ask('POST', '/decisions', decision)).status).toBe(409);
    expect((await one.ask('POST', '/decisions', decision)).status).toBe(201);
    expect((await bank.bank.status()).map(({ tenants }) => tenants)).toEqual(['header:X-Tenant']);
    const { json } = await tenantOf(bank, 'one').ask('GET', '/../../tenants');
    expect(json.tenants.map(({ name }: { name: string }) => name)).toEqual(names.toSorted());
  });
});

/** What a suite does: a switch, a fault, a clock, a snapshot, payments and decisions, calls, and a reset. */
async function suite(bank: TestBank, name: string, index: number): Promise<string> {
  const { ask, call } = tenantOf(bank, name);
  await ask('PUT', `/../${name}`);
  const days = index + 1;
  await ask('PATCH', '/scenario', { body: { tokenLifetime: index % 2 === 0 ? '1-minute' : '1-hour' } });
  await ask('POST', '/clock', { body: { move: `+${String(days)}d` } });
  await ask('PUT', '/snapshots/before');
  await ask('POST', '/faults', {
    body: { operation: 'initiatePayment', kind: 'status', status: 400 + index, count: 1, raw: true },
  });
  expect((await call.pay('1.00')).status).toBe(400 + index);
  const paymentId = String((await call.pay('1.00')).json.paymentId);
  const decision = index % 2 === 0 ? 'approve' : 'refuse';
  expect((await ask('POST', '/decisions', { body: { id: paymentId, decision, psuId: 'anna' } })).status).toBe(
    201,
  );
  const { json: anna } = await ask('GET', '/people/anna');
  expect(anna.accounts[0].balance).toBe(index % 2 === 0 ? '999.00' : '1000.00');
  expect((await ask('GET', '/payments')).json.payments).toHaveLength(1);
  expect((await ask('GET', '/clock')).json.movedMs).toBe(days * 86_400_000);
  const operations = (await ask('GET', '/calls')).json.calls.map(
    ({ operation }: { operation: string }) => operation,
  );
  expect(operations).toEqual(['initiatePayment', 'initiatePayment']);
  const events = await ask('GET', '/events', { headers: { 'Last-Event-ID': '0' } });
  expect(events.status).toBe(200);
  await ask('POST', '/snapshots/before/restore');
  expect((await ask('GET', '/payments')).json.payments).toHaveLength(0);
  expect((await ask('GET', '/clock')).json.movedMs).toBe(days * 86_400_000);
  await ask('POST', '/reset');
  expect((await ask('GET', '/clock')).json.movedMs).toBe(0);
  expect((await ask('GET', '/faults')).json.faults).toEqual([]);
  const again = String((await call.pay('1.00')).json.paymentId);
  expect((await ask('GET', '/payments')).json.payments).toHaveLength(1);
  return again;
}
