import { connect as connectTcp } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls, createSecureContext } from 'node:tls';
import type { SecureContext, TLSSocket } from 'node:tls';
import { TransportFailure } from '../errors.ts';
import type { HttpAnswer, HttpConnection } from '../ports.ts';

/** A socket that is ready for the first byte. */
export interface Dialled {
  socket: Socket;
  tls?: NonNullable<HttpAnswer['tls']>;
}

/** Makes the TCP connection and, for https, the TLS session; no byte of a request leaves here. */
export function dial(origin: URL, context: SecureContext | undefined, signal: AbortSignal): Promise<Dialled> {
  const secure = origin.protocol === 'https:';
  const host = origin.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(origin.port || (secure ? 443 : 80));
  return new Promise((resolve, reject) => {
    let connected = false;
    const socket = secure
      ? connectTls({
          host,
          port,
          ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
          secureContext: context,
          ALPNProtocols: ['http/1.1'],
          // Said aloud, since otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 would switch it off.
          rejectUnauthorized: true,
          minVersion: 'TLSv1.2',
        })
      : connectTcp({ host, port });
    const stop = () => socket.destroy();
    signal.addEventListener('abort', stop, { once: true });
    socket.setNoDelay(true);
    socket.on('connect', () => {
      connected = true;
    });
    socket.on('error', (error: Error) => {
      reject(explain(error, origin, connected));
    });
    socket.on('close', () => {
      signal.removeEventListener('abort', stop);
      reject(explain(new Error('the other side closed the connection'), origin, connected));
    });
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', stop);
      resolve(secure ? { socket, tls: facts(socket as TLSSocket) } : { socket });
    });
  });
}

/** Keys and certificates as TLS wants them. Throws TransportFailure where they do not fit together. */
export function secureContext(connection: HttpConnection): SecureContext {
  try {
    const context = createSecureContext({
      minVersion: 'TLSv1.2',
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
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    const message = `the client certificate, its key or the CA certificates cannot be used (${code})`;
    throw new TransportFailure({ sent: false, reason: 'tls', message, cause });
  }
}

function facts(socket: TLSSocket): NonNullable<HttpAnswer['tls']> {
  return {
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher().name,
    peer: socket.getPeerX509Certificate()?.subject.split('\n').join(', ') ?? '',
  };
}

function explain(error: NodeJS.ErrnoException, origin: URL, connected: boolean): TransportFailure {
  // Several addresses tried: the aggregate itself says nothing.
  const first: NodeJS.ErrnoException = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const code = first.code ?? '';
  const reason = connected ? 'tls' : /^E(?:NOTFOUND|AI_)/.test(code) ? 'dns' : 'connect';
  const message = `${origin.host}: ${first.message}`;
  return new TransportFailure({ sent: false, reason, message, cause: error });
}
