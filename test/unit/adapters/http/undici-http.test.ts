import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { Secret } from '../../../../src/base/secret.ts';
import { client, failureOf, limits, open, request, send, serve } from '../../../helpers/http-client.ts';
import { wire } from '../../../helpers/raw-server.ts';

describe('a call on the wire', () => {
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
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({
      close: () =>
        new Promise((resolve) => {
          server.close(() => {
            resolve();
          });
        }),
    });
    let marks = 0;
    const failure = await failureOf(
      send(client(), request((server.address() as AddressInfo).port), {
        onSending: async () => {
          marks += 1;
          await vi.waitUntil(() => sockets[0], { timeout: 10_000, interval: 1 });
          sockets[0]!.resetAndDestroy();
          for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
        },
      }),
    );
    expect(failure).toMatchObject({ sent: false, reason: 'reset' });
    expect({ marks, connections: sockets.length }).toEqual({ marks: 1, connections: 1 });
  });

  it('sends the headers in their order and spelling, the body unchanged, and only what HTTP needs besides', async () => {
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

describe('the pool of connections', () => {
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

  it('does not dial again when a kept connection is lost after the mark', async () => {
    let kept: Socket | undefined;
    const server = await serve((socket) => {
      kept = socket;
      socket.write(wire('200 OK', 'x'));
    });
    const http = client();
    await send(http, request(server.port, { method: 'GET' }), { fresh: false });
    let marks = 0;
    const failure = await failureOf(
      send(http, request(server.port, { method: 'GET' }), {
        fresh: false,
        onSending: async () => {
          marks += 1;
          // In the turn of a timer: nobody looks at the connection again before the request is handed over.
          await new Promise((resolve) => setTimeout(resolve, 1));
          kept?.destroy();
        },
      }),
    );
    expect(failure.sent).toBe(true);
    expect((await send(http, request(server.port, { method: 'GET' }), { fresh: false })).status).toBe(200);
    expect({ marks, connections: server.connections }).toEqual({ marks: 1, connections: 2 });
  });

  it('uses two connections for two GETs at once', async () => {
    const server = await serve((socket) => socket.write(wire('200 OK', 'x')));
    const http = client();
    const two = [1, 2].map(() => send(http, request(server.port, { method: 'GET' }), { fresh: false }));
    await Promise.all(two);
    expect(server.connections).toBe(2);
  });

  it('reports that nothing was sent where nobody listens', async () => {
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

  it('reports that nothing was sent where the name has no address', async () => {
    const failure = await failureOf(send(client(), request(1, { url: 'https://bank.invalid/v1/x' })));
    expect(failure).toMatchObject({ sent: false, reason: 'dns' });
  });
});

describe('the package undici', () => {
  it('keeps only the path of the client that is imported', () => {
    const script = `import Client from 'undici/lib/dispatcher/client.js';
      process.stdout.write(typeof Client.prototype.dispatch);`;
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString()).toBe('function');
  });

  it('does not keep the process alive with an idle connection', async () => {
    const server = await serve((socket) => socket.write(wire('200 OK', 'x')));
    const script = `import { createHttp } from './src/adapters/http/undici-http.ts';
      const url = 'http://127.0.0.1:${server.port}/';
      const limits = ${JSON.stringify(limits)};
      const request = { method: 'GET', url, headers: [], body: new Uint8Array() };
      await createHttp().send(request, { limits, connection: {}, fresh: false });`;
    const node = ['--import', 'tsx', '--input-type=module', '-e', script];
    await promisify(execFile)(process.execPath, node, { timeout: 10_000 });
    expect(server.arrivals).toHaveLength(1);
  });
});
