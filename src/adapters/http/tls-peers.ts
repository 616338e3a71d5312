import { connect as connectTcp, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { ObkError, TransportFailure } from '../../base/errors.ts';
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

/** Where the server is. */
interface Peer {
  host: string;
  port: number;
}

export function createTlsPeers({ clock, env = {} }: TlsPeersOptions): TlsPeers {
  return {
    chain: async (host, port, signal) => {
      const over = new AbortController();
      const both = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
      const peer = { host, port };
      const late = tooLate(peer, clock, both);
      try {
        return await Promise.race([seen(peer, env, both), late]);
      } finally {
        over.abort();
        late.catch(() => undefined);
      }
    },
  };
}

async function seen(
  peer: Peer,
  env: NonNullable<TlsPeersOptions['env']>,
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const { host, port } = peer;
  const authority = isIP(host) === 6 ? `[${host}]` : host;
  let tcp: Socket | undefined;
  try {
    const proxy = proxyFor(new URL(`https://${authority}:${port}`), env);
    tcp = connectTcp(proxy ?? peer);
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
    return await offered(socket, peer);
  } catch (error) {
    if (error instanceof ObkError) throw error;
    throw notSent(peer, (error as Error).message, error);
  } finally {
    tcp?.destroy();
  }
}

function offered(socket: TLSSocket, peer: Peer): Promise<Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const end = (cause?: Error) => {
      const chain = chainOf(socket);
      // A server that insists on a client certificate ends the handshake, but has shown its own by then.
      if (chain.length > 0) resolve(chain);
      else reject(notSent(peer, cause?.message ?? 'the server showed no certificate', cause));
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

async function tooLate(peer: Peer, clock: Clock, signal: AbortSignal): Promise<never> {
  await clock.sleep(limitMs, signal);
  throw notSent(peer, `no answer within ${limitMs / 1000} seconds`);
}

function unreachable(cause: Error): TransportFailure {
  return new TransportFailure({ sent: false, reason: 'connect', message: cause.message, cause });
}

function notSent({ host, port }: Peer, why: string, cause?: unknown): ObkError {
  return new ObkError({
    code: (cause instanceof TransportFailure ? cause.code : undefined) ?? 'NOT_SENT',
    title: `The certificates of ${host}:${port} cannot be seen.`,
    detail: `${why}.`,
    hint: ['Check the address.', 'obk help environment   # HTTPS_PROXY and NO_PROXY'],
    cause,
  });
}
