import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insert, records, runs } from '../../src/client/state/tables.ts';
import type { Table } from '../../src/client/state/tables.ts';
import type { Row } from '../../src/client/ports/engine.ts';
import { runInside } from '../helpers/inside.ts';
import { obkRun, seeded, violationsOf } from '../helpers/kill-cycles.ts';
import { shop } from '../helpers/obk.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';
import type { RunningBank } from '../helpers/standalone-bank.ts';
import { plantAll, rowsIn } from '../helpers/state-file.ts';

const preload = resolve(import.meta.dirname, '../helpers/fault-at.cjs');

let bank: RunningBank;
let stateDir: string;
let env: NodeJS.ProcessEnv;
let psuId: string;

beforeAll(async () => {
  bank = await startStandaloneBank();
  const payer = bank.payer();
  psuId = payer.psuId;
  env = { ...bank.env, PASSWORD: payer.password, OTP: payer.otp };
  stateDir = join(env['XDG_STATE_HOME'] ?? '', 'obk');
}, 30_000);
afterAll(() => bank.close());

const inside = (args: readonly string[]) =>
  runInside([...args, '--profile', 'sandbox', '--json'], { env, cwd: bank.env['HOME'] ?? '/' });

const pay = (key: string, amount: string) => [
  ...['payment', 'init', ...shop, '--amount', amount, '--intent-key', key],
  ...['--psu-id', psuId, '--sca-method', 'sms'],
  ...['--psu-password-from', 'env:PASSWORD', '--otp-from', 'env:OTP', '--no-input'],
];

const runIds = () => rowsIn(stateDir, 'log', 'SELECT run FROM run').map(({ run }) => String(run));
const old = () => runIds().filter((run) => run.startsWith('2020'));

/** The rows of a run. */
function rowsOf(run: string): { of: Table; row: Row }[] {
  return [runs as Table, records as Table].flatMap((of) =>
    rowsIn(stateDir, 'log', `SELECT * FROM ${of.name} WHERE run = ?1`, [run]).map((row) => ({ of, row })),
  );
}

/** Copies of a run, as if it had been done so often long ago. */
function oldReads(copied: readonly { of: Table; row: Row }[], count: number): void {
  const names = Array.from({ length: count }, (_, at) => {
    const [day, number] = [String(1 + (at % 9)), String(at)];
    return `2020010${day}T000000${number.padStart(3, '0')}Z-${number.padStart(12, '0')}`;
  });
  plantAll(
    stateDir,
    'log',
    names.flatMap((name) => copied.map(({ of, row }) => insert(of, { ...row, run: name }))),
  );
}

it('leaves what is needed, whenever it is killed, and beside one who pays', { timeout: 60_000 }, async () => {
  const random = seeded(11);
  const prune = ['log', 'prune', '--keep', '0', '--profile', 'sandbox', '--json'];
  expect((await inside(pay('first', '0.50'))).code).toBe(0);
  const before = runIds();
  expect((await inside(['payment', 'status', '@last'])).code).toBe(0);
  const read = rowsOf(runIds().find((name) => !before.includes(name)) ?? '');
  const violations: string[] = [];
  let unknown = 0;
  for (let cycle = 0; cycle < 4; cycle += 1) {
    bank.forgetCalls();
    oldReads(read, 900);
    const [key, amount] = [`prune-${String(cycle)}`, `1.0${String(cycle)}`];
    const whole = cycle % 2 === 0;
    const paying = obkRun(
      bank,
      [...pay(key, amount), '--profile', 'sandbox', '--json'],
      env,
      whole ? undefined : 200 + random() * 700,
    );
    // Killed (-9) in the middle of removing, but for the first cycle.
    const killedAt = cycle === 0 ? 0 : 2 + Math.floor(random() * 1700);
    const pruning = spawn(bank.command[0], ['--require', preload, ...bank.command.slice(1), ...prune], {
      env: { ...env, FAULT_KIND: 'kill', FAULT_AT: String(killedAt), FAULT_FOLDER: join(stateDir, 'log.db') },
      stdio: 'ignore',
    });
    await once(pruning, 'exit');
    if (cycle > 0) expect(old().length).toBeGreaterThan(0);
    await paying;
    const again = await inside(prune.slice(0, 4));
    expect(again).toMatchObject({ code: 0 });
    expect(old()).toEqual([]);
    const made = bank.paymentsOf(amount);
    const pending = JSON.parse((await inside(['pending', 'list'])).stdout) as { amount?: string }[];
    const rerun = await inside(pay(key, amount));
    // Killed between the request and its answer: nobody knows its id, and `pending` has it.
    if (rerun.code === 12) unknown += 1;
    violations.push(
      ...violationsOf({
        ...{ key, amount, killedAfterMs: 0, before: made, exit: rerun.code },
        after: bank.paymentsOf(amount),
        listed: pending.some((row) => row.amount === amount),
      }),
    );
  }
  expect(violations).toEqual([]);
  // Of what is final the runs may go, and the payments stay: each is listed and can be asked for.
  const listed = JSON.parse((await inside(['payment', 'list'])).stdout) as { paymentId: string }[];
  expect(listed).toHaveLength(5 - unknown);
  for (const { paymentId } of listed) expect((await inside(['payment', 'status', paymentId])).code).toBe(0);
});
