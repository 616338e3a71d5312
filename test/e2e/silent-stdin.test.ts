import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tree } from '../../src/cli/commands/catalogue/tree.ts';
import { runInside } from '../helpers/inside.ts';
import { createObkWithKeys, shop } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';

// A script, a cron job or a CI step may leave stdin open without ever writing to it. `run` ends in an error after 10 s.
let obk: Obk;
let paymentId: string;
let bank: ChildProcess;
beforeAll(async () => {
  obk = await createObkWithKeys();
  // A bank that outlives the runs: an embedded one ends with the run that it serves, whoever else talks to it.
  bank = obk.start(['sandbox', 'start', '--port', '0']);
  await once(bank.stdout!, 'data');
  const args = ['payment', 'init', ...shop, '--amount', '1.00', '--psu-id', 'embedded-choice'];
  ({ paymentId } = (await obk.json([...args, '--profile', 'sandbox'])) as { paymentId: string });
});
afterAll(async () => {
  if (bank.exitCode === null && bank.signalCode === null) {
    bank.kill('SIGTERM');
    await once(bank, 'close');
  }
  obk.close();
});

/** What each command needs to do its work, and how it ends then; the others need nothing or a file. `PAYMENT` is the one above. */
const needs: Readonly<Record<string, readonly [exit: number, ...args: string[]]>> = {
  'payment init': [0, ...shop, '--amount', '1.00'],
  'payment get': [0, 'PAYMENT'],
  'payment status': [0, 'PAYMENT'],
  'payment authorise': [2, 'PAYMENT'],
  'payment authorisations': [0, 'PAYMENT'],
  'pending show': [0, 'PAYMENT'],
  'pending resume': [2, 'PAYMENT'],
  'pending resolve': [2, 'PAYMENT'],
  api: [0, 'GET', 'v1/payments/sepa-credit-transfers/PAYMENT/status'],
  'profile create': [
    0,
    'silent',
    '--base-url',
    'https://bank.example',
    '--environment',
    'test',
    '--signing',
    'none',
  ],
  'profile use': [0, 'silent'],
  'profile edit': [0, 'silent', '--psu-id', 'x'],
  'profile delete': [0, 'silent', '--yes'],
  'sandbox fault add': [0, 'getPaymentInformation', 'delay', '1ms'],
  'sandbox scenario get': [0, 'bulk'],
  'sandbox scenario set': [0, 'bulk', 'whole'],
  'sandbox seed': [0, '--transactions', '2'],
  'sandbox psu approve': [2, 'PAYMENT'],
  'sandbox psu refuse': [2, 'PAYMENT'],
  'sandbox psu revoke': [2, 'PAYMENT'],
  'payment cancel': [0, 'PAYMENT'],
};
/** `sandbox start` and `listen` end when somebody ends them; the others would pull the bank away from under the rest. */
const apart = ['sandbox start', 'listen', 'sandbox reset', 'sandbox stop'];
/** How those end that need a database with the state, where nothing says which one; their `doctor` is a list of what it found. */
const stateless = (path: string): readonly number[] =>
  path.startsWith('state ') ? [path === 'state doctor' ? 10 : 3] : [];
const commands = tree
  .filter(({ load, path }) => load !== undefined && !apart.includes(path))
  .map(({ path }) => path);

describe('an open, silent stdin holds nothing up, with all that is needed', () => {
  it.each(Object.entries(needs))('obk %s', async (path, [exit, ...given]) => {
    const args = given.map((arg) => arg.replace('PAYMENT', paymentId));
    const ran = await obk.run([...path.split(' '), ...args, '--profile', 'sandbox'], { open: true });
    expect(ran.code, ran.stderr).toBe(exit);
  });
});

describe('an open, silent stdin holds nothing up, with nothing given', () => {
  it.concurrent.each(commands)('obk %s', async (path) => {
    const inside = { env: obk.env, cwd: obk.folder };
    const { code, stderr } = await runInside([...path.split(' '), '--no-input'], inside);
    // 4: there is no consent to read accounts with.
    expect(needs[path] === undefined ? [0, 2, 4, ...stateless(path)] : [2], stderr).toContain(code);
  });
});

// After all others, which need the bank and what it holds.
it.each(['sandbox reset', 'sandbox stop'])('obk %s', async (path) => {
  const { code, stderr } = await obk.run([...path.split(' '), '--no-input'], { open: true });
  expect(code, stderr).toBe(0);
});
