import type { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { client, failureOf, limits, request, send, serve } from '../../helpers/http-client.ts';
import { wire } from '../../helpers/raw-server.ts';

/** What a server does after it has a whole request. */
const faults: Record<
  string,
  { act: (socket: Socket) => void; expected: object; until?: 'firstByte' | 'deadline' }
> = {
  RST: { act: (socket) => socket.resetAndDestroy(), expected: { reason: 'reset' } },
  FIN: { act: (socket) => socket.end(), expected: { reason: 'reset' } },
  silence: { act: () => undefined, expected: { reason: 'timeout' }, until: 'firstByte' },
  'half a status line': { act: (socket) => socket.end('HTTP/1.1 2'), expected: { reason: 'reset' } },
  'truncated body': {
    act: (socket) =>
      socket.end('HTTP/1.1 201 Created\r\nLocation: /v1/p/7\r\nContent-Length: 50\r\n\r\n{"pay'),
    expected: {
      reason: 'truncated',
      partial: {
        status: 201,
        headers: [
          ['Location', '/v1/p/7'],
          ['Content-Length', '50'],
        ],
      },
    },
  },
  'truncated body and RST': {
    act: (socket) => {
      socket.write('HTTP/1.1 201 Created\r\nContent-Length: 50\r\n\r\n{"pay', () =>
        setImmediate(() => socket.resetAndDestroy()),
      );
    },
    expected: { reason: 'truncated' },
  },
  'truncated chunks': {
    act: (socket) => socket.end('HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"pay\r\n'),
    expected: { reason: 'truncated', partial: { status: 201 } },
  },
  'two lengths': {
    act: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
    expected: { reason: 'malformed' },
  },
  'no HTTP': { act: (socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n'), expected: { reason: 'malformed' } },
  '20 kB of headers': {
    act: (socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    expected: { reason: 'too-large' },
  },
  '1xx flood': {
    act: (socket) => {
      socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1_000));
    },
    expected: { reason: 'timeout' },
    until: 'firstByte',
  },
  'slow drip': {
    act: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 5);
      socket.on('close', () => {
        clearInterval(drip);
      });
    },
    expected: { reason: 'timeout', partial: { status: 200 } },
    until: 'deadline',
  },
};

describe.each(['POST', 'PUT', 'DELETE', 'GET'] as const)('a %s and faults of the network', (method) => {
  it.each(Object.entries(faults))(
    'arrives once for %s, counts as sent, and is never repeated',
    async (_name, { act, expected, until }) => {
      const clock = fakeClock({ manual: true });
      const server = await serve((socket) => {
        act(socket);
      });
      let marks = 0;
      const going = failureOf(
        send(client({ clock }), request(server.port, { method }), {
          onSending: () => Promise.resolve(void (marks += 1)),
        }),
      );
      if (until) {
        await vi.waitUntil(() => server.arrivals.length > 0, { timeout: 10_000, interval: 5 });
        // Of the two limits only the deadline is left once the answer has begun.
        if (until === 'deadline')
          await vi.waitUntil(() => clock.sleeping === 1, { timeout: 10_000, interval: 5 });
        clock.advance(until === 'deadline' ? limits.deadlineMs : limits.firstByteMs);
      }
      expect(await going).toMatchObject({ sent: true, ...expected });
      expect({ arrivals: server.arrivals.length, marks }).toEqual({ arrivals: 1, marks: 1 });
    },
  );

  it.each([301, 302, 303, 307, 308])('is answered by a %s, which is not followed', async (status) => {
    const server = await serve((socket, _arrival, { port }) =>
      socket.end(wire(`${status} Elsewhere`, '', [`Location: http://127.0.0.1:${port}/other`])),
    );
    const answer = await send(client(), request(server.port, { method }));
    expect(answer.status).toBe(status);
    expect(server.arrivals).toHaveLength(1);
  });

  it.each([408, 409, 425, 429, 500, 502, 503, 504])(
    'is answered by a %s, and is not tried again',
    async (status) => {
      const server = await serve((socket) => socket.end(wire(`${status} No`, '{}', ['Retry-After: 0'])));
      expect((await send(client(), request(server.port, { method }))).status).toBe(status);
      expect(server.arrivals).toHaveLength(1);
    },
  );

  it('is not changed by an answer after the time limit', async () => {
    const clock = fakeClock({ manual: true });
    let late: Socket | undefined;
    const server = await serve((socket) => {
      late = socket;
    });
    const going = failureOf(send(client({ clock }), request(server.port, { method })));
    await vi.waitUntil(() => late, { timeout: 10_000, interval: 5 });
    clock.advance(limits.firstByteMs);
    late!.write(wire('201 Created', '{}'));
    expect(await going).toMatchObject({ sent: true, reason: 'timeout' });
    expect(server.arrivals).toHaveLength(1);
  });
});
