import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';

/** One request as it arrived, byte by byte. */
export interface Arrival {
  /** The request line and headers as sent. */
  head: string;
  body: Buffer;
  /** The number of the connection, from 1. */
  connection: number;
}

/** A server below HTTP: it reads whole requests and answers each with whatever bytes (or none) the test wants. */
export interface RawServer {
  port: number;
  arrivals: Arrival[];
  /** Connections that were accepted. */
  connections: number;
  /** Everything that was received, also what never became a request. */
  received: () => Buffer;
  close(): Promise<void>;
}

/** `answer` gets the socket after each whole request. */
export async function rawServer(
  answer: (socket: Socket, arrival: Arrival, server: RawServer) => void,
  tls?: TlsOptions,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const bytes: Buffer[] = [];

  const accept = (socket: Socket) => {
    server.connections += 1;
    const connection = server.connections;
    let pending = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      bytes.push(chunk);
      pending = Buffer.concat([pending, chunk]);
      for (;;) {
        const end = pending.indexOf('\r\n\r\n');
        if (end < 0) return;
        const head = pending.subarray(0, end).toString('latin1');
        const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
        if (pending.length < end + 4 + length) return;
        const arrival = { head, body: Buffer.from(pending.subarray(end + 4, end + 4 + length)), connection };
        pending = pending.subarray(end + 4 + length);
        server.arrivals.push(arrival);
        answer(socket, arrival, server);
      }
    });
  };

  const listener = tls ? createTlsServer(tls, accept) : createServer(accept);
  listener.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve);
  });
  const server: RawServer = {
    port: (listener.address() as AddressInfo).port,
    arrivals: [],
    connections: 0,
    received: () => Buffer.concat(bytes),
    close: () =>
      new Promise((resolve) => {
        listener.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
  return server;
}

/** A whole HTTP/1.1 answer with the right length. */
export function wire(status: string, body: string | Buffer = '', headers: readonly string[] = []): Buffer {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${bytes.length}`, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}
