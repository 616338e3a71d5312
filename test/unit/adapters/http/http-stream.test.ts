import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import type { HttpAnswer } from '../../../../src/client/ports/http.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { client, failureOf, limits, request, send, serve } from '../../../helpers/http-client.ts';
import { wire } from '../../../helpers/raw-server.ts';

const kib = 1024;
const most = { stream: { maxBytes: 100 * kib * kib } };
const get = (port: number) => request(port, { method: 'GET' });
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Bytes that cannot be packed, always the same ones. */
function noise(length: number): Buffer {
  let state = 1;
  return Buffer.from(Array.from({ length }, () => (state = (state * 48_271) % 0x7fffffff) >> 8));
}

async function bytesOf({ body, rest }: HttpAnswer): Promise<Buffer> {
  const chunks = [body];
  for await (const one of rest ?? []) chunks.push(one);
  return Buffer.concat(chunks);
}

/** Writes as fast as it is taken, and never ends. */
function flood(socket: Socket, seen: { bytes: number }): void {
  const piece = chunk('x'.repeat(64 * kib));
  socket.write(chunked);
  const more = () => {
    while (!socket.destroyed) {
      seen.bytes += piece.length;
      if (!socket.write(piece)) break;
    }
  };
  socket.on('drain', more);
  more();
}

