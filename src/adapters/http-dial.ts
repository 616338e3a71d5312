import { connect as connectTcp } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls, createSecureContext, DEFAULT_CIPHERS } from 'node:tls';
import type { SecureContext, TLSSocket } from 'node:tls';
import { TransportFailure } from '../errors.ts';
import type { Clock, HttpAnswer, HttpConnection } from '../ports.ts';
import { tunnel } from './http-proxy.ts';
import type { Proxy } from './http-proxy.ts';
import { lost, ready } from './http-ready.ts';
import { materialFailure, tlsFailure } from './http-tls-words.ts';

/** A socket that is ready for the first byte. */
export interface Dialled {
  socket: Socket;
  tls?: NonNullable<HttpAnswer['tls']>;
}

/** How the bank is reached. */
export interface Way {
  connection: HttpConnection;
  /** Present for https. */
  context: SecureContext | undefined;
  proxy: Proxy | undefined;
  clock: Clock;
}

/** Where no ticket comes in so many milliseconds (or twice the handshake), the server is taken to have agreed. */
const shortestWaitMs = 300;

/** Makes the TCP connection (through the proxy) and, for https, the TLS session; no byte of a request leaves here. */
export async function dial(origin: URL, way: Way, signal: AbortSignal): Promise<Dialled> {
  const secure = origin.protocol === 'https:';
  const host = bare(origin.hostname);
  const port = Number(origin.port || (secure ? 443 : 80));
  const { proxy } = way;
  const tcp = connectTcp(proxy ? { host: proxy.host, port: proxy.port } : { host, port }).setNoDelay(true);
  await ready(tcp, 'connect', signal, (error) =>
    unreachable(error, proxy ? `the proxy ${proxy.shown}` : origin.host),
  );
  if (proxy !== undefined) await tunnel(tcp, proxy, { host: origin.hostname, port }, signal);
  return secure ? agree(tcp, host, origin, way, signal) : { socket: tcp };
}

async function agree(
  tcp: Socket,
  host: string,
  origin: URL,
  way: Way,
  signal: AbortSignal,
): Promise<Dialled> {
  const { connection, clock, proxy } = way;
  const name = connection.serverName ?? host;
  const started = clock.monotonic();
  const socket = connectTls({
    socket: tcp,
    host: name,
    ...(/^[\d.]+$|:/.test(name) ? {} : { servername: name }),
    secureContext: way.context,
    ALPNProtocols: ['http/1.1'],
    // Said aloud, since otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 would switch it off.
    rejectUnauthorized: connection.insecure !== true,
    minVersion: 'TLSv1.2',
  });
  const failed = (error: Error) => tlsFailure(error, origin.host, connection);
  // A write from within the event itself would be lost: OpenSSL is still reading then.
  const told = new Promise<void>((resolve) => socket.once('session', () => setImmediate(resolve)));
  await ready(socket, 'secureConnect', signal, failed);
  if (socket.getProtocol() === 'TLSv1.3') {
    // Here a client is through before its certificate was looked at. What the server says next tells: a ticket, or no.
    const over = new AbortController();
    const wait = Math.max(shortestWaitMs, 2 * (clock.monotonic() - started));
    const patience = clock.sleep(wait, over.signal).catch(() => undefined);
    await Promise.race([told, patience, lost(socket, signal, failed)]).finally(() => {
      over.abort();
    });
  }
  return { socket, tls: { ...facts(socket), ...(proxy === undefined ? {} : { proxy: proxy.shown }) } };
}

/** Keys and certificates as TLS wants them. Throws TransportFailure where they do not fit together. */
export function secureContext(connection: HttpConnection): SecureContext {
  try {
    const context = createSecureContext({
      minVersion: 'TLSv1.2',
      // Level 2 refuses RSA below 2048 bits and signatures by SHA-1; not every version of Node has it by default.
      ciphers: connection.ciphers ?? `${DEFAULT_CIPHERS}:@SECLEVEL=2`,
      ...(connection.certificate !== undefined && { cert: connection.certificate }),
      ...(connection.key && { key: connection.key.reveal() }),
      ...(connection.passphrase && { passphrase: connection.passphrase.reveal() }),
    });
    if (connection.ca !== undefined) {
      // The option `ca` would replace the roots, and naming all of them again costs 24 ms.
      (context.context as { addCACert(pem: string): void }).addCACert(connection.ca);
    }
    return context;
  } catch (cause) {
    throw materialFailure(cause as Error);
  }
}

function facts(socket: TLSSocket): NonNullable<HttpAnswer['tls']> {
  return {
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher().name,
    peer: socket.getPeerX509Certificate()?.subject.split('\n').join(', ') ?? '',
  };
}

function unreachable(error: NodeJS.ErrnoException, shown: string): TransportFailure {
  // Several addresses tried: the aggregate itself says nothing.
  const first: NodeJS.ErrnoException = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const reason = /^E(?:NOTFOUND|AI_)/.test(first.code ?? '') ? 'dns' : 'connect';
  return new TransportFailure({ sent: false, reason, message: `${shown}: ${first.message}`, cause: error });
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
