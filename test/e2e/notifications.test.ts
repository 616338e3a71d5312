import { createServer, request } from 'node:http';
import { request as requestTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/adapters/system/free-port.ts';
import { createObk } from '../helpers/obk.ts';
import type { Obk, Ran } from '../helpers/obk.ts';
import { makeCertificate } from '../helpers/tls.ts';

const bound = 30_000;

describe('notifications between processes', () => {
  let obk: Obk;
  let debtor: string;
  beforeAll(async () => {
    obk = createObk();
    debtor = (await obk.json(['sandbox', 'people', 'decoupled'])).accounts[0].iban;
    await obk.json(['sandbox', 'scenario', 'set', 'rateLimit', 'off']);
  }, bound);
  afterAll(() => {
    obk.close();
  });

  const order = (uri: string): string[] => [
    ...[
      'payment',
      'init',
      '--profile',
      'sandbox',
      '--product',
      'sepa-credit-transfers',
      '--psu-id',
      'decoupled',
    ],
    ...['--debtor', debtor, '--creditor-account', 'DE89370400440532013000', '--creditor-name', 'Shop'],
    ...['--amount', '1.00', '--allow-duplicate', '--no-input', '--notification-uri', uri],
  ];
  const pay = async (uri: string): Promise<string> =>
    (await obk.json(order(uri), { bound })).paymentId as string;
  const approve = (id: string) => obk.json(['sandbox', 'psu', 'approve', id], { bound });

  /** A listener as a process of its own, once it says that it listens. */
  const listen = async (...flags: string[]) => {
    const child = obk.start(['listen', '--profile', 'sandbox', '--port', '0', ...flags]);
    const seen = { out: '', err: '' };
    child.stdout!.on('data', (chunk: Buffer) => {
      seen.out += chunk.toString();
    });
    const ended = new Promise<Ran>((resolve) => {
      child.once('close', (code) => {
        resolve({ code, stdout: seen.out, stderr: seen.err });
      });
    });
    const uri = await new Promise<string>((resolve, reject) => {
      child.stderr!.on('data', (chunk: Buffer) => {
        seen.err += chunk.toString();
        const [, address] = /Listening at (\S+)/.exec(seen.err) ?? [];
        if (address !== undefined) resolve(address);
      });
      void ended.then(({ stderr }) => {
        reject(new Error(stderr));
      });
    });
    const lines = () =>
      seen.out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    return {
      uri,
      port: Number(new URL(uri).port),
      ended,
      lines,
      /** The lines, once there are so many. */
      said: async (count: number) => {
        await expect.poll(() => lines().length, { timeout: 9000 }).toBeGreaterThanOrEqual(count);
        return lines();
      },
      stop: async () => {
        child.kill('SIGINT');
        return ended;
      },
    };
  };

  const post = (port: number, body: string, { tls, ...more }: { tls?: object; method?: string } = {}) =>
    new Promise<number>((resolve, reject) => {
      const outgoing = (tls ? requestTls : request)(
        {
          host: '127.0.0.1',
          port,
          method: 'POST',
          agent: false,
          headers: {
            'Content-Type': 'application/json',
            'X-Request-ID': '2f77a125-aa7a-45c0-b414-cea25a116035',
          },
          ...more,
          ...tls,
          rejectUnauthorized: false,
        },
        (incoming) => {
          incoming.resume();
          incoming.on('end', () => {
            resolve(incoming.statusCode ?? 0);
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  const calls = async () => ((await obk.json(['sandbox', 'log', '--limit', '1000'])) as unknown[]).length;

  it(
    'obk listen confirms what the bank pushes, and ends with the awaited status',
    async () => {
      const listener = await listen('--until', 'ACSC');
      const id = await pay(listener.uri);
      await approve(id);
      const ended = await listener.ended;
      expect(ended.code).toBe(0);
      const [first] = listener.lines();
      expect(first).toMatchObject({
        profile: 'sandbox',
        noun: 'payment',
        id,
        told: { scaStatus: 'finalised' },
        confirmed: { transactionStatus: 'ACSC', scaStatus: 'finalised' },
        agrees: true,
      });
    },
    bound,
  );

  it(
    'ends cleanly with Ctrl-C',
    async () => {
      const listener = await listen();
      const { code, stdout, stderr } = await listener.stop();
      expect([code, stdout]).toEqual([130, '']);
      expect(stderr).not.toMatch(/✗|Error/);
    },
    bound,
  );

  it(
    'a hostile sender makes no call, and keeps nobody else out',
    async () => {
      const listener = await listen('--per-minute', '5');
      const id = await pay(listener.uri);
      const before = await calls();
      const { port } = listener;
      const unknown = (at: number) =>
        JSON.stringify({ paymentId: `unknown-${String(at)}`, transactionStatus: 'ACSC' });
      const slow = connect(port, '127.0.0.1', () => {
        slow.write('POST / HTTP/1.1\r\nHost: x\r\nX-Request-ID: ');
      });
      slow.on('error', () => undefined);
      expect(await post(port, 'garbage')).toBe(400);
      expect(await post(port, '{"paymentId":"../../../etc/passwd"}')).toBe(404);
      expect([400, 0]).toContain(await post(port, 'x'.repeat(5_000_000)).catch(() => 0));
      expect(await post(port, '{}', { method: 'DELETE' })).toBe(405);
      const flood = await Promise.all(
        Array.from({ length: 50 }, (_, at) => post(port, unknown(at)).catch(() => 0)),
      );
      expect(flood.filter((status) => ![404, 503, 0].includes(status))).toEqual([]);
      expect(await calls()).toBe(before);
      expect(listener.lines()).toEqual([]);
      await approve(id);
      expect((await listener.said(1))[0]).toMatchObject({ id, agrees: true });
      slow.destroy();
      // Of one that is ours so many in a minute are asked about, and no more.
      const again = JSON.stringify({ paymentId: id, transactionStatus: 'RJCT' });
      const statuses = [];
      for (let at = 0; at < 8; at++) statuses.push(await post(port, again));
      expect(statuses.at(-1)).toBe(503);
      await listener.said(5);
      const lied = listener
        .lines()
        .filter((line) => (line['told'] as Record<string, unknown>)['transactionStatus'] === 'RJCT');
      expect(lied[0]).toMatchObject({ confirmed: { transactionStatus: 'ACSC' }, agrees: false });
      expect((await listener.stop()).code).toBe(130);
      expect(listener.lines()).toHaveLength(5);
    },
    bound,
  );

  it(
    "by TLS only the bank's own certificate is taken",
    async () => {
      const listener = await listen('--https');
      const id = await pay(listener.uri);
      const body = JSON.stringify({ paymentId: id, transactionStatus: 'ACSC' });
      const ca = await makeCertificate({ subject: 'CN=Other CA' });
      const other = await makeCertificate({ subject: 'CN=localhost', issuer: ca, names: ['127.0.0.1'] });
      const before = await calls();
      expect(await post(listener.port, body, { tls: {} })).toBe(401);
      expect(await post(listener.port, body, { tls: { cert: other.certificate, key: other.key } })).toBe(403);
      expect(await calls()).toBe(before);
      await obk.json(['sandbox', 'fault', 'add', 'initiatePayment', 'push-foreign-certificate']);
      await approve(id);
      // The first one came with the foreign certificate.
      const told = await listener.said(2);
      expect(told.map((line) => (line['told'] as Record<string, unknown>)['transactionStatus'])).toEqual([
        'ACTC',
        'ACSC',
      ]);
      const pushes = (await obk.json(['sandbox', 'log', '--notifications'])) as { resourceId: string }[];
      expect(pushes.filter(({ resourceId }) => resourceId === id)).toMatchObject([
        { status: 403, fault: 'push-foreign-certificate' },
        { status: 200 },
        { status: 200 },
      ]);
      await listener.stop();
    },
    bound,
  );

  it(
    '--forward hands each confirmed one on, as it came',
    async () => {
      const got: { requestId: unknown; text: string }[] = [];
      const server = createServer((incoming, outgoing) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        incoming.on('end', () => {
          got.push({ requestId: incoming.headers['x-request-id'], text });
          outgoing.writeHead(202).end();
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      try {
        const listener = await listen('--forward', `http://127.0.0.1:${String(port)}/app`);
        const id = await pay(listener.uri);
        await post(listener.port, '{"paymentId":"unknown"}');
        await approve(id);
        const told = await listener.said(3);
        expect(told.map((line) => line['forwarded'])).toEqual([202, 202, 202]);
        expect(got.map(({ requestId }) => requestId)).toEqual(told.map((line) => line['requestId']));
        expect(JSON.parse(got[2]!.text)).toEqual({ paymentId: id, transactionStatus: 'ACSC' });
        await listener.stop();
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    },
    bound,
  );

  /** Waits for a payment that is approved meanwhile: the statuses with which its pushes were answered. */
  const waitedFor = async (): Promise<readonly (number | null)[]> => {
    const port = await freePort();
    const waiting = obk.json([...order(`http://127.0.0.1:${String(port)}/`), '--wait', '--timeout', '25s'], {
      bound,
    });
    const created = async () => {
      const [newest] = (await obk.json(['payment', 'list', '--profile', 'sandbox'])) as {
        paymentId: string;
        transactionStatus: string;
      }[];
      return newest?.transactionStatus === 'RCVD' ? newest.paymentId : undefined;
    };
    await expect.poll(created, { timeout: 9000 }).toBeDefined();
    const id = (await created())!;
    // It is saved before it is waited for: a push meanwhile would find nobody.
    const listens = () => post(port, '', { method: 'GET' }).catch(() => undefined);
    await expect.poll(listens, { timeout: 9000 }).toBe(405);
    await approve(id);
    expect(await waiting).toMatchObject({ paymentId: id, transactionStatus: 'ACSC' });
    const pushed = async () => {
      const pushes = (await obk.json(['sandbox', 'log', '--notifications'])) as {
        resourceId: string;
        status: number | null;
      }[];
      return pushes.filter(({ resourceId }) => resourceId === id).map(({ status }) => status);
    };
    await expect.poll(async () => (await pushed()).length, { timeout: 5000 }).toBeGreaterThan(0);
    return pushed();
  };

  it(
    '--wait is cut short by a push',
    async () => {
      // The look that is due anyway may come between the approval and its push; the one that is heard ends the command.
      for (let left = 3; ; left -= 1) {
        const answered = await waitedFor();
        if (answered.includes(200)) return;
        expect(left, JSON.stringify(answered)).toBeGreaterThan(1);
      }
    },
    bound,
  );
});