describe('an answer that streams', () => {
  it.each([
    ['plain', (body: Buffer) => wire('200 OK', body)],
    ['packed', (body: Buffer) => wire('200 OK', gzipSync(body), ['Content-Encoding: gzip'])],
  ])('yields its beginning and then the rest: %s', async (_, answer) => {
    const body = noise(300 * kib);
    const server = await serve((socket) => socket.end(answer(body)));
    const got = await send(client(), get(server.port), most);
    expect(got.body.length).toBeLessThan(body.length);
    expect(got.rest).toBeDefined();
    expect((await bytesOf(got)).equals(body)).toBe(true);
  });

  it('is complete at once where it is short, or is not a success', async () => {
    const long = 'x'.repeat(300 * kib);
    const answers = [wire('200 OK', 'short'), wire('503 Down', long)];
    const server = await serve((socket) => socket.write(answers.shift() ?? ''));
    const http = client();
    for (const [status, length] of [
      [200, 5],
      [503, long.length],
    ]) {
      const answer = await send(http, get(server.port), { ...most, fresh: false });
      expect([answer.status, answer.body.length, answer.rest]).toEqual([status, length, undefined]);
    }
    expect(server.connections).toBe(1);
  });

  it('keeps its connection when it was read to its end, and closes it when it was left', async () => {
    const closed = vi.fn();
    const server = await serve((socket) => {
      socket.once('close', closed);
      socket.write(wire('200 OK', 'x'.repeat(600 * kib)));
    });
    const http = client();
    const again = () => send(http, get(server.port), { ...most, fresh: false });
    await bytesOf(await again());
    const left = await again();
    expect(server.connections).toBe(1);
    await left.rest?.return(undefined);
    await vi.waitUntil(() => closed.mock.calls.length > 0, { timeout: 10_000, interval: 5 });
    await bytesOf(await again());
    expect(server.connections).toBe(2);
  });

  it('holds the bank back while nobody reads', async () => {
    const seen = { bytes: 0 };
    const server = await serve((socket) => {
      flood(socket, seen);
    });
    const answer = await send(client(), get(server.port), most);
    let before = -1;
    // What the sockets hold between the two sides fills up; then it is quiet.
    await vi.waitUntil(
      () => {
        const quiet = before === seen.bytes;
        before = seen.bytes;
        return quiet;
      },
      { timeout: 10_000, interval: 100 },
    );
    expect(seen.bytes).toBeLessThan(30 * kib * kib);
    await answer.rest?.next();
    await answer.rest?.return(undefined);
  });

  it('stops at the limit where it has no end, and reports it', async () => {
    const server = await serve((socket) => {
      flood(socket, { bytes: 0 });
    });
    const answer = await send(client(), get(server.port), { stream: { maxBytes: 3 * kib * kib } });
    const failure = await failureOf(bytesOf(answer));
    expect(failure).toMatchObject({ sent: true, reason: 'too-large', partial: { status: 200 } });
    expect(failure.message).toContain(`${3 * kib * kib} bytes`);
  });

  it('stops a bomb at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * kib * kib));
    const server = await serve((socket) => socket.end(wire('200 OK', bomb, ['Content-Encoding: gzip'])));
    const answer = await send(client(), get(server.port), { stream: { maxBytes: kib * kib } });
    expect(await failureOf(bytesOf(answer))).toMatchObject({ reason: 'too-large' });
  });

  it.each<[string, (body: Buffer) => Buffer, string]>([
    ['plain', (body) => wire('200 OK', body), 'truncated'],
    ['packed', (body) => wire('200 OK', gzipSync(body), ['Content-Encoding: gzip']), 'truncated'],
    [
      'a torn gzip',
      (body) =>
        wire('200 OK', gzipSync(body).subarray(0, -9), ['Content-Encoding: gzip', 'Connection: close']),
      'malformed',
    ],
  ])('yields what came before where it breaks off: %s', async (_, answer, reason) => {
    const body = noise(900 * kib);
    const whole = answer(body);
    const sent = reason === 'truncated' ? whole.subarray(0, Math.floor(whole.length * 0.9)) : whole;
    const server = await serve((socket) => socket.end(sent));
    const got = await send(client(), get(server.port), most);
    let size = got.body.length;
    const reading = (async () => {
      for await (const one of got.rest ?? []) size += one.length;
    })();
    expect(await failureOf(reading)).toMatchObject({ sent: true, reason });
    expect(size).toBeGreaterThan(700 * kib);
    expect(size).toBeLessThan(901 * kib);
  });

  it.each([
    ['falls silent', 0],
    ['drips', 5],
  ])('ends by the time of the bank, not of its reader, where it %s', async (_, drips) => {
    const clock = fakeClock({ manual: true });
    let socket: Socket | undefined;
    const server = await serve((one) => {
      socket = one;
      one.write(chunked + chunk('x'.repeat(300 * kib)));
    });
    const waitsAgain = async (before: number) => {
      await vi.waitUntil(() => clock.slept.length > before, { timeout: 10_000, interval: 1 });
    };
    const answer = await send(client({ clock }), get(server.port), most);
    // Nobody reads for an hour.
    clock.advance(3_600_000);
    let waits = clock.slept.length;
    const waiting = failureOf(bytesOf(answer));
    await waitsAgain(waits);
    for (let drip = 0; drip < drips; drip += 1) {
      clock.advance(5_000);
      waits = clock.slept.length;
      socket?.write(chunk('x'));
      await waitsAgain(waits);
    }
    // A deadline of 9 s, a millisecond for 16 bytes, and 25 s that are gone.
    expect(clock.slept.at(-1)).toBeCloseTo(drips === 0 ? limits.firstByteMs : 3_200, -2);
    clock.advance(limits.firstByteMs);
    expect(await waiting).toMatchObject({ sent: true, reason: 'timeout', partial: { status: 200 } });
  });

  it('ends with the run, although nobody has read it', async () => {
    const closed = vi.fn();
    const server = await serve((socket) => {
      socket.once('close', closed);
      flood(socket, { bytes: 0 });
    });
    const http = client();
    await send(http, get(server.port), most);
    await http.close();
    await vi.waitUntil(() => closed.mock.calls.length > 0, { timeout: 10_000, interval: 5 });
  });

  it('is interrupted by its signal', async () => {
    const abort = new AbortController();
    const server = await serve((socket) => {
      flood(socket, { bytes: 0 });
    });
    const answer = await send(client(), get(server.port), { ...most, signal: abort.signal });
    abort.abort(new Error('SIGINT'));
    expect(await failureOf(bytesOf(answer))).toMatchObject({ sent: true, reason: 'aborted' });
  });
});
