import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createObk } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';

const windowMs = 6_000;
const mostInWindow = 100;
const pagesEach = 23;
const path = '/v1/accounts/acc-1/transactions';

let obk: Obk;
let server: Server;
/** When each call that counts arrived, in milliseconds. */
const arrivals: number[] = [];
let refused = 0;

/** A bank that refuses the 101st call of any window, whoever makes it. */
beforeAll(async () => {
  obk = createObk();
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://h');
    const say = (status: number, body: object) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (!url.pathname.endsWith('/transactions')) {
      say(200, { access: {}, consentStatus: 'valid', frequencyPerDay: 1000, recurringIndicator: true });
      return;
    }
    const now = performance.now();
    if (arrivals.filter((at) => at > now - windowMs).length >= mostInWindow) {
      refused += 1;
      say(429, {});
      return;
    }
    arrivals.push(now);
    const page = Number(url.searchParams.get('page') ?? 1);
    const who = url.searchParams.get('entryReferenceFrom') ?? '';
    const next = `${path}?entryReferenceFrom=${who}&page=${String(page + 1)}`;
    const transactionId = `${who}-${String(page)}`;
    const booked = [{ transactionId, transactionAmount: { currency: 'EUR', amount: '1.00' } }];
    say(200, { transactions: { booked, _links: page < pagesEach ? { next: { href: next } } : {} } });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const profile = ['--base-url', `http://127.0.0.1:${String(port)}`, '--environment', 'test'];
  await obk.json(['profile', 'create', 'acme', ...profile, '--signing', 'none', '--variant', 'v1']);
  await obk.json(['consent', 'use', 'con-1']);
});
afterAll(() => {
  server.close();
  obk.close();
});

it(
  '8 processes at a bank with a limit get no 429, and use at least 75 % of it',
  { timeout: 60_000 },
  async () => {
    const runs = Array.from({ length: 8 }, (_, at) =>
      obk.run(
        [
          ...['transactions', 'list', '--account', 'acc-1', '--entry-reference-from', `p${String(at)}`],
          ...['--all', '--rate', `90/${String(windowMs)}ms`, '-o', 'name'],
        ],
        { bound: 50_000 },
      ),
    );
    const ended = await Promise.all(runs);
    expect(ended.map(({ code, stderr }) => (code === 0 ? '' : stderr)).join('')).toBe('');
    expect(ended.map(({ stdout }) => stdout.trim().split('\n').length)).toEqual(Array(8).fill(pagesEach));
    expect(refused).toBe(0);
    expect(arrivals).toHaveLength(8 * pagesEach);
    const [first = 0] = arrivals;
    const within = (window: number) =>
      arrivals.filter((at) => Math.floor((at - first) / windowMs) === window).length;
    expect(within(0)).toBeGreaterThanOrEqual(0.75 * mostInWindow);
    expect(within(1)).toBeGreaterThanOrEqual(0.75 * mostInWindow);
  },
);
