import { X509Certificate } from 'node:crypto';
import { request } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createNotifications } from '../../../../src/adapters/browser/notification-listener.ts';
import type { NotificationListener, NotificationPlace } from '../../../../src/client/ports/notifications.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { failedWith } from '../../../helpers/failed-with.ts';
import { makeCertificate } from '../../../helpers/tls.ts';
import type { Pair } from '../../../helpers/tls.ts';

const limits = {
  bodyBytes: 1000,
  headersMs: 300,
  requestMs: 600,
  answerMs: 5000,
  connections: 8,
  waiting: 2,
};
const id = '2f77a125-aa7a-45c0-b414-cea25a116035';
const usual = { 'Content-Type': 'application/json', 'X-Request-ID': id };

const open: NotificationListener[] = [];
const listen = async (place: Partial<NotificationPlace> = {}): Promise<NotificationListener> => {
  const listener = await createNotifications(limits).listen({ address: '127.0.0.1', port: 0, ...place });
  open.push(listener);
  return listener;
};
/** Answers everything that comes with this status. */
const answering = async (listener: NotificationListener, status: 200 | 404 = 200): Promise<void> => {
  for (let received = await listener.next(); received !== undefined; received = await listener.next())
    received.answer(status);
};

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

interface Answer {
  status: number;
  requestId: unknown;
  allow: unknown;
  body: string;
}

function post(
  port: number,
  {
    method = 'POST',
    path = '/',
    headers = usual,
    body = '{}',
    tls,
  }: {
    method?: string;
    path?: string;
    headers?: OutgoingHttpHeaders;
    body?: string;
    tls?: { cert?: string; key?: string };
  } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers, agent: false };
    const outgoing = (tls ? requestTls : request)(
      { ...options, ...tls, rejectUnauthorized: false },
      (incoming) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        incoming.on('end', () => {
          resolve({
            status: incoming.statusCode ?? 0,
            requestId: incoming.headers['x-request-id'],
            allow: incoming.headers.allow,
            body: text,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

describe('the listener for notifications', () => {
  it('passes on what has the form of one, and answers with its X-Request-ID and no body', async () => {
    const listener = await listen();
    const asked = post(listener.port, { body: '{"paymentId":"p"}', path: '/any?query=1' });
    const received = await listener.next();
    expect(received).toMatchObject({ requestId: id, certificate: undefined });
    expect(Buffer.from(received!.body).toString()).toBe('{"paymentId":"p"}');
    received!.answer(200);
    received!.answer(404);
    expect(await asked).toEqual({ status: 200, requestId: id, allow: undefined, body: '' });
  });

  it.each<[string, number, Parameters<typeof post>[1]]>([
    ['another method', 405, { method: 'GET', body: '' }],
    ['a PUT', 405, { method: 'PUT' }],
    ['another path', 404, { path: '/elsewhere' }],
    ['no media type', 415, { headers: { 'X-Request-ID': id } }],
    ['another media type', 415, { headers: { ...usual, 'Content-Type': 'text/plain' } }],
    ['a coded body', 415, { headers: { ...usual, 'Content-Encoding': 'gzip' } }],
    ['no X-Request-ID', 400, { headers: { 'Content-Type': 'application/json' } }],
    ['an X-Request-ID that is no UUID', 400, { headers: { ...usual, 'X-Request-ID': 'one' } }],
    ['a body that is too long', 400, { body: 'x'.repeat(200_000) }],
  ])('refuses %s', async (_, status, sent) => {
    const listener = await listen({ path: '/push' });
    void answering(listener);
    const answer = await post(listener.port, { path: '/push', ...sent });
    expect(answer).toMatchObject({ status, body: '' });
    if (status === 405) expect(answer.allow).toBe('POST');
    expect((await post(listener.port, { path: '/push' })).status).toBe(200);
  });

  it('does not wait for a slow sender', async () => {
    const { port } = await listen();
    const said = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n',
        );
      });
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      socket.on('close', () => {
        resolve(text);
      });
    });
    expect(said).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('lets no silent or slow sender keep others out', async () => {
    const listener = await createNotifications({ ...limits, headersMs: 9000, requestMs: 9000 }).listen({
      address: '127.0.0.1',
      port: 0,
    });
    open.push(listener);
    void answering(listener);
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n';
    const sockets = await Promise.all(
      Array.from({ length: 3 * limits.connections }, async (_, number) => {
        const socket = connect(listener.port, '127.0.0.1').on('error', () => undefined);
        await new Promise((resolve) => socket.once('connect', resolve));
        if (number % 3 > 0) socket.write(number % 3 > 1 ? `${head}X-Request-ID: ${id}\r\n\r\n{` : head);
        return socket;
      }),
    );
    expect(await post(listener.port)).toMatchObject({ status: 200 });
    for (const socket of sockets) socket.destroy();
  });

  it('answers 503 to what nobody reads', async () => {
    const listener = await listen();
    const answers = Array.from({ length: 5 }, () => post(listener.port).then(({ status }) => status));
    expect(await Promise.race(answers)).toBe(503);
    void answering(listener);
    const all = (await Promise.all(answers)).sort();
    expect([all.length, all[0], all.at(-1)]).toEqual([5, 200, 503]);
  });

  it('ends with what waits answered 503', async () => {
    const listener = await listen();
    const asked = post(listener.port).catch(() => ({ status: 0 }));
    await expect
      .poll(async () => (await Promise.race([asked, Promise.resolve('waits')])) === 'waits')
      .toBe(true);
    await listener.close();
    expect(await listener.next()).toBeUndefined();
    expect([0, 503]).toContain((await asked).status);
  });

  it('reports an occupied port', async () => {
    const { port } = await listen();
    expect(await failedWith(listen({ port }))).toMatchObject({ code: 'LISTENER_FAILED' });
  });
});

describe('the listener for notifications by TLS', () => {
  let ca: Pair;
  let own: Pair;
  let client: Pair;
  beforeAll(async () => {
    ca = await makeCertificate({ subject: 'CN=Test CA' });
    own = await makeCertificate({ subject: 'CN=tpp', issuer: ca, names: ['127.0.0.1'] });
    client = await makeCertificate({ subject: 'CN=bank', issuer: ca, names: ['bank.example'] });
  });
  const place = () => ({ tls: { certificate: own.certificate, key: new Secret(own.key) } });

  it('passes on the client certificate, whoever vouches for it', async () => {
    const listener = await listen(place());
    const asked = post(listener.port, { tls: { cert: client.certificate, key: client.key } });
    const received = await listener.next();
    expect(Buffer.from(received!.certificate!)).toEqual(new X509Certificate(client.certificate).raw);
    received!.answer(200);
    expect((await asked).status).toBe(200);
  });

  it('passes on null where there was none', async () => {
    const listener = await listen(place());
    const asked = post(listener.port, { tls: {} });
    const received = await listener.next();
    expect(received!.certificate).toBeNull();
    received!.answer(401);
    expect((await asked).status).toBe(401);
  });

  it('reports a key that is not that of the certificate, or a missing one', async () => {
    for (const key of [client.key, '']) {
      const wrong = { tls: { certificate: own.certificate, key: new Secret(key) } };
      expect(await failedWith(listen(wrong))).toMatchObject({ code: 'CERTIFICATE_FILE' });
    }
  });
});
