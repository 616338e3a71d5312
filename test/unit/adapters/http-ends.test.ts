import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { client, failureOf, request, send, serve } from '../../helpers/http-client.ts';
import { wire } from '../../helpers/raw-server.ts';

const get = { method: 'GET' as const };
const hundred = 'HTTP/1.1 100 Continue\r\nX: 1\r\n\r\n';

describe('an interim answer that nobody asked for', () => {
  it.each<[string, readonly (string | Buffer)[]]>([
    ['100', [hundred, wire('200 OK', '{}')]],
    ['100 in one piece with the answer', [Buffer.concat([Buffer.from(hundred), wire('200 OK', '{}')])]],
    [
      'several, and others',
      [hundred.repeat(3), 'HTTP/1.1 103 Early Hints\r\n\r\n', hundred, wire('200 OK', '{}')],
    ],
    ['byte by byte', [...(hundred + wire('200 OK', '{}').toString())]],
    ['of HTTP/1.0', ['HTTP/1.0 100 Continue\r\n\r\n', wire('200 OK', '{}')]],
  ])('is skipped: %s', async (_, parts) => {
    const server = await serve((socket) => {
      void (async () => {
        for (const part of parts) await written(socket, part);
      })();
    });
    const answer = await send(client(), request(server.port));
    expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([200, '{}']);
  });

  it('is skipped in each answer of a connection, and never within a body', async () => {
    const body = `{"a":"${hundred.replaceAll('\r\n', ' ')}"}`;
    const server = await serve((socket) => {
      socket.write(hundred);
      socket.write(wire('200 OK', body));
    });
    const http = client();
    for (let count = 0; count < 3; count += 1) {
      const answer = await send(http, request(server.port, get), { fresh: false });
      expect(Buffer.from(answer.body).toString()).toBe(body);
    }
    expect(server.connections).toBe(1);
  });
});

it.each(['000', '099', '007'])('an answer of status %s ends the call at once', async (status) => {
  const server = await serve((socket) => void socket.write(wire(`${status} No`, '{}')));
  expect(await failureOf(send(client(), request(server.port)))).toMatchObject({
    sent: true,
    reason: 'malformed',
  });
});

describe('a large answer that ends with the connection', () => {
  const large = Buffer.alloc(8_000_000, 'x');
  const stream = { maxBytes: 100_000_000 };
  const head = 'HTTP/1.1 200 OK\r\n\r\n';

  it.each(['FIN', 'RST'])('may be left unread: %s', async (end) => {
    const thrown: unknown[] = [];
    const catching = (error: unknown) => thrown.push(error);
    process.on('uncaughtException', catching);
    try {
      const gone = deferred();
      const server = await serve((socket) => {
        socket.on('close', () => {
          gone.resolve(undefined);
        });
        socket.write(head);
        socket.write(large, () => {
          if (end === 'RST') socket.resetAndDestroy();
          else socket.end();
        });
      });
      const { rest } = await send(client(), request(server.port, get), { stream });
      await rest?.next();
      // The bank is held back by now: nobody takes what it sends.
      for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await rest?.return(undefined);
      await gone.promise;
      await new Promise((resolve) => setImmediate(resolve));
      expect(rest).toBeDefined();
      expect(thrown).toEqual([]);
    } finally {
      process.off('uncaughtException', catching);
    }
  });

  it('is read to its end however slowly', async () => {
    const server = await serve((socket) => {
      socket.write(head);
      socket.end(large);
    });
    const { body, rest } = await send(client(), request(server.port, get), { stream });
    let size = body.length;
    for await (const chunk of rest ?? []) {
      size += chunk.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(size).toBe(large.length);
  });
});

function deferred() {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}

const written = (socket: Socket, part: string | Buffer) =>
  new Promise<void>((resolve) => {
    socket.write(part, () => {
      setImmediate(resolve);
    });
  });
