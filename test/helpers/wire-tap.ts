import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A request as its bytes say, read by nothing of ours. */
export interface RawRequest {
  method: string;
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
}

/** A loopback port before a bank that keeps what clients send, byte by byte. */
export interface WireTap {
  baseUrl: string;
  /** The requests since the last call, in the order of their connections. */
  take(): RawRequest[];
  close(): Promise<void>;
}

/** Starts a tap before the bank at `baseUrl` (plain http); both sides go through it as they are. */
export async function startTap(baseUrl: string): Promise<WireTap> {
  const { hostname, port } = new URL(baseUrl);
  let connections: Buffer[][] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const bytes: Buffer[] = [];
    connections.push(bytes);
    const bank = connect(Number(port), hostname);
    client.on('data', (chunk: Buffer) => bytes.push(chunk));
    client.pipe(bank).pipe(client);
    for (const [one, other] of [
      [client, bank],
      [bank, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => sockets.delete(one));
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    take() {
      const taken = connections.flatMap((chunks) => requestsIn(Buffer.concat(chunks)));
      for (const chunks of connections) chunks.length = 0;
      connections = connections.slice(-100);
      return taken;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** RFC 9112, as far as requests with Content-Length go; anything else is an error. */
export function requestsIn(bytes: Buffer): RawRequest[] {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) {
    if (bytes.length > 0) throw new Error(`no whole request: ${bytes.toString('latin1')}`);
    return [];
  }
  const [line = '', ...fields] = bytes.subarray(0, end).toString('utf8').split('\r\n');
  const headers = fields.map((field) => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
  });
  if (headers.some(([name]) => name === 'transfer-encoding')) throw new Error('a body without a length');
  const length = Number(headers.find(([name]) => name === 'content-length')?.[1] ?? 0);
  const [method = '', target = ''] = line.split(' ');
  const start = end + 4;
  const request = { method, target, headers, body: bytes.subarray(start, start + length) };
  return [request, ...requestsIn(bytes.subarray(start + length))];
}
