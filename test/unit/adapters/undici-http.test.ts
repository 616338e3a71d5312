import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHttp } from '../../../src/adapters/undici-http.ts';
import { TransportFailure } from '../../../src/errors.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../../src/ports.ts';
import { Secret } from '../../../src/secret.ts';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { rawServer, wire } from '../../helpers/raw-server.ts';
import type { RawServer } from '../../helpers/raw-server.ts';

type Options = Parameters<Http['send']>[1];

const limits = { connectMs: 8_000, firstByteMs: 8_000, deadlineMs: 9_000, maxBytes: 1_000_000 };
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function serve(...args: Parameters<typeof rawServer>): Promise<RawServer> {
  const server = await rawServer(...args);
  open.push(server);
  return server;
}

function client(options?: Parameters<typeof createHttp>[0]): Http {
  const http = createHttp(options);
  open.push(http);
  return http;
}

function request(port: number, changes: Partial<HttpRequest> = {}): HttpRequest {
  const method = changes.method ?? 'POST';
  const body = Buffer.from(method === 'GET' || method === 'DELETE' ? '' : '{"a":1}');
  return {
    method,
    url: `http://127.0.0.1:${port}/v1/payments`,
    headers: [['X-Request-ID', '1']],
    body,
    ...changes,
  };
}

function send(http: Http, what: HttpRequest, options: Partial<Options> = {}): Promise<HttpAnswer> {
  return http.send(what, { limits, connection: {}, fresh: true, ...options });
}

