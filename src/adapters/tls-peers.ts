import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { ObkError } from '../errors.ts';
import type { Clock, TlsPeers } from '../ports.ts';

const limitMs = 10_000;
/** More than any server has reason to send. */
const longest = 20;

export function createTlsPeers({ clock }: { clock: Clock }): TlsPeers {
  return {
    chain: async (host, port, signal) => {
      const over = new AbortController();
      const socket = connect({
        host,
        port,
        // What is looked at need not be trusted; with a store of its own OpenSSL would add issuers that were not sent.
        rejectUnauthorized: false,
        ca: [],
        ...(isIP(host) === 0 ? { servername: host } : {}),
        minVersion: 'TLSv1.2',
      });
      try {
        return await Promise.race([offered(socket, host, port), tooLate(clock, over, host, port, signal)]);
      } finally {
        over.abort();
        socket.destroy();
      }
    },
  };
}

function offered(socket: TLSSocket, host: string, port: number): Promise<Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const end = (cause?: Error) => {
      const chain = chainOf(socket);
      // A server that insists on a client certificate ends the handshake, but has shown its own by then.
      if (chain.length > 0) resolve(chain);
      else reject(notSent(host, port, cause?.message ?? 'the server showed no certificate', cause));
    };
    socket.once('secureConnect', end).once('error', end).once('close', end);
  });
}

function chainOf(socket: TLSSocket): Uint8Array[] {
  const chain: Uint8Array[] = [];
  // Typed as always there; empty before the handshake got so far.
  let next = socket.getPeerCertificate(true) as Partial<DetailedPeerCertificate> | undefined;
  while (next?.raw !== undefined && chain.length < longest) {
    chain.push(next.raw);
    // A self-signed one is its own issuer.
    next = next.issuerCertificate === next ? undefined : next.issuerCertificate;
  }
  return chain;
}

async function tooLate(
  clock: Clock,
  over: AbortController,
  host: string,
  port: number,
  signal: AbortSignal | undefined,
): Promise<never> {
  const both = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
  await clock.sleep(limitMs, both);
  throw notSent(host, port, `no answer within ${limitMs / 1000} seconds`);
}

function notSent(host: string, port: number, why: string, cause?: unknown): ObkError {
  return new ObkError({
    code: 'NOT_SENT',
    title: `The certificates of ${host}:${port} cannot be seen.`,
    detail: `${why}.`,
    hint: ['Check the address; a proxy is not used for this.'],
    cause,
  });
}
