// The port of the return, seen from a bank that tries to take it itself at each call.
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { createServer as createPlain } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../../helpers/free-port.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { createObk, shop } from '../../../../helpers/obk.ts';

const payment = '/v1/payments/sepa-credit-transfers';
const metadata = '/.well-known/oauth-authorization-server';
/** What became of a try to take the port that the run has named, or will name. */
const tries: string[] = [];
let calls = 0;
let base = '';
let watched = 0;

function take(port: number): Promise<string> {
  return new Promise((resolve) => {
    const server = createPlain();
    server.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
      resolve(code);
    });
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.close(() => {
        resolve('taken');
      });
    });
  });
}

const bank = createServer((incoming, outgoing) => {
  calls += 1;
  const { url = '', method, headers } = incoming;
  const named = headers['tpp-redirect-uri'];
  if (typeof named === 'string') watched = Number(new URL(named).port);
  incoming.resume().on('end', () => {
    void take(watched).then((how) => {
      tries.push(`${method ?? ''} ${url === metadata ? 'metadata' : url}: ${how}`);
      outgoing.statusCode = method === 'POST' ? 201 : 200;
      outgoing.setHeader('Content-Type', 'application/json');
      outgoing.setHeader('X-Request-ID', headers['x-request-id'] ?? '');
      outgoing.end(JSON.stringify(answerTo(url)));
    });
  });
});

function answerTo(url: string): object {
  if (url === metadata)
    return { issuer: base, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` };
  const links = {
    scaRedirect: { href: `${base}/page` },
    scaStatus: { href: `${payment}/pay-1/authorisations/auth-1` },
    status: { href: `${payment}/pay-1/status` },
  };
  if (url === payment) return { transactionStatus: 'RCVD', paymentId: 'pay-1', _links: links };
  return url.endsWith('/auth-1') ? { scaStatus: 'finalised' } : { transactionStatus: 'ACSC' };
}

const obk = createObk({ CI: 'true', OBK_PROFILE: 'acme' });
const inside = (args: readonly string[]) => runInside(args, { env: obk.env, cwd: obk.folder, input: '' });
const made = async (...args: string[]) => {
  const ran = await inside(args);
  expect(ran.code, ran.stderr).toBe(0);
};

beforeAll(async () => {
  await new Promise<void>((done) => bank.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${String((bank.address() as AddressInfo).port)}`;
  await made(
    ...['profile', 'create', 'acme', '--base-url', base, '--environment', 'sandbox', '--variant', 'v1'],
    ...['--signing', 'none', '--oauth-client-id', 'tpp', '--oauth-metadata', base + metadata],
  );
});
afterAll(() => {
  obk.close();
  bank.close();
});
beforeEach(async () => {
  [tries.length, calls] = [0, 0];
  watched = await freePort();
});

const waiting = ['--wait', '--timeout', '9s', '--browser', 'never', '--json'];
const pay = [
  ...['payment', 'init', ...shop, '--debtor', 'DE89370400440532013000', '--amount', '1.00'],
  ...['--allow-duplicate', '--psu-id', 'anna', '--psu-ip', '192.0.2.1'],
];
const registered = (more: string[] = []) =>
  made('profile', 'edit', 'acme', '--redirect-uri', `http://127.0.0.1:${String(watched)}/cb`, ...more);

describe('the port to which the PSU comes back', () => {
  it('is ours from before the first call until the run has ended, whoever wants it in between', async () => {
    const ran = await inside([...pay, ...waiting]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(tries.length).toBeGreaterThan(2);
    for (const one of tries) expect(one).toMatch(/: EADDRINUSE$/);
  });

  it.each([
    ['with a state', ['--redirect-state', 'query']],
    ['without one', ['--redirect-state', '']],
  ])('is ours where the profile names it, too: %s', async (_, more) => {
    await registered(more);
    const ran = await inside([...pay, ...waiting]);
    expect(ran.code, ran.stderr).toBe(0);
    for (const one of tries) expect(one).toMatch(/: EADDRINUSE$/);
    expect(await take(watched)).toBe('taken');
  });

  it('is not taken by a run that does not wait', async () => {
    await registered();
    const ran = await inside([...pay, '--json']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(tries[0]).toMatch(/: taken$/);
  });

  it('is ours at a login before its first call', async () => {
    await registered();
    const ran = await inside([
      'auth',
      'login',
      '--psu-id',
      'anna',
      ...waiting.slice(0, 1),
      '--timeout',
      '1s',
      '--json',
    ]);
    expect(ran.code, ran.stderr).toBe(8);
    expect(tries).toEqual([`GET metadata: EADDRINUSE`]);
  });

  describe('where another program has it', () => {
    let other: Server;
    beforeEach(async () => {
      other = createServer();
      await new Promise<void>((done) => other.listen(watched, '127.0.0.1', done));
      return () => new Promise((done) => other.close(done));
    });

    it.each([
      ['a payment whose return has a state', pay, ['--redirect-state', 'query']],
      [
        'a login, to which a code comes back',
        ['auth', 'login', '--psu-id', 'anna'],
        ['--redirect-state', ''],
      ],
    ])('ends %s before anything is sent', async (_, args, more) => {
      await registered(more);
      const ran = await inside([...args, ...waiting]);
      expect([ran.code, calls]).toEqual([3, 0]);
      expect(ran.stderr).toContain('LISTENER_FAILED');
      expect(ran.stderr).toContain('nothing was sent');
    });

    it('lets a payment whose return has none read the status', async () => {
      await registered(['--redirect-state', '']);
      const ran = await inside([...pay, ...waiting]);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stderr).toContain('is taken');
    });
  });
});
