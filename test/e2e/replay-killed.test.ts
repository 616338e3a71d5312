import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { createObk, payShop } from '../helpers/obk.ts';

const own = createObk();
const posts: { id: string; body: string }[] = [];
let silent = false;
const reached: (() => void)[] = [];

/** A bank that keeps payments by X-Request-ID; while it is silent it takes a request and never answers. */
const bank = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    if (request.method === 'POST') {
      posts.push({
        id: String(request.headers['x-request-id']),
        body: Buffer.concat(pieces).toString('utf8'),
      });
      for (const tell of reached.splice(0)) tell();
      if (silent) return;
    }
    response.writeHead(posts.length === 1 ? 500 : 201, { 'Content-Type': 'application/json' });
    response.end(
      posts.length === 1
        ? ''
        : JSON.stringify({
            transactionStatus: 'RCVD',
            paymentId: 'p-1',
            _links: { scaRedirect: { href: 'https://login.bank.example/p' } },
          }),
    );
  });
});
afterAll(() => {
  bank.closeAllConnections();
  bank.close();
  own.close();
});

it('a replay that is killed in the middle stays unknown, and is sent again only on another word', async () => {
  await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((bank.address() as AddressInfo).port)}`;
  const flags = ['--base-url', url, '--environment', 'test', '--signing', 'none', '--psu-ip', '192.0.2.7'];
  await own.json(['profile', 'create', 'acme', ...flags, '--json']);
  await own.run(['config', 'set', 'requestIdSemantics', 'replay', '--profile', 'acme']);
  const lost = await own.run([...payShop, '--psu-id', 'anna', '--profile', 'acme']);
  expect(lost.code, lost.stderr).toBe(12);
  const id = /pending show (\w+)/.exec(lost.stderr)?.[1] ?? '';
  const replay = ['pending', 'resolve', id, '--replay', '--yes', '--profile', 'acme'];

  silent = true;
  const came = new Promise<void>((resolve) => reached.push(resolve));
  const killed = own.start(replay);
  await came;
  killed.kill('SIGKILL');
  await new Promise((resolve) => killed.once('exit', resolve));
  silent = false;
  expect(posts).toHaveLength(2);

  const pending = (await own.json(['pending', 'list', '--profile', 'acme', '--json'])) as {
    state?: string;
  }[];
  expect(pending.length).toBeGreaterThanOrEqual(1);
  expect(posts).toHaveLength(2);

  const again = await own.run(replay);
  expect(again.code, again.stderr).toBe(0);
  expect(again.stdout).toContain('p-1');
  expect(posts).toHaveLength(3);
  expect(new Set(posts.map((post) => JSON.stringify(post))).size).toBe(1);
  expect(await own.json(['pending', 'list', '--profile', 'acme', '--json'])).toEqual([]);
});
