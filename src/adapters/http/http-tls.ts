import { defined } from '../../base/defined.ts';
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { connect, createSecureContext, DEFAULT_CIPHERS } from 'node:tls';
import type { SecureContext, TLSSocket } from 'node:tls';
import { TransportFailure } from '../../base/errors.ts';
import type { HttpAnswer, HttpConnection } from '../../client/ports/http.ts';
import { bareHost } from './http-proxy.ts';
import { lost, ready } from './http-ready.ts';
import { materialFailure, tlsFailure } from './http-tls-words.ts';
import type { Dialled, Way } from './http-way.ts';
// Apart from http-dial.ts, so that a call over plain http loads nothing of TLS.

/** Where no ticket comes in so many milliseconds (or twice the handshake), the server is taken to have agreed. */
const shortestWaitMs = 300;

/** Makes the TLS session on a TCP connection. */
export async function agree(tcp: Socket, origin: URL, way: Way, signal: AbortSignal): Promise<Dialled> {
  const host = bareHost(origin);
  const { connection, clock, proxy } = way;
  const started = clock.monotonic();
  const socket = connect({
    socket: tcp,
    host,
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    secureContext: way.context,
    ALPNProtocols: ['http/1.1'],
    // Said aloud, since otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 would switch it off.
    rejectUnauthorized: connection.insecure !== true,
    minVersion: connection.minVersion ?? 'TLSv1.2',
  });
  const failed = (error: Error) => tlsFailure(error, origin.host, connection);
  // A write from within the event itself would be lost: OpenSSL is still reading then.
  const told = new Promise<void>((resolve) => socket.once('session', () => setImmediate(resolve)));
  await ready(socket, 'secureConnect', signal, failed);
  if (!isPinned(socket, connection.serverPins)) {
    socket.destroy();
    throw new TransportFailure({
      sent: false,
      reason: 'tls',
      message: `the server ${origin.host} has another public key than tls.serverPins say`,
    });
  }
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
      minVersion: connection.minVersion ?? 'TLSv1.2',
      // Level 2 refuses RSA below 2048 bits and signatures by SHA-1; not every version of Node has it by default.
      ciphers: connection.ciphers ?? `${DEFAULT_CIPHERS}:@SECLEVEL=2`,
      ...defined({ cert: connection.certificate }),
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

function isPinned(socket: TLSSocket, pins: readonly string[] = []): boolean {
  if (pins.length === 0) return true;
  const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' });
  return key !== undefined && pins.includes(createHash('sha256').update(key).digest('base64'));
}

function facts(socket: TLSSocket): NonNullable<HttpAnswer['tls']> {
  return {
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher().name,
    peer: socket.getPeerX509Certificate()?.subject.split('\n').join(', ') ?? '',
  };
}
