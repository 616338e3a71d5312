import { connect as connectTcp, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { ObkError, TransportFailure } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import type { TlsPeers } from '../../client/ports/certificates.ts';
import type { Clock } from '../../client/ports/clock.ts';
import { proxyFor, tunnel } from './http-proxy.ts';
import { ready } from './http-ready.ts';

const limitMs = 10_000;
/** More than any server has reason to send. */
const longest = 20;

/** `env` names the proxies on the way. */
interface TlsPeersOptions {
  clock: Clock;
  env?: Readonly<Record<string, string | undefined>>;
}

export function createTlsPeers({ clock, env = {} }: TlsPeersOptions): TlsPeers {
  return {
    chain: async (host, port, signal) => {
      const over = new AbortController();
      const both = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
      const late = tooLate(clock, both, host, port);
      try {
        return await Promise.race([seen(host, port, env, both), late]);
      } finally {
        over.abort();
        late.catch(() => undefined);
      }
    },
  };
}

async function seen(
  host: string,
  port: number,
  env: NonNullable<TlsPeersOptions['env']>,
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const authority = isIP(host) === 6 ? `[${host}]` : host;
  const way = { host, port };
  let tcp: Socket | undefined;
  try {
    const proxy = proxyFor(new URL(`https://${authority}:${port}`), env);
    tcp = connectTcp(proxy ?? way);
    await ready(tcp, 'connect', signal, unreachable);
    if (proxy !== undefined) await tunnel(tcp, proxy, { host: authority, port }, signal);
    const socket = connectTls({
      socket: tcp,
      // The peer is only inspected, so it need not be trusted; with a CA store OpenSSL would add issuers that were not
      // sent.
      rejectUnauthorized: false,
      ca: [],
      ...(isIP(host) === 0 ? { servername: host } : {}),
      minVersion: 'TLSv1.2',
    });
    return await offered(socket, host, port);
  } catch (error) {
    if (error instanceof ObkError) throw error;
    const code = error instanceof TransportFailure ? error.code : undefined;
    throw notSent(host, port, (error as Error).message, error, code);
  } finally {
    tcp?.destroy();
  }
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

async function tooLate(clock: Clock, signal: AbortSignal, host: string, port: number): Promise<never> {
  await clock.sleep(limitMs, signal);
  throw notSent(host, port, `no answer within ${limitMs / 1000} seconds`);
}

function unreachable(cause: Error): TransportFailure {
  return new TransportFailure({ sent: false, reason: 'connect', message: cause.message, cause });
}

function notSent(
  host: string,
  port: number,
  why: string,
  cause?: unknown,
  code: ErrorCode = 'NOT_SENT',
): ObkError {
  return new ObkError({
    code,
    title: `The certificates of ${host}:${port} cannot be seen.`,
    detail: `${why}.`,
    hint: ['Check the address.', 'obk help environment   # HTTPS_PROXY and NO_PROXY'],
    cause,
  });
}