async function failureOf(promise: Promise<unknown>): Promise<TransportFailure> {
  const outcome = await promise.then(
    (value) => value,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(TransportFailure);
  return outcome as TransportFailure;
}

describe('the order on the wire', () => {
  it('connects, then marks, then sends the first byte', async () => {
    const log: string[] = [];
    const server = await serve((socket) => {
      log.push('request');
      socket.end(wire('201 Created', '{}'));
    });
    const answer = await send(client(), request(server.port), {
      onSending: async () => {
        // The connection is there, and for some turns of the loop nothing comes over it.
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
        log.push(`mark after ${server.connections} connection and ${server.received().length} bytes`);
      },
    });
    expect(answer.status).toBe(201);
    expect(log).toEqual(['mark after 1 connection and 0 bytes', 'request']);
  });

  it.each(['POST', 'PUT', 'DELETE', 'GET'] as const)(
    'sends nothing of a %s when the mark is refused',
    async (method) => {
      const server = await serve((socket) => socket.end(wire('200 OK')));
      const failure = await failureOf(
        send(client(), request(server.port, { method }), {
          onSending: () => Promise.reject(new Error('disk full')),
        }),
      );
      expect(failure).toMatchObject({ sent: false, reason: 'journal', cause: { message: 'disk full' } });
      expect(server.received()).toHaveLength(0);
    },
  );

  it('sends nothing when it is interrupted while the mark is made', async () => {
    const server = await serve((socket) => socket.end(wire('200 OK')));
    const abort = new AbortController();
    const failure = await failureOf(
      send(client(), request(server.port), {
        signal: abort.signal,
        onSending: () => {
          abort.abort(new Error('SIGINT'));
          return Promise.resolve();
        },
      }),
    );
    expect(failure).toMatchObject({ sent: false, reason: 'aborted' });
    expect(server.received()).toHaveLength(0);
  });

  it('sends nothing when the connection is lost while the mark is made', async () => {
    const server = createServer((socket) => socket.resetAndDestroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({
      close: () =>
        new Promise((resolve) =>
          server.close(() => {
            resolve();
          }),
        ),
    });
    let marks = 0;
    const failure = await failureOf(
      send(client(), request((server.address() as AddressInfo).port), {
        onSending: async () => {
          marks += 1;
          for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
        },
      }),
    );
    expect(failure).toMatchObject({ sent: false });
    expect(marks).toBeLessThanOrEqual(1);
  });

  it('sends the headers in their order and spelling, the body as it is, and only what HTTP needs besides', async () => {
    const server = await serve((socket) => socket.end(wire('200 OK')));
    await send(
      client(),
      request(server.port, {
        url: `http://127.0.0.1:${server.port}/v1/a%2Fb?x=a'b|c&y=%C3%A9`,
        headers: [
          ['X-Request-ID', 'abc'],
          ['Content-Type', 'application/json'],
          ['Authorization', new Secret('Bearer t')],
          ['Date', 'Sat, 21 Nov 2026 10:00:00 GMT'],
          ['Accept-Encoding', 'identity'],
        ],
        body: Buffer.from('{"é":1}'),
      }),
    );
    const { head, body } = server.arrivals[0]!;
    expect(head.split('\r\n')).toEqual([
      "POST /v1/a%2Fb?x=a'b|c&y=%C3%A9 HTTP/1.1",
      `host: 127.0.0.1:${server.port}`,
      'connection: close',
      'X-Request-ID: abc',
      'Content-Type: application/json',
      'Authorization: Bearer t',
      'Date: Sat, 21 Nov 2026 10:00:00 GMT',
      'Accept-Encoding: identity',
      'content-length: 8',
    ]);
    expect(body.toString()).toBe('{"é":1}');
  });
});

describe('connections', () => {
  it('makes one for each write and keeps one for GETs that allow it', async () => {
    const server = await serve((socket) => socket.write(wire('200 OK', 'x')));
    const http = client();
    for (const method of ['GET', 'GET', 'POST', 'PUT', 'DELETE', 'GET'] as const) {
      await send(http, request(server.port, { method }), { fresh: false });
    }
    expect(server.arrivals.map(({ connection }) => connection)).toEqual([1, 1, 2, 3, 4, 1]);
  });

  it('makes the mark on a kept connection too', async () => {
    const server = await serve((socket) => socket.write(wire('200 OK', 'x')));
    const http = client();
    let marks = 0;
    const options = { fresh: false, onSending: () => Promise.resolve(void (marks += 1)) };
    await send(http, request(server.port, { method: 'GET' }), options);
    await send(http, request(server.port, { method: 'GET' }), options);
    const refused = { fresh: false, onSending: () => Promise.reject(new Error('no')) };
    const failure = await failureOf(send(http, request(server.port, { method: 'GET' }), refused));
    expect({ marks, connections: server.connections }).toEqual({ marks: 2, connections: 1 });
    expect(failure).toMatchObject({ sent: false, reason: 'journal' });
    expect(server.arrivals).toHaveLength(2);
  });

  it('uses two connections for two GETs at once', async () => {
    const server = await serve((socket) => socket.write(wire('200 OK', 'x')));
    const http = client();
    const two = [1, 2].map(() => send(http, request(server.port, { method: 'GET' }), { fresh: false }));
    await Promise.all(two);
    expect(server.connections).toBe(2);
  });

  it('says that nothing was sent where nobody listens', async () => {
    const server = await serve(() => undefined);
    await server.close();
    let marks = 0;
    const failure = await failureOf(
      send(client(), request(server.port), { onSending: () => Promise.resolve(void (marks += 1)) }),
    );
    expect(failure).toMatchObject({ sent: false, reason: 'connect' });
    expect(failure.message).toContain(`127.0.0.1:${server.port}`);
    expect(marks).toBe(0);
  });

  it('says that nothing was sent where the name has no address', async () => {
    const failure = await failureOf(send(client(), request(1, { url: 'https://bank.invalid/v1/x' })));
    expect(failure).toMatchObject({ sent: false, reason: 'dns' });
  });
});

/** What a server does after it has a whole request. `later` are things that a test does by hand afterwards. */
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

describe.each(['POST', 'PUT', 'DELETE', 'GET'] as const)('%s and faults of the network', (method) => {
  it.each(Object.entries(faults))(
    '%s: one arrival, sent, never again',
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

  it.each([301, 302, 303, 307, 308])('a %s is an answer and is not followed', async (status) => {
    const server = await serve((socket, _arrival, { port }) =>
      socket.end(wire(`${status} Elsewhere`, '', [`Location: http://127.0.0.1:${port}/other`])),
    );
    const answer = await send(client(), request(server.port, { method }));
    expect(answer.status).toBe(status);
    expect(server.arrivals).toHaveLength(1);
  });

  it.each([408, 409, 425, 429, 500, 502, 503, 504])(
    'a %s is an answer and is not tried again',
    async (status) => {
      const server = await serve((socket) => socket.end(wire(`${status} No`, '{}', ['Retry-After: 0'])));
      expect((await send(client(), request(server.port, { method }))).status).toBe(status);
      expect(server.arrivals).toHaveLength(1);
    },
  );

  it('an answer after the time limit changes nothing', async () => {
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

describe('limits', () => {
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

  it.each(['deadlineMs', 'firstByteMs'] as const)('%s goes by its own time', async (name) => {
    const clock = fakeClock({ manual: true });
    const server = await serve(() => undefined);
    const given = { connectMs: 50, firstByteMs: 50, deadlineMs: 50, maxBytes: 1, [name]: 20 };
    const going = failureOf(send(client({ clock }), request(server.port), { limits: given }));
    await vi.waitUntil(() => server.arrivals.length > 0, { timeout: 10_000, interval: 5 });
    clock.advance(20);
    expect(await going).toMatchObject({ sent: true, reason: 'timeout' });
  });

  it('is interrupted by its signal', async () => {
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
  ])('caps a body that is told by %s', async (_name, answer) => {
    const server = await serve((socket) => socket.end(answer('x'.repeat(1001))));
    const small = { ...limits, maxBytes: 1000 };
    const failure = await failureOf(send(client(), request(server.port), { limits: small }));
    expect(failure).toMatchObject({ sent: true, reason: 'too-large', partial: { status: 200 } });
    const fits = await send(client(), request(server.port), { limits: { ...limits, maxBytes: 1001 } });
    expect(fits.body).toHaveLength(1001);
  });
});

describe('content codings', () => {
  const text = 'ä'.repeat(2_000);

  it.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
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

  it('stops a bomb at the cap', async () => {
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

describe('what is refused before a connection is made', () => {
  it.each([
    ['a line break', 'X-A', 'a\r\nX-B: b'],
    ['a NUL', 'X-A', 'a\0'],
    ['a tab', 'X-A', 'a\tb'],
    ['Latin-1', 'X-A', 'é'],
    ['a blank at the start', 'X-A', ' a'],
    ['a blank at the end', 'X-A', 'a '],
    ['5 kB', 'X-A', 'a'.repeat(5_000)],
    ['a blank in the name', 'X A', 'a'],
    ['a line break in the name', 'X\nA', 'a'],
    ['another length', 'Content-Length', '1'],
    ['a transfer coding', 'Transfer-Encoding', 'chunked'],
    ['an expectation', 'Expect', '100-continue'],
    ['a connection option', 'Connection', 'upgrade'],
  ])('header with %s', async (_name, name, value) => {
    const server = await serve((socket) => socket.end(wire('200 OK')));
    const failure = await failureOf(send(client(), request(server.port, { headers: [[name, value]] })));
    expect(failure).toMatchObject({ sent: false, reason: 'invalid' });
    expect(failure.message).not.toContain('aaaa');
    expect(server.connections).toBe(0);
  });

  it('more than 16 kB of headers', async () => {
    const headers = [1, 2, 3, 4, 5].map((n) => [`X-${n}`, 'a'.repeat(4_000)] as const);
    expect(await failureOf(send(client(), request(1, { headers })))).toMatchObject({
      sent: false,
      reason: 'invalid',
    });
  });

  it.each([
    'http://bank.example/v1/payments',
    'http://127.0.0.1.bank.example/v1',
    'ftp://127.0.0.1/v1',
    'https://user:password@bank.example/v1',
    'https://bank.example@evil.example/v1',
    'https://bank.example\\@evil.example/v1',
    'https://bank.example/v1/../v2',
    'https://bank.example/v1/%2e%2e/v2',
    'https://bank.example/v1/.%2E',
    'https://bank.example/v1/a b',
    'https://bank.example/v1/a\r\nX: y',
    'https://bank.example/v1/ä',
    'https://bank.example/v1#x',
    'https://bank.example/v1\\..\\x',
    'https:///v1',
    '/v1/payments',
    '',
  ])('URL %s', async (url) => {
    expect(await failureOf(send(client(), request(1, { url })))).toMatchObject({
      sent: false,
      reason: 'invalid',
    });
  });
});

describe('the package', () => {
  it('keeps the path of the client that is imported alone', () => {
    const script = `import Client from 'undici/lib/dispatcher/client.js';
      process.stdout.write(typeof Client.prototype.dispatch);`;
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString()).toBe('function');
  });

  it('does not keep the process alive with an idle connection', async () => {
    const server = await serve((socket) => socket.write(wire('200 OK', 'x')));
    const script = `import { createHttp } from './src/adapters/undici-http.ts';
      const url = 'http://127.0.0.1:${server.port}/';
      const limits = ${JSON.stringify(limits)};
      const request = { method: 'GET', url, headers: [], body: new Uint8Array() };
      await createHttp().send(request, { limits, connection: {}, fresh: false });`;
    const node = ['--import', 'tsx', '--input-type=module', '-e', script];
    await promisify(execFile)(process.execPath, node, { timeout: 10_000 });
    expect(server.arrivals).toHaveLength(1);
  });
});
