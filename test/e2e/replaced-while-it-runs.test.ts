// A bank goes on whose program is built anew, or replaced by another version, below it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { giveKeys } from '../helpers/bank-keys.ts';
import { controlOf } from '../helpers/control.ts';
import type { ServedBank } from '../../src/bank/door.ts';
import { pain001 } from '../unit/bank/orders.ts';

const root = resolve(import.meta.dirname, '../..');
let folder: string;
let pid: number | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'obk-replaced-'));
});
afterEach(() => {
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  pid = undefined;
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** The statuses of calls to a bank whose program was taken away so long after it began. */
async function statuses(afterMs: number): Promise<number[]> {
  const program = mkdtempSync(join(folder, 'program-'));
  for (const part of ['dist', 'bin', 'package.json'])
    cpSync(join(root, part), join(program, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(program, 'node_modules'));
  const state = mkdtempSync(join(folder, 'state-'));
  await giveKeys(state, new Date());
  const env = { ...process.env, HOME: state, OBK_STATE_DIR: state, OBK_CONFIG_DIR: state };
  const words = ['sandbox', 'start', '--open', '--port', '0', '--database', ':memory:', '--detach', '--json'];
  const told = execFileSync(process.execPath, [join(program, 'bin/obk.js'), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const bank = JSON.parse(told.toString()) as ServedBank;
  ({ pid } = bank);
  await new Promise((after) => setTimeout(after, afterMs));
  renameSync(join(program, 'dist'), join(program, 'gone'));
  const ask = controlOf(bank);
  const { json } = await ask('GET', '/people/redirect');
  const first = [
    await ask('POST', '/people', { body: { psuId: 'new' } }),
    await ask('POST', '/people/new/generated-transactions', { body: { count: 2 } }),
    await ask('GET', '/config'),
    await ask('GET', '/calls.har'),
  ].map(({ status }) => status);
  const { iban } = (json as { accounts: { iban: string }[] }).accounts[0]!;
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const others = [
    fetch(`${bank.baseUrl}/sandbox/`),
    fetch(`${bank.baseUrl}/phone`),
    fetch(`${bank.baseUrl}/.well-known/oauth-authorization-server`),
    fetch(`${bank.baseUrl}/v1/payments/pain.001-sepa-credit-transfers`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/xml',
        'X-Request-ID': crypto.randomUUID(),
        'PSU-ID': 'redirect',
        'PSU-IP-Address': '192.0.2.1',
        'TPP-Redirect-URI': 'https://tpp.example/cb',
      },
      body: pain001(iban, ['1.00'], { day }),
    }),
  ];
  process.kill(bank.pid, 0);
  const statusesOfOthers = (await Promise.all(others)).map(({ status }) => status);
  process.kill(bank.pid, 'SIGKILL');
  pid = undefined;
  return [...first, ...statusesOfOthers];
}

it('answers all calls after its files have gone, once it has had time to load them', async () => {
  const right = [201, 201, 200, 200, 200, 200, 200, 201];
  let got: number[] = [];
  // A busy machine needs longer.
  for (const afterMs of [2500, 5000, 10_000]) {
    got = await statuses(afterMs).catch(() => []);
    if (got.join() === right.join()) break;
  }
  expect(got).toEqual(right);
}, 60_000);
