import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from '../../src/adapters/files/file-lock.ts';
import { createClock } from '../../src/adapters/system/system-clock.ts';
import { bound } from '../helpers/bound.ts';
import { createObk, shop } from '../helpers/obk.ts';
import type { Obk, Ran } from '../helpers/obk.ts';
import { oneError } from '../helpers/one-error.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';
import type { Payer, RunningBank } from '../helpers/standalone-bank.ts';
import { part, ranTable } from '../helpers/trials.ts';
import { inTurns } from '../helpers/turns.ts';

let bank: RunningBank;
let obk: Obk;
let payer: Payer;

beforeAll(async () => {
  bank = await startStandaloneBank();
  payer = bank.payer();
  obk = createObk({ ...bank.env, OBK_PROFILE: 'sandbox', PASSWORD: payer.password, OTP: payer.otp });
}, 30_000);
afterAll(async () => {
  ranTable('every wait that a signal ends');
  obk.close();
  await bank.close();
});
beforeEach(() => {
  bank.forgetCalls();
});

const init = (amount: string, ...more: string[]) => ['payment', 'init', ...shop, '--amount', amount, ...more];
const fault = (operation: string, ...how: string[]) =>
  bank.obk('sandbox', 'fault', 'add', operation, ...how, '--profile', 'sandbox');

interface Running {
  child: ChildProcess;
  ended: Promise<Ran>;
}

/** A run that is still on when the test goes on; it counts as hanging in time. */
function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const child = obk.start([...args, '--json'], { open: true, env });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const hanging = setTimeout(() => child.kill('SIGKILL'), bound());
  const ended = new Promise<Ran>((done) => {
    child.once('close', (code) => {
      clearTimeout(hanging);
      done({ code, stdout, stderr });
    });
  });
  return { child, ended };
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + bound();
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it never came to that');
    await new Promise((done) => setTimeout(done, 10));
  }
}

describe.each([
  { signal: 'SIGINT', exit: 130, code: 'INTERRUPTED', own: 0 },
  { signal: 'SIGTERM', exit: 143, code: 'TERMINATED', own: 1 },
] as const)('$signal', ({ signal, exit, code, own }) => {
  const turn = inTurns(2, own);
  it.each(part(['redirect', 'decoupled'], 2, own))(
    'while the PSU is waited for (%s): what is left and how to go on',
    async (psuId) => {
      const run = start(init('51.00', '--psu-id', psuId, '--wait'));
      await until(() => bank.arrivals('getPaymentInitiationScaStatus') > 0);
      run.child.kill(signal);
      const ran = await run.ended;
      expect(ran).toMatchObject({ code: exit, stdout: '' });
      const error = oneError(ran);
      const paymentId = error.resource?.paymentId ?? '';
      expect(bank.paymentIdsOf('51.00')).toContain(paymentId);
      expect(error).toMatchObject({ code, next: `obk payment authorise ${paymentId}` });
      expect(error.resource).toMatchObject({ transactionStatus: 'RCVD' });

      const pending = (await obk.json(['pending', 'list'])) as Record<string, string>[];
      expect(pending.find((row) => row['id'] === paymentId)).toMatchObject({ kind: 'open', amount: '51.00' });
      await obk.json(['sandbox', 'psu', 'approve', paymentId]);
      expect(await obk.json(['payment', 'authorise', paymentId])).toMatchObject({
        transactionStatus: 'ACSC',
      });
    },
  );

  turn('while a payment is on its way: exit 12, and pending lists it', async () => {
    fault('initiatePayment', 'delay', '30s');
    const amount = signal === 'SIGINT' ? '52.00' : '53.00';
    const run = start(init(amount));
    await until(() => bank.arrivals('initiatePayment') > 0);
    run.child.kill(signal);
    const ran = await run.ended;
    expect(ran.code, ran.stderr).toBe(12);
    const { intent } = JSON.parse(ran.stdout) as { intent: string };
    expect(oneError(ran)).toMatchObject({ code: 'OUTCOME_UNKNOWN', intent });
    const pending = (await obk.json(['pending', 'list'])) as Record<string, string>[];
    expect(pending.find((row) => row['intent'] === intent)).toMatchObject({ kind: 'unknown', amount });
    const reason = ['--reason', 'asked the bank'];
    const [paymentId = ''] = bank.paymentIdsOf(amount);
    await obk.json(['pending', 'resolve', intent.slice(0, 12), '--payment-id', paymentId, ...reason]);
  });

  turn('while a read is on its way', async () => {
    const { paymentId } = await obk.json(init('54.00'));
    fault('getPaymentInitiationStatus', 'delay', '30s');
    const run = start(['payment', 'status', paymentId]);
    await until(() => bank.arrivals('getPaymentInitiationStatus') > 0);
    run.child.kill(signal);
    const ran = await run.ended;
    expect(ran).toMatchObject({ code: exit, stdout: '' });
    expect(oneError(ran).code).toBe(code);
  });

  turn('while a program is waited for that gives the password', async () => {
    const amount = signal === 'SIGINT' ? '55.00' : '56.00';
    const asked = join(obk.folder, amount);
    const program = `cmd:${process.execPath} -e 'fs.writeFileSync("${asked}", ""); setTimeout(() => {}, 15000)'`;
    const run = start(init(amount, '--psu-id', 'embedded-choice', '--psu-password-from', program));
    await until(() => existsSync(asked));
    run.child.kill(signal);
    const ran = await run.ended;
    expect(ran).toMatchObject({ code: exit, stdout: '' });
    const [paymentId = ''] = bank.paymentIdsOf(amount);
    expect(oneError(ran)).toMatchObject({
      code,
      resource: { paymentId },
      next: `obk payment authorise ${paymentId}`,
    });
  });

  turn('while stdin is waited for', async () => {
    const run = start(['payment', 'init', '--product', 'sepa-credit-transfers', '--input', '-']);
    // More than a pipe holds: this returns when somebody reads.
    await new Promise((done) => run.child.stdin?.write(Buffer.alloc(300_000, ' '), done));
    run.child.kill(signal);
    const ran = await run.ended;
    expect(ran).toMatchObject({ code: exit, stdout: '' });
    expect(oneError(ran).code).toBe(code);
  });
});

