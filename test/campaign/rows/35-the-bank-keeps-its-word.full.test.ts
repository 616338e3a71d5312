// The bank is killed while payments are made at it by several clients; whatever it answered with 201 is there when it is back.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runInside } from '../../helpers/inside.ts';
import { seeded } from '../../helpers/kill-cycles.ts';
import { shop } from '../../helpers/obk.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('35', 3);
const bin = resolve(import.meta.dirname, '../../../bin/obk.js');
const home = mkdtempSync(join(tmpdir(), 'obk-kept-'));
const env: NodeJS.ProcessEnv = {
  ...process.env,
  HOME: home,
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_STATE_HOME: join(home, 'state'),
  XDG_CACHE_HOME: join(home, 'cache'),
  CI: 'true',
};
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const bank of running) bank.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});

async function start(): Promise<ChildProcess> {
  const bank = spawn(process.execPath, [bin, 'sandbox', 'start', '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(bank);
  let said = '';
  bank.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await new Promise<void>((done, failed) => {
    bank.stdout.once('data', () => {
      done();
    });
    bank.once('close', (code) => {
      failed(new Error(`the bank ended with ${String(code)}: ${said}`));
    });
  });
  return bank;
}

async function kill(bank: ChildProcess): Promise<void> {
  const ended = new Promise((done) => bank.once('close', done));
  bank.kill('SIGKILL');
  await ended;
  running.delete(bank);
}

const obk = (...words: string[]) =>
  runInside([...words, '--profile', 'sandbox', '--json', '--no-input'], { env, cwd: home, input: '' });

it('every payment that was answered exists after a kill', { timeout: row.timeout(300_000) }, async () => {
  const random = seeded(row.seed);
  const acknowledged = new Map<string, number>();
  let bank = await start();
  await obk('sandbox', 'scenario', 'set', 'rateLimit', 'off');
  let amount = 0;
  for (let cycle = 0; cycle < row.count; cycle += 1) {
    let going = true;
    const client = async (): Promise<void> => {
      while (going) {
        amount += 1;
        const ran = await obk(
          ...['payment', 'init', ...shop, '--psu-id', 'embedded-choice', '--authorise-later'],
          ...['--amount', `${String(amount)}.00`, '--allow-duplicate', '--rate', 'off'],
        ).catch(() => undefined);
        if (ran === undefined || ran.stdout === '') continue;
        const { paymentId } = JSON.parse(ran.stdout) as { paymentId?: string };
        if (paymentId !== undefined) acknowledged.set(paymentId, cycle);
      }
    };
    const clients = [client(), client(), client(), client()];
    await new Promise((done) => setTimeout(done, 300 + random() * 900));
    const killed = kill(bank);
    going = false;
    await killed;
    bank = await start();
    await Promise.all(clients);
  }
  await obk('sandbox', 'scenario', 'set', 'rateLimit', 'off');
  const asked = [...acknowledged.keys()];
  const lost: string[] = [];
  for (const paymentId of asked) {
    const ran = await obk('payment', 'status', paymentId, '--rate', 'off');
    if (ran.code !== 0) lost.push(`${paymentId}: ${ran.stderr}`);
  }
  await kill(bank);
  expect(lost).toEqual([]);
  expect(asked.length).toBeGreaterThan(row.count);
  row.report(`${String(asked.length)} payments were acknowledged, ${String(lost.length)} of them lost`);
});
