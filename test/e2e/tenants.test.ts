import type { ChildProcess } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import type { ServedBank } from '../../src/bank/door.ts';
import { controlOf } from '../helpers/control.ts';
import { createObkWithKeys } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';
import { payment, send } from '../unit/bank/tpp.ts';

let obk: Obk | undefined;
afterEach(() => obk?.close());

const words = ['sandbox', 'start', '--port', '0', '--open', '--tenants', 'header:X-Tenant', '--json'];

function started(bank: ChildProcess): Promise<ServedBank> {
  return new Promise((resolve, reject) => {
    let text = '';
    bank.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(JSON.parse(text) as ServedBank);
    });
    bank.once('close', () => {
      reject(new Error('the bank ended'));
    });
  });
}

it('has every payment of every tenant that was acknowledged before the bank was killed', async () => {
  obk = await createObkWithKeys();
  const first = obk.start(words);
  const served = await started(first);
  const { baseUrl } = served;
  const steer = controlOf(served);
  const names = ['blue', 'red', 'green'];
  const paid: string[] = [];
  // As many as come: the bank is killed among them.
  const payers = names.map(async (name) => {
    await steer('PUT', `/tenants/${name}`);
    const { json } = await steer('GET', `/tenants/${name}/people/decoupled`);
    const iban = String(json.accounts[0].iban);
    for (let number = 0; number < 200; number += 1) {
      const answer = await send(
        `${baseUrl}/v1/payments/sepa-credit-transfers`,
        'POST',
        {
          'Content-Type': 'application/json',
          'X-Request-ID': crypto.randomUUID(),
          'X-Tenant': name,
          'PSU-IP-Address': '192.0.2.1',
          'PSU-ID': 'decoupled',
        },
        Buffer.from(JSON.stringify(payment(iban, '1.00'))),
      ).catch(() => undefined);
      if (answer === undefined) return;
      expect(answer.status, answer.text).toBe(201);
      paid.push(`${name} ${String(answer.json.paymentId)}`);
      if (paid.length >= 12) first.kill('SIGKILL');
    }
  });
  await Promise.all(payers);
  expect(paid.length).toBeGreaterThanOrEqual(12);
  const second = obk.start(words);
  const { controlUrl, tokenFile } = await started(second);
  const ask = controlOf({ controlUrl, tokenFile });
  for (const name of names) {
    const { json } = await ask('GET', `/tenants/${name}/payments?limit=1000`);
    const kept = json.payments.map(({ paymentId }: { paymentId: string }) => `${name} ${paymentId}`);
    expect(kept).toEqual(expect.arrayContaining(paid.filter((one) => one.startsWith(`${name} `))));
  }
  const listed = await obk.run(['sandbox', 'tenant', 'list', '--jq', '.[].name']);
  expect(listed.stdout.split('\n').filter(Boolean)).toEqual(names.toSorted());
  const unnamed = await obk.run(['sandbox', 'people']);
  expect(unnamed.code).toBe(2);
  expect(unnamed.stderr).toContain('--tenant NAME');
  const absent = await obk.run(['sandbox', 'people', '--tenant', 'nobody']);
  expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining('obk sandbox tenant create')]);
  const people = await obk.run(['sandbox', 'people', 'redirect', '--json'], {
    env: { OBK_SANDBOX_TENANT: 'red' },
  });
  expect(people.code, people.stderr).toBe(0);
  const ended = new Promise((resolve) => second.once('close', resolve));
  second.kill('SIGTERM');
  await ended;
});
