// The harness of kill.test.ts can fail: without a journal the same answer to a lost 201, and to a rerun, pays twice.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runInside } from '../helpers/inside.ts';
import { obkRun, violationsOf } from '../helpers/kill-cycles.ts';
import { nullIntents, nullJournal } from '../helpers/null-journal.ts';
import { shop } from '../helpers/obk.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';
import type { RunningBank } from '../helpers/standalone-bank.ts';

let bank: RunningBank;
beforeAll(async () => {
  bank = await startStandaloneBank();
}, 30_000);
afterAll(() => bank.close());

/** obk that knows nothing of what it has done, or as it is. */
async function pays(journal: string, args: readonly string[]): Promise<number | null> {
  if (journal !== 'none') return (await obkRun(bank, args, bank.env)).exit;
  const ports = { journal: nullJournal, intents: nullIntents };
  return (await runInside(args, { env: bank.env, cwd: process.cwd(), input: '', ports })).code;
}

it.each([
  { journal: 'none', amount: '31.00', exits: [12, 0], payments: 2 },
  { journal: 'that of obk', amount: '32.00', exits: [12, 12], payments: 1 },
])('the journal is $journal: the rerun of a lost payment leaves $payments', async (given) => {
  const { journal, amount, exits, payments } = given;
  bank.obk('sandbox', 'fault', 'add', 'initiatePayment', 'drop-after-commit', '--profile', 'sandbox');
  const args = ['payment', 'init', ...shop, '--profile', 'sandbox', '--no-input', '--json'];
  const sameIntent = [...args, '--amount', amount, '--intent-key', 'lost'];
  const first = await pays(journal, sameIntent);
  const before = bank.paymentsOf(amount);
  const rerun = await pays(journal, sameIntent);
  const after = bank.paymentsOf(amount);
  expect({ exits: [first, rerun], before, after }).toEqual({ exits, before: 1, after: payments });

  // What the harness says of such a cycle.
  const listed = journal !== 'none';
  const cycle = { key: 'lost', amount, killedAfterMs: 0, before, after, exit: rerun, listed };
  expect(violationsOf(cycle).some((violation) => violation.includes('2 payments'))).toBe(payments === 2);
});
