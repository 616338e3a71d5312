import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createObkWithKeys } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';

let obk: Obk;
beforeEach(async () => {
  obk = await createObkWithKeys();
});
afterEach(async () => {
  const { stdout } = await obk.run(['sandbox', 'status', '--json']);
  for (const { pid } of (JSON.parse(stdout) as { banks: { pid: number }[] }).banks)
    process.kill(pid, 'SIGKILL');
  obk.close();
});

const start = ['sandbox', 'start', '--open', '--port', '0', '--database', ':memory:', '--detach'];
const folders = () => {
  const banks = join(obk.env['XDG_STATE_HOME'] ?? '', 'obk', 'sandbox', 'banks');
  return existsSync(banks) ? readdirSync(banks) : [];
};

it('starts a bank in the background, says what a bank in the foreground says, and ends once it answers', async () => {
  // The output ends with this run, though the bank goes on: who reads it to its end does not wait for the bank.
  const bank = await obk.json([...start, '--name', 'job', '--base-path', '/psd2', '--idle', '5m']);
  expect(bank).toMatchObject({ name: 'job', database: ':memory:', open: { password: 'password' } });
  const answer = await fetch(`${bank.baseUrl}/v1/consents/unknown`, {
    headers: { 'X-Request-ID': crypto.randomUUID() },
  });
  expect([bank.baseUrl.endsWith('/psd2'), answer.status]).toEqual([true, 403]);
  const { banks } = await obk.json(['sandbox', 'status']);
  expect(banks).toMatchObject([{ name: 'job', pid: bank.pid, idleMs: 300_000 }]);
  // Its own warnings and those of its process are one stream, and the link to the window is for people alone.
  const again = await obk.run([...start, '--name', 'two']);
  expect(again.code).toBe(0);
  expect(again.stderr).toMatch(/^! OPEN: /);
  expect(again.stdout).toMatch(/#token=[\w-]{20,}\n[^]*obk sandbox stop --at two\n$/);
  const stopped = await obk.run(['sandbox', 'stop', '--at', 'job']);
  expect(stopped.code).toBe(0);
  expect(() => process.kill(bank.pid, 0)).toThrow('ESRCH');
});

it.each([
  { words: ['--config', 'wrong.yaml'], exit: 3, says: /wrong\.yaml:1:1: persons/ },
  { words: ['--name', 'a.b'], exit: 2, says: /cannot be the name/ },
  { words: ['--https-port', '0', '--trust', 'no.pem'], exit: 3, says: /no\.pem/ },
])('ends as the start does: $words', async ({ words, exit, says }) => {
  writeFileSync(join(obk.folder, 'wrong.yaml'), 'persons: []\n');
  const detached = await obk.run([...start, ...words]);
  const usual = await obk.run([...start.slice(0, -1), ...words]);
  expect([detached.code, detached.stdout]).toEqual([exit, '']);
  expect(detached.stderr).toMatch(says);
  expect(detached.stderr.replace(/^! OPEN.*\n/m, '')).toBe(usual.stderr.replace(/^! OPEN.*\n/m, ''));
});

it('starts the bank that OBK_SANDBOX addresses, once, and says where another one is meant', async () => {
  const env = { OBK_SANDBOX: 'job' };
  const bank = await obk.json(start, { env });
  expect(bank.name).toBe('job');
  expect((await obk.json(['sandbox', 'clock'], { env })).movedMs).toBe(0);
  const second = await obk.run(start, { env });
  expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('The bank job runs already')]);
  const other = await obk.run([...start, '--name', 'two'], { env });
  expect(other.stderr).toContain('OBK_SANDBOX addresses job: commands reach this bank with --at two only.');
});

it('leaves nothing of a bank in memory, however it ends', async () => {
  // A child of this process, which waits for it: otherwise it would stay in the table of processes.
  const killed = obk.start([...start.slice(0, -1), '--name', 'killed', '--json']);
  await once(killed.stdout!, 'data');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(folders()).toEqual(['killed']);
  await obk.json([...start, '--name', 'stopped']);
  expect(folders()).toEqual(['stopped']);
  await obk.run(['sandbox', 'stop', '--at', 'stopped']);
  expect(folders()).toEqual([]);
});

it('knows a payment of any profile of the addressed bank by the beginning of its id', async () => {
  const { baseUrl } = await obk.json([...start, '--name', 'job']);
  const made = [
    '--base-url',
    baseUrl,
    '--environment',
    'sandbox',
    '--signing',
    'none',
    '--psu-ip',
    '127.0.0.1',
  ];
  await obk.run(['profile', 'create', 'acme', ...made, '--redirect-uri', 'https://tpp.example/back']);
  const people = (await obk.json(['sandbox', 'people', '--at', 'job'])) as unknown as {
    psuId: string;
    accounts: { iban: string }[];
  }[];
  const debtor = people.find(({ psuId }) => psuId === 'redirect')?.accounts[0]?.iban ?? '';
  const pay = [
    'payment',
    'init',
    '--product',
    'sepa-credit-transfers',
    '--debtor',
    debtor,
    '--amount',
    '1.00',
  ];
  const to = ['--creditor-name', 'Shop', '--creditor-account', 'DE89370400440532013000', '--no-input'];
  const { paymentId } = (await obk.json([
    ...pay,
    ...to,
    ...['--psu-id', 'redirect', '--profile', 'acme'],
  ])) as unknown as { paymentId: string };
  const approved = await obk.run([
    'sandbox',
    'psu',
    'approve',
    paymentId.slice(0, 8),
    '--at',
    'job',
    '--json',
  ]);
  expect(approved.code, approved.stderr).toBe(0);
  expect(JSON.parse(approved.stdout)).toMatchObject({ id: paymentId, scaStatus: 'finalised' });
});
