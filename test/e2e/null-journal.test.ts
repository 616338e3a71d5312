// The harness of kill.test.ts can fail: without a journal the same answer to a lost 201, and to a rerun, pays twice.
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { obkRun, violationsOf } from '../helpers/kill-cycles.ts';
import { shop } from '../helpers/obk.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';
import type { RunningBank } from '../helpers/standalone-bank.ts';

let bank: RunningBank;
beforeAll(async () => {
  bank = await startStandaloneBank();
}, 30_000);
afterAll(() => bank.close());

const forgetful = [
  process.execPath,
  '--import',
  'tsx',
  resolve(import.meta.dirname, '../helpers/obk-null-journal.ts'),
] as const;

it.each([
  { journal: 'none', amount: '31.00', exits: [12, 0], payments: 2 },
  { journal: 'that of obk', amount: '32.00', exits: [12, 12], payments: 1 },
])('the journal is $journal: the rerun of a lost payment leaves $payments', async (given) => {
  const { journal, amount, exits, payments } = given;
  const command = journal === 'none' ? forgetful : bank.command;
  bank.obk('sandbox', 'fault', 'add', 'initiatePayment', 'drop-after-commit', '--profile', 'sandbox');
  const args = ['payment', 'init', ...shop, '--profile', 'sandbox', '--no-input', '--json'];
  const sameIntent = [...args, '--amount', amount, '--intent-key', 'lost'];
  const first = await obkRun({ command }, sameIntent, bank.env);
  const before = bank.paymentsOf(amount);
  const rerun = await obkRun({ command }, sameIntent, bank.env);
  const after = bank.paymentsOf(amount);
  expect({ exits: [first.exit, rerun.exit], before, after }).toEqual({ exits, before: 1, after: payments });

  // What the harness says of such a cycle.
  const listed = journal !== 'none';
  const cycle = { key: 'lost', amount, killedAfterMs: 0, before, after, exit: rerun.exit, listed };
  expect(violationsOf(cycle).some((violation) => violation.includes('2 payments'))).toBe(payments === 2);
});
