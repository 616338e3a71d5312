import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A push as it arrived at the listener of a test. */
export interface Arrived {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  raw: readonly string[];
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each test says what it expects in it
  json: any;
  /** The fingerprint of the client certificate, and whether the authorities of the listener vouch for it. */
  peer: { fingerprint: string; authorized: boolean } | undefined;
}

/** A listener of a test's own, on loopback. */
export interface PushListener {
  uri: string;
  pushes: Arrived[];
  /** Waits until so many pushes have come. */
  arrived(count: number): Promise<Arrived[]>;
  close(): Promise<void>;
}

const usual = ({ headers }: IncomingMessage, outgoing: ServerResponse): void => {
  outgoing.writeHead(200, { 'X-Request-ID': String(headers['x-request-id']) }).end();
};

/** Listens for pushes and answers them as the guide says, or as the test says. */
export async function listenForPushes(
  options: {
    tls?: { cert: string; key: string; ca: string };
    answer?: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  } = {},
): Promise<PushListener> {
  const { tls, answer = usual } = options;
  const pushes: Arrived[] = [];
  const waiting = new Set<() => void>();
  const receive = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const { socket } = incoming;
      const peer =
        socket instanceof TLSSocket
          ? {
              fingerprint: socket.getPeerX509Certificate()?.fingerprint256 ?? '',
              authorized: socket.authorized,
            }
          : undefined;
      pushes.push({
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        raw: incoming.rawHeaders,
        text,
        json: JSON.parse(text),
        peer,
      });
      answer(incoming, outgoing);
      for (const look of [...waiting]) look();
    });
  };
  const server = tls
    ? createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: false }, receive)
    : createServer(receive);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    uri: `${tls ? 'https' : 'http'}://127.0.0.1:${String(port)}/push`,
    pushes,
    arrived: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (pushes.length < count) return;
          waiting.delete(look);
          resolve(pushes);
        };
        waiting.add(look);
        look();
      }),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
