import { createServer } from 'node:http';
import type { RequestListener, ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request as a bank of a test sees it; header names in lower case. */
export interface Asked {
  method: string;
  /** Path and query as they came. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The port of the bank itself. */
  port: number;
}

/** A status with a body: an object goes as JSON; further headers. */
export type Answered = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];
/** The line is cut where the answer should come. */
export type Lost = 'lost';
export type TypedBank = (asked: Asked) => Answered | Lost | Promise<Answered | Lost>;
/** How a bank shows itself by TLS. */
export type Secured = ServerOptions;

/** A bank that is nothing but what a test types: one function from a request to an answer. */
export interface RunningBank {
  port: number;
  asked: Asked[];
  close(): Promise<void>;
}

function write(response: ServerResponse, asked: Asked, [status, body = '', headers = {}]: Answered): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  response.writeHead(status, {
    'Content-Type': type,
    'X-Request-ID': asked.headers['x-request-id'] ?? 'none',
    ...headers,
  });
  response.end(text);
}

export async function typedBank(bank: TypedBank, tls?: Secured): Promise<RunningBank> {
  const asked: Asked[] = [];
  const listener: RequestListener = (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { port } = server.address() as AddressInfo;
      const one: Asked = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ),
        body: Buffer.concat(pieces).toString('utf8'),
        port,
      };
      asked.push(one);
      void Promise.resolve(one)
        .then(bank)
        // A bank that is wrong itself must not hang.
        .catch((error: unknown): Answered => [500, String(error)])
        .then((answered) => {
          if (answered === 'lost') request.socket.destroy();
          else write(response, one, answered);
        });
    });
  };
  const server = tls === undefined ? createServer(listener) : createSecure(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
