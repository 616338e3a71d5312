// Random commands of one to four processes under random faults, and a checker that knows both sides.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seeded } from '../../helpers/kill-cycles.ts';
import { leaks } from '../../helpers/leaks.ts';
import type { Ran } from '../../helpers/obk.ts';
import { filesIn } from '../../helpers/paid-home.ts';
import { homeIn } from '../../helpers/paying-home.ts';
import type { PayingHome } from '../../helpers/paying-home.ts';
import { trials } from '../../helpers/trials.ts';
import { startModelBank } from '../model-bank.ts';
import type { ModelBank } from '../model-bank.ts';

const row = trials('41', 1);
const steps = 12;
/** Beyond this a command hangs. */
const boundMs = 25_000;
const canaries = { MODEL_PASSWORD: 'c4n-model-pass-7Qz', MODEL_CODE: '90817263540' };
const bin = resolve(import.meta.dirname, '../../../bin/obk.js');
const preload = resolve(import.meta.dirname, '../../helpers/fault-at.cjs');

/** One command as it was run, with its fault. */
interface Event {
  intent?: Intent;
  args: readonly string[];
  fault: string;
  ran: Ran;
}

interface Intent {
  amount: string;
  key: string;
}

const faultKinds = ['none', 'none', 'kill', 'error', 'full', 'lose', 'reset', 'late'] as const;

let bank: ModelBank;
let slowest = 0;
beforeAll(async () => {
  bank = await startModelBank();
});
afterAll(() => bank.close());

/** obk in a process of its own, killed or struck at some change of its state. */
function run(home: PayingHome, args: readonly string[], fault: string, at: number): Promise<Ran> {
  const struck = ['kill', 'error', 'full'].includes(fault);
  const env = {
    ...home.env,
    ...canaries,
    ...(struck ? { FAULT_KIND: fault, FAULT_AT: String(at), FAULT_FOLDER: join(home.folder, 'state') } : {}),
  };
  const words = [...(struck ? ['--require', preload] : []), bin, ...args];
  const started = performance.now();
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, words, {
      env,
      cwd: home.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    let timer = setTimeout(look, boundMs);
    /** A machine that gives no core is not a command that hangs. */
    function look() {
      const { core, queue } = timesOf(child.pid);
      const own = performance.now() - started - queue;
      if (own < boundMs) timer = setTimeout(look, boundMs - own + 100);
      else {
        stderr += `\nit hangs, after ${core.toFixed(0)} ms on a core and ${queue.toFixed(0)} ms in the queue for one`;
        child.kill('SIGKILL');
      }
    }
    child.on('error', failed);
    child.on('close', (code) => {
      clearTimeout(timer);
      slowest = Math.max(slowest, performance.now() - started);
      done({ code, stdout, stderr });
    });
  });
}

/** How long the first thread of a process has computed, and how long it was ready to and got no core; in milliseconds. */
function timesOf(pid = 0): { core: number; queue: number } {
  try {
    const [core = 0, queue = 0] = readFileSync(`/proc/${String(pid)}/schedstat`, 'utf8')
      .split(' ')
      .map(Number);
    return { core: core / 1e6, queue: queue / 1e6 };
  } catch {
    return { core: 0, queue: 0 };
  }
}

const common = ['--profile', 'model', '--no-input', '--json'];
const secrets = ['--psu-password-from', 'env:MODEL_PASSWORD', '--otp-from', 'env:MODEL_CODE'];
const paying = ({ amount, key }: Intent): string[] => [
  ...['payment', 'init', '--product', 'sepa-credit-transfers', '--creditor-name', 'Shop'],
  ...['--creditor-account', 'DE89370400440532013000', '--amount', amount, '--intent-key', key],
  ...common,
  ...secrets,
];
const reading = [
  ['payment', 'list'],
  ['pending', 'list'],
  ['payment', 'status', '@last'],
];

/** A history: each step runs one to four commands at once; what one of them meets is chosen for it. */
async function history(home: PayingHome, random: () => number): Promise<Event[]> {
  const events: Event[] = [];
  const intents: Intent[] = [];
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  for (let step = 0; step < steps; step += 1) {
    const going = Array.from({ length: 1 + Math.floor(random() * 4) }, async () => {
      const roll = random();
      const fault = pick(faultKinds) ?? 'none';
      const at = 1 + Math.floor(random() * 60);
      if (roll < 0.25) return event([...(pick(reading) ?? []), ...common], 'none', at);
      let intent = roll < 0.6 ? pick(intents) : undefined;
      if (intent === undefined) {
        const number = intents.length + 1;
        intent = {
          amount: `${random() < 0.5 ? '' : '1'}10.${String(number).padStart(2, '0')}`,
          key: `k-${String(number)}`,
        };
        intents.push(intent);
      }
      if (fault === 'lose' || fault === 'reset' || fault === 'late') bank.next = fault;
      return event(paying(intent), fault, at, intent);
    });
    events.push(...(await Promise.all(going)));
  }
  // In the end everything is run once more in peace.
  for (const intent of intents) events.push(await event(paying(intent), 'none', 0, intent));
  events.push(await event(['pending', 'list', ...common], 'none', 0));
  return events;

  async function event(args: readonly string[], fault: string, at: number, intent?: Intent): Promise<Event> {
    const ran = await run(home, args, fault, at);
    return { args, fault, ran, ...(intent === undefined ? {} : { intent }) };
  }
}

