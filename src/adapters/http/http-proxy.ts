// Own code in place of undici's EnvHttpProxyAgent: that one keeps a pool and dials again by itself, while every line
// here is one connection whose first byte is marked after TLS with the bank is up.
import { BlockList, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { TransportFailure } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';
import { ready } from './http-ready.ts';

/** A proxy of the environment; `shown` has no user and no password. */
export interface Proxy {
  host: string;
  port: number;
  shown: string;
  authorization: Secret | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The host of an address as a socket takes it: an IPv6 address without its brackets. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

const longestHead = 16_384;

/** The proxy on the way to an origin: HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY or loopback exempts it. */
export function proxyFor(origin: URL, env: Env): Proxy | undefined {
  const name = origin.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const text = variable(env, name);
  if (text === undefined || isLoopback(origin.hostname)) return undefined;
  if (isExempt(origin, variable(env, 'NO_PROXY') ?? '')) return undefined;
  const address = text.includes('://') ? text : `http://${text}`;
  const url = parseUrl(address);
  // The value is never repeated: it may hold a password.
  if (url === undefined) throw unusable(`${name} is not the address of a proxy`);
  if (url.protocol !== 'http:') {
    throw unusable(
      `${name} names a proxy of the scheme ${url.protocol.slice(0, -1)}; obk speaks to http proxies`,
    );
  }
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
  return {
    host: bareHost(url),
    port: Number(url.port || 80),
    shown: `${url.hostname}:${url.port || '80'}`,
    authorization:
      credentials === ':' ? undefined : new Secret(`Basic ${Buffer.from(credentials).toString('base64')}`),
  };
}

/** Asks the proxy for a connection to the bank (CONNECT, RFC 9110 section 9.3.6); also for http, so that it reads nothing else. */
export async function tunnel(
  socket: Socket,
  proxy: Proxy,
  to: { host: string; port: number },
  signal: AbortSignal,
): Promise<void> {
  const target = `${to.host}:${to.port}`;
  const authorization = proxy.authorization;
  socket.write(
    [
      `CONNECT ${target} HTTP/1.1`,
      `Host: ${target}`,
      ...(authorization === undefined ? [] : [`Proxy-Authorization: ${authorization.reveal()}`]),
      '',
      '',
    ].join('\r\n'),
  );
  const lost = (error: Error) => failed(`the proxy ${proxy.shown} gave no answer: ${error.message}`, error);
  let head = '';
  while (!head.includes('\r\n\r\n')) {
    if (head.length > longestHead) throw failed(`the answer of the proxy ${proxy.shown} has no end`);
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) await ready(socket, 'readable', signal, lost);
    else head += chunk.toString('latin1');
  }
  const status = Number(/^HTTP\/1\.[01] ([0-9]{3})[ \r]/.exec(head)?.[1]);
  if (status >= 200 && status < 300 && head.endsWith('\r\n\r\n')) return;
  socket.destroy();
  throw failed(`the proxy ${proxy.shown} ${refusal(status, target, authorization !== undefined)}`);
}

function refusal(status: number, target: string, known: boolean): string {
  if (status === 407)
    return known ? 'does not accept the user and password given (407)' : 'wants a user and a password (407)';
  if (status === 403 || status === 405) return `does not let anybody through to ${target} (${status})`;
  if (status >= 500) return `cannot reach ${target} (${status})`;
  return Number.isNaN(status) || status < 300
    ? 'does not answer as an http proxy does'
    : `refuses the connection to ${target} (${status})`;
}

function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const wanted = port || (protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      if (entry.includes('/')) return isWithin(host, entry);
      const [, name = entry, only] = /^(.*[^:]|\[.*\]):([0-9]+)$/.exec(isIP(entry) === 6 ? '' : entry) ?? [];
      if (only !== undefined && only !== wanted) return false;
      const domain = name.replace(/^\*?\.|^\[|\]$/g, '');
      return domain !== '' && (host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`)));
    });
}

/** `10.0.0.0/8`. */
function isWithin(host: string, entry: string): boolean {
  const [net = '', bits = ''] = entry.split('/');
  const family = isIP(net);
  if (
    family === 0 ||
    isIP(host) !== family ||
    !/^[0-9]{1,3}$/.test(bits) ||
    Number(bits) > (family === 4 ? 32 : 128)
  )
    return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const block = new BlockList();
  block.addSubnet(net, Number(bits), type);
  return block.check(host, type);
}

/** The lower-case name comes first, as with curl and most other programs. */
function variable(env: Env, name: string): string | undefined {
  return [env[name.toLowerCase()], env[name]]
    .find((value) => value !== undefined && value.trim() !== '')
    ?.trim();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Where the variables of a proxy are told. */
export const proxyHelp = 'obk help environment   # HTTPS_PROXY, HTTP_PROXY and NO_PROXY';

function failed(message: string, cause?: unknown): TransportFailure {
  return new TransportFailure({ sent: false, reason: 'proxy', message, cause, hint: [proxyHelp] });
}

/** The variable is wrong, whatever the network does. */
function unusable(message: string): TransportFailure {
  return new TransportFailure({
    sent: false,
    reason: 'proxy',
    message,
    hint: [proxyHelp],
    code: 'PROXY_INVALID',
  });
}