it('a second SIGINT ends at once what does not hear the first', async () => {
  const configDir = join(obk.home, 'locked');
  mkdirSync(configDir);
  const clock = createClock();
  await withLock(join(configDir, 'config.json.lock'), clock, async () => {
    const args = [
      'profile',
      'create',
      'x',
      '--base-url',
      'https://bank.example',
      '--environment',
      'test',
      '--signing',
      'none',
    ];
    const run = start(args, { OBK_CONFIG_DIR: configDir });
    await until(() => readdirSync(configDir).length > 1);
    run.child.kill('SIGINT');
    await clock.sleep(200);
    expect(run.child.exitCode).toBe(null);
    const second = clock.monotonic();
    run.child.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130, stdout: '' });
    // By itself it would have gone on for seconds: the lock is waited for longer than that.
    expect(clock.monotonic() - second).toBeLessThan(3000);
  });
});

it('Ctrl-C in a terminal says what is left, gives the cursor back, and ends with 130', async () => {
  const { CI: _, ...env } = obk.env;
  const terminal = obk.terminal([...init('57.00'), '--yes', '--browser', 'never'], {
    env: { ...env, CI: '' },
  });
  await terminal.see('Open this link to approve:');
  terminal.write('\u0003');
  expect(await terminal.ended).toBe(130);
  const [paymentId = ''] = bank.paymentIdsOf('57.00');
  expect(terminal.text()).toContain(`The payment ${paymentId} exists`);
  expect(terminal.text()).toContain(`obk payment authorise ${paymentId}`);
  const last = Math.max(...['\u001b[?25h', '\u001b[?25l'].map((mode) => terminal.raw().lastIndexOf(mode)));
  if (last >= 0) expect(terminal.raw().slice(last, last + 6)).toBe('\u001b[?25h');
});

it.each(['redirect', 'redirect-explicit'])(
  'a job that is killed while it waits for %s has left the id and the link on stderr',
  async (psuId) => {
    const run = start(init('1.23', '--psu-id', psuId, '--wait', '--allow-duplicate', '-q'));
    let stderr = '';
    run.child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    await until(() => stderr.includes('/sca/'));
    run.child.kill('SIGKILL');
    const { stdout } = await run.ended;
    expect(stdout).toBe('');
    const told = stderr
      .trim()
      .split('\n')
      .map((one) => (JSON.parse(one) as { created: object }).created);
    expect(told.at(-1)).toEqual({
      paymentId: expect.any(String) as string,
      authorisationId: expect.any(String) as string,
      url: expect.stringMatching(/^http:.*\/sca\//) as string,
      next: expect.stringMatching(/^obk payment authorise \S+$/) as string,
    });
  },
);