/** What a document of obk says of payments: id, status, amount. */
function told(
  text: string,
): { paymentId?: string; transactionStatus?: string; id?: string; status?: string }[] {
  try {
    const value = JSON.parse(text) as object;
    return (Array.isArray(value) ? value : [value]) as object[];
  } catch {
    return [];
  }
}

/** Holds what obk said against what the bank knows; gives what does not agree, in words. */
function check(home: PayingHome, events: readonly Event[]): string[] {
  const found: string[] = [];
  for (const { args, fault, ran, intent } of events) {
    const where = `${args.slice(0, 2).join(' ')} ${intent?.amount ?? ''} (${fault}, exit ${String(ran.code)})`;
    const made = bank.payments.filter(({ amount }) => amount === intent?.amount);
    if (ran.code === 1 || /\nit hangs, after /.test(ran.stderr)) found.push(`${where}: ${ran.stderr}`);
    if (/\n +at .*:\d+:\d+/.test(ran.stderr)) found.push(`${where}: a stack trace`);
    // The bank is always there, and takes every request whose first byte leaves.
    if (ran.code === 7) found.push(`${where}: says that nothing was sent`);
    if (intent !== undefined && made.length > 1) found.push(`${where}: ${String(made.length)} payments`);
    if (intent !== undefined && ran.code === 0 && made.length === 0) found.push(`${where}: says done`);
    for (const one of told(ran.stdout)) {
      const id = one.paymentId ?? one.id;
      const status = one.transactionStatus ?? one.status;
      const known = bank.payments.find((payment) => payment.id === id);
      if (id?.startsWith('m-') === true && known === undefined) found.push(`${where}: ${id} never was`);
      if (
        known !== undefined &&
        status !== undefined &&
        /^[A-Z]{4}$/.test(status) &&
        !known.statuses.includes(status)
      )
        found.push(`${where}: ${id ?? ''} never was ${status}`);
    }
    for (const [name, canary] of Object.entries(canaries))
      if (leaks(ran.stdout + ran.stderr, canary)) found.push(`${where}: tells ${name}`);
  }
  found.push(...lostWrites(events));
  for (const [name, canary] of Object.entries(canaries)) {
    for (const file of filesIn(home.folder))
      if (leaks(readFileSync(file, 'utf8'), canary)) found.push(`${file} tells ${name}`);
  }
  // A code leaves once for each run that had it to enter, and a payment takes it once.
  const codes = bank.bodies.filter((body) => body.includes(canaries.MODEL_CODE)).length;
  const due = bank.payments.filter(({ amount }) => Number(amount) >= 100).length;
  if (codes > due) found.push(`the code was sent ${String(codes)} times for ${String(due)} payments`);
  return [...new Set(found)];
}

/** What obk has acknowledged is there in the end; what the bank has made, and obk calls unknown, stands in the last list. */
function lostWrites(events: readonly Event[]): string[] {
  const pending = events.at(-1)?.ran.stdout ?? '';
  return events.flatMap(({ intent, ran }, at) => {
    if (intent === undefined) return [];
    const last = events.findLast((other) => other.intent === intent)?.ran;
    const [id] = told(ran.stdout).map(({ paymentId }) => paymentId);
    const found: string[] = [];
    if (ran.code === 0 && id !== undefined && !`${last?.stdout ?? ''}${last?.stderr ?? ''}`.includes(id))
      found.push(
        `event ${String(at)}: ${id} was acknowledged, and is not known in the end: ${JSON.stringify(last)}`,
      );
    const made = bank.payments.some(({ amount }) => amount === intent.amount);
    if (made && (last?.code === 7 || /nothing (is|was) sent(?! again)/i.test(last?.stderr ?? '')))
      found.push(`event ${String(at)}: ${intent.amount} was made, and obk says that nothing was sent`);
    if (last?.code === 12 && !pending.includes(intent.amount))
      found.push(`event ${String(at)}: ${intent.amount} is unknown, and not listed`);
    return found;
  });
}

it(
  'obk and the bank agree after every history of several processes and faults',
  { timeout: row.timeout(90_000) },
  async () => {
    let [commands, made] = [0, 0];
    for (let index = 0; index < row.count; index += 1) {
      const seed = row.seed + index;
      bank.afresh();
      const home = homeIn(mkdtempSync(join(tmpdir(), 'obk-model-')));
      const profile = await home.run([
        ...[
          'profile',
          'create',
          'model',
          '--base-url',
          bank.baseUrl,
          '--environment',
          'test',
          '--variant',
          'v1',
        ],
        ...[
          '--signing',
          'none',
          '--rate',
          'off',
          '--psu-ip',
          '192.0.2.7',
          '--psu-id',
          'anna',
          '--timeout',
          '5s',
        ],
        ...['--debtor', 'DE40100100103307118608'],
      ]);
      expect(profile.code, profile.stderr).toBe(0);
      const events = await history(home, seeded(seed));
      const found = check(home, events);
      commands += events.length;
      made += bank.payments.length;
      const about = `seed ${String(seed)}; the state is kept in ${home.folder}`;
      expect(found, [...found, about].join('\n')).toEqual([]);
      rmSync(home.folder, { recursive: true, force: true });
    }
    row.report(
      `${String(commands)} commands, ${String(made)} payments, the slowest ${(slowest / 1000).toFixed(1)} s`,
    );
    expect(made).toBeGreaterThan(0);
  },
);
