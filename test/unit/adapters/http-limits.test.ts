import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { client, failureOf, limits, request, send, serve } from '../../helpers/http-client.ts';
import { wire } from '../../helpers/raw-server.ts';

describe('a limit of a call', () => {
  it('ends the attempt to connect', async () => {
    const clock = fakeClock({ manual: true });
    // A TLS handshake that never comes: the connection stands, the session does not.
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const arrived = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const going = failureOf(send(client({ clock }), request(port, { url: `https://127.0.0.1:${port}/` })));
    const socket = await arrived;
    clock.advance(limits.connectMs);
    expect(await going).toMatchObject({ sent: false, reason: 'timeout' });
    socket.destroy();
    server.close();
  });

  it.each(['deadlineMs', 'firstByteMs'] as const)('applies for %s by its own time', async (name) => {
    const clock = fakeClock({ manual: true });
    const server = await serve(() => undefined);
    const given = { connectMs: 50, firstByteMs: 50, deadlineMs: 50, maxBytes: 1, [name]: 20 };
    const going = failureOf(send(client({ clock }), request(server.port), { limits: given }));
    await vi.waitUntil(() => server.arrivals.length > 0, { timeout: 10_000, interval: 5 });
    clock.advance(20);
    expect(await going).toMatchObject({ sent: true, reason: 'timeout' });
  });

  it('gives way to its signal', async () => {
    const server = await serve(() => {
      abort.abort(new Error('SIGINT'));
    });
    const abort = new AbortController();
    const failure = await failureOf(send(client(), request(server.port), { signal: abort.signal }));
    expect(failure).toMatchObject({ sent: true, reason: 'aborted' });
    const early = await failureOf(send(client(), request(server.port), { signal: abort.signal }));
    expect(early).toMatchObject({ sent: false, reason: 'aborted' });
    expect(server.arrivals).toHaveLength(1);
  });

  it.each([
    ['a length', (body: string) => wire('200 OK', body)],
    [
      'chunks',
      (body: string) =>
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
    ['the end of the connection', (body: string) => `HTTP/1.1 200 OK\r\n\r\n${body}`],
  ])('caps a body that is announced by %s', async (_name, answer) => {
    const server = await serve((socket) => socket.end(answer('x'.repeat(1001))));
    const small = { ...limits, maxBytes: 1000 };
    const failure = await failureOf(send(client(), request(server.port), { limits: small }));
    expect(failure).toMatchObject({ sent: true, reason: 'too-large', partial: { status: 200 } });
    const fits = await send(client(), request(server.port), { limits: { ...limits, maxBytes: 1001 } });
    expect(fits.body).toHaveLength(1001);
  });
});

describe('the reader of content codings', () => {
  const text = 'ä'.repeat(2_000);

  it.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('reads %s', async (coding, bytes) => {
    const server = await serve((socket) =>
      socket.end(wire('200 OK', bytes, [`Content-Encoding: ${coding}`])),
    );
    const answer = await send(client(), request(server.port));
    expect(Buffer.from(answer.body).toString()).toBe(text);
  });

  it('stops a bomb at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(300_000_000));
    expect(bomb.length).toBeLessThan(400_000);
    const server = await serve((socket) => socket.end(wire('200 OK', bomb, ['Content-Encoding: gzip'])));
    const before = process.memoryUsage().rss;
    const failure = await failureOf(send(client(), request(server.port)));
    expect(failure).toMatchObject({ sent: true, reason: 'too-large', partial: { status: 200 } });
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  it.each([
    ['two codings', 'gzip, gzip', gzipSync(gzipSync(text))],
    ['an unknown one', 'zstd', Buffer.from(text)],
    ['a wrong one', 'gzip', Buffer.from(text)],
    ['a torn one', 'gzip', gzipSync(text).subarray(0, 20)],
  ])('refuses %s', async (_name, coding, bytes) => {
    const server = await serve((socket) =>
      socket.end(wire('201 Created', bytes, [`Content-Encoding: ${coding}`])),
    );
    const failure = await failureOf(send(client(), request(server.port)));
    expect(failure).toMatchObject({ sent: true, reason: 'malformed', partial: { status: 201 } });
  });
});
