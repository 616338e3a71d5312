// The bank inside under a constant load that does not wait for its answers, and then for long: how late it answers, and what stays
// in its memory.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runInside } from '../../helpers/inside.ts';
import { shop } from '../../helpers/obk.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('36', 3);
const goal = { gets: 1_000, posts: 300, p99: 100 };
/** Each second of load is followed by so many of the soak: a minute and half an hour in full size. */
const soak = {
  seconds: row.count * 30,
  gets: 160,
  posts: 40,
  growth: 1.1,
  rssMb: 300,
};
/** A machine that is busy with something else shows nothing of p99: where the bank stood in the queue for so much of the time. */
const busy = 0.1;
const tries = 3;

const bin = resolve(import.meta.dirname, '../../../bin/obk.js');
const home = mkdtempSync(join(tmpdir(), 'obk-load-'));
const env: NodeJS.ProcessEnv = {
  ...process.env,
  HOME: home,
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_STATE_HOME: join(home, 'state'),
  XDG_CACHE_HOME: join(home, 'cache'),
  CI: 'true',
};
const measured = join(home, 'measured.json');
const preload = join(home, 'measure.cjs');
const agent = new Agent({ keepAlive: true, maxSockets: 100 });
const ids: string[] = [];
const calls: Record<'GET' | 'POST', { headers: Record<string, string>; body: string }> = {
  GET: { headers: {}, body: '' },
  POST: { headers: {}, body: '' },
};
let bank: ChildProcess;
let baseUrl: URL;

beforeAll(async () => {
  writeFileSync(
    preload,
    `process.on('SIGUSR2', () => { gc(); gc(); const { heapUsed, rss } = process.memoryUsage(), { user, system } = process.cpuUsage();
      const handles = process.getActiveResourcesInfo().filter((one) => one !== 'TCPSocketWrap').length;
      require('node:fs').writeFileSync(${JSON.stringify(measured)}, JSON.stringify({ heapUsed, rss, handles, cpuMs: (user + system) / 1000 })); });`,
  );
  const words = ['--expose-gc', '--require', preload, bin, 'sandbox', 'start', '--port', '0', '--json'];
  bank = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const first = await new Promise<Buffer>((done) => bank.stdout?.once('data', done));
  baseUrl = new URL((JSON.parse(first.toString()) as { baseUrl: string }).baseUrl);
  await obk('sandbox', 'scenario', 'set', 'rateLimit', 'off');
  const order = [
    '--debtor',
    'DE65990010000000002443',
    ...shop,
    '--amount',
    '1.00',
    '--psu-id',
    'embedded-choice',
  ];
  calls.POST = signed(await obk('payment', 'init', ...order, '--dry-run'));
  const place = ['--service', 'payments', '--product', 'sepa-credit-transfers'];
  const id = '00000000-0000-4000-8000-000000000000';
  calls.GET = signed(await obk('payment', 'status', id, ...place, '--dry-run'));
}, 30_000);

async function obk(...words: string[]): Promise<string> {
  const more = ['--profile', 'sandbox', '--no-input', '--json'];
  const { code, stdout, stderr } = await runInside([...words, ...more], { env, cwd: home, input: '' });
  expect(code, stderr).toBe(0);
  return stdout;
}

/** What obk would send: its headers are signed, and this bank takes them again and again. */
function signed(dry: string): { headers: Record<string, string>; body: string } {
  const { headers, body } = JSON.parse(dry) as { headers: { name: string; value: string }[]; body: string };
  return { headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])), body };
}
afterAll(async () => {
  agent.destroy();
  const ended = new Promise((done) => bank.once('close', done));
  bank.kill('SIGKILL');
  await ended;
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});

const collection = '/v1/payments/sepa-credit-transfers';
/** One call; gives its status and text. */
function send(method: 'GET' | 'POST', path: string): Promise<{ status: number; text: string }> {
  const { headers, body } = calls[method];
  return new Promise((done, failed) => {
    const { hostname, port } = baseUrl;
    const asked = request({ agent, method, hostname, port, path, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => {
        done({ status: answer.statusCode ?? 0, text });
      });
    });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // The bank may cut a connection that was idle at the moment in which it is used again.
      if (asked.reusedSocket && error.code === 'ECONNRESET') send(method, path).then(done, failed);
      else failed(error);
    });
    asked.end(body === '' ? undefined : body);
  });
}

interface Load {
  latencies: number[];
  errors: string[];
}

