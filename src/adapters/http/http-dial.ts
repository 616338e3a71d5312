import { connect as connectTcp } from 'node:net';
import { TransportFailure } from '../../base/errors.ts';
import { bareHost, proxyHelp, tunnel } from './http-proxy.ts';
import { ready } from './http-ready.ts';
import type { Dialled, Way } from './http-way.ts';

/** Makes the TCP connection (through the proxy) and, for https, the TLS session; no byte of a request leaves here. */
export async function dial(origin: URL, way: Way, signal: AbortSignal): Promise<Dialled> {
  const secure = origin.protocol === 'https:';
  const host = bareHost(origin);
  const port = Number(origin.port || (secure ? 443 : 80));
  const { proxy } = way;
  const tcp = connectTcp(proxy ? { host: proxy.host, port: proxy.port } : { host, port }).setNoDelay(true);
  await ready(tcp, 'connect', signal, (error) =>
    proxy ? unreachable(error, `the proxy ${proxy.shown}`, [proxyHelp]) : unreachable(error, origin.host),
  );
  if (proxy !== undefined) await tunnel(tcp, proxy, { host: origin.hostname, port }, signal);
  if (!secure) return { socket: tcp };
  const { agree } = await import('./http-tls.ts');
  return agree(tcp, origin, way, signal);
}

function unreachable(
  error: NodeJS.ErrnoException,
  shown: string,
  hint?: readonly string[],
): TransportFailure {
  // Several addresses tried: the aggregate itself says nothing.
  const first: NodeJS.ErrnoException = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const reason = /^E(?:NOTFOUND|AI_)/.test(first.code ?? '') ? 'dns' : 'connect';
  return new TransportFailure({
    sent: false,
    reason,
    message: `${shown}: ${first.message}`,
    cause: error,
    ...(hint && { hint }),
  });
}