/** So many calls in each second, sent when they are due, whatever became of those before. */
async function load(seconds: number, perSecond: { gets: number; posts: number }): Promise<Load> {
  const latencies: number[] = [];
  const errors: string[] = [];
  const going: Promise<void>[] = [];
  const call = async (method: 'GET' | 'POST', due: number) => {
    const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
    try {
      const { status, text } = await send(
        method,
        method === 'POST' ? collection : `${collection}/${id}/status`,
      );
      // From when it was due: a bank that stops for a while delays all that should have come meanwhile.
      latencies.push(performance.now() - due);
      if (status !== (method === 'POST' ? 201 : 200))
        errors.push(`${method} ${String(status)} ${text.slice(0, 200)}`);
      else if (method === 'POST')
        ids[ids.length % 20_000] = (JSON.parse(text) as { paymentId: string }).paymentId;
    } catch (error) {
      errors.push(String(error));
    }
  };
  const began = performance.now();
  const all = { GET: perSecond.gets * seconds, POST: perSecond.posts * seconds };
  const sent = { GET: 0, POST: 0 };
  while (sent.GET < all.GET || sent.POST < all.POST) {
    const part = Math.min(1, (performance.now() - began) / (seconds * 1000));
    for (const method of ['GET', 'POST'] as const) {
      for (; sent[method] < Math.floor(all[method] * part); sent[method] += 1)
        going.push(call(method, began + ((sent[method] + 1) / all[method]) * seconds * 1000));
    }
    await pause(2);
  }
  await Promise.all(going);
  return { latencies, errors };
}

const percentile = (all: readonly number[], part: number) =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length * part)] ?? Infinity;

interface Measured {
  heapUsed: number;
  rss: number;
  handles: number;
  cpuMs: number;
}

async function measure(): Promise<Measured> {
  writeFileSync(measured, '');
  bank.kill('SIGUSR2');
  for (;;) {
    await pause(20);
    const text = readFileSync(measured, 'utf8');
    if (text.endsWith('}')) return JSON.parse(text) as Measured;
  }
}

it('the bank answers each call of a constant load in time', { timeout: row.timeout(120_000) }, async () => {
  for (let first = 0; first < 20; first += 1)
    ids.push((JSON.parse((await send('POST', collection)).text) as { paymentId: string }).paymentId);
  await load(2, { gets: goal.gets / 2, posts: goal.posts / 2 });
  const found: { p99: number; queue: number }[] = [];
  const before = await measure();
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const [began, waited] = [performance.now(), queueMs()];
    const { latencies, errors } = await load(row.count, goal);
    expect(errors.slice(0, 5), errors.slice(0, 5).join('\n')).toEqual([]);
    const queue = (queueMs() - waited) / (performance.now() - began);
    found.push({ p99: percentile(latencies, 0.99), queue });
    if (found.some(({ p99 }) => p99 <= goal.p99)) break;
  }
  const { cpuMs } = await measure();
  const all = goal.gets + goal.posts;
  const each = (cpuMs - before.cpuMs) / (found.length * row.count * all);
  const told = found
    .map(({ p99, queue }) => `${p99.toFixed(0)} ms (${(queue * 100).toFixed(0)} % of the time in the queue)`)
    .join(', ');
  const judged = found.filter(({ queue, p99 }) => queue < busy || p99 <= goal.p99).map(({ p99 }) => p99);
  const how = judged.length > 0 ? '' : ', NOT JUDGED: this machine was busy with something else';
  row.report(
    `${String(goal.gets)} GET/s and ${String(goal.posts)} POST/s, p99 ${told}${how}, ${each.toFixed(2)} ms of a core each`,
  );
  if (judged.length > 0) expect(Math.min(...judged), `p99 ${told}`).toBeLessThanOrEqual(goal.p99);
});

/** How long the bank was ready to run and got no core, where the system tells it. */
function queueMs(): number {
  try {
    const [, queue = 0] = readFileSync(`/proc/${String(bank.pid)}/schedstat`, 'utf8')
      .split(' ')
      .map(Number);
    return queue / 1e6;
  } catch {
    return 0;
  }
}

it(
  'the bank keeps nothing in memory of what it has answered',
  { timeout: row.timeout(300_000) },
  async () => {
    // A sixth of it is what a process needs to come to rest.
    await load(Math.ceil(soak.seconds / 6), soak);
    const before = await measure();
    const { errors } = await load(soak.seconds - Math.ceil(soak.seconds / 6), soak);
    const after = await measure();
    const growth = after.heapUsed / before.heapUsed;
    row.report(
      `${String(soak.seconds)} s of ${String(soak.gets + soak.posts)} calls/s: heap x ${growth.toFixed(2)}, ` +
        `${(after.rss / 2 ** 20).toFixed(0)} MB, handles ${String(before.handles)} and ${String(after.handles)}`,
      0,
    );
    expect(errors.slice(0, 5), errors.slice(0, 5).join('\n')).toEqual([]);
    expect(growth, `heap ${String(before.heapUsed)} and ${String(after.heapUsed)}`).toBeLessThan(soak.growth);
    expect(after.rss / 2 ** 20).toBeLessThan(soak.rssMb);
    expect(after.handles).toBeLessThanOrEqual(before.handles + 2);
  },
);
