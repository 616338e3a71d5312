import { defined } from '../../base/defined.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Doors } from '../../settings/doors/doors.ts';
import type { Secret } from '../../base/secret.ts';
import { isLoopbackAddress, parseUrl } from '../../base/url.ts';
import type { Answer } from '../interface/answer.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Exchange } from '../interface/exchange.ts';
import { interfaceAt } from '../trust/interfaces.ts';
import { oauthMetadataPath, siteOf } from '../trust/site.ts';
import { nameOfKey, tenantPath } from '../../base/profile-name.ts';

/** The access key of a bank, and whether callers of this machine show it, too. */
export interface AccessKey {
  key: Secret;
  always: boolean;
}

/** The doors that a request passes before anybody reads it. */
export type Entrance = Pick<
  Doors,
  'basePath' | 'publicUrl' | 'hosts' | 'cors' | 'corsControl' | 'tenants' | 'framework'
> & {
  accessKey: AccessKey | undefined;
  dialect?: Dialect | undefined;
};

/** Reads what is asked for, which is a path or a whole URL (RFC 9112 3.2); undefined where it is neither. */
export function exchangeOf(
  doors: Entrance,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Exchange | undefined {
  const { method = '', url: target = '', headers } = incoming;
  if (headers.host === undefined) return undefined;
  const scheme = 'encrypted' in incoming.socket ? 'https' : 'http';
  const url = parseUrl(target.startsWith('/') ? `${scheme}://${headers.host}${target}` : target);
  if (url === undefined) return undefined;
  const site = siteOf(doors, url.origin);
  const asked = decoded(url.pathname);
  const of = doors.tenants === undefined ? undefined : tenantIn(asked, doors, site.base);
  const path = within(doors, site.base, of?.path ?? asked);
  const { origin, base } = of === undefined ? site : { ...site, base: site.base + tenantPath(of.key) };
  const tenant = of && { tenant: of.tenant };
  return { incoming, outgoing, method, host: headers.host, url, path, origin, base, ...tenant };
}

/** The tenant in a path, and the path without it; a path with a key that no name has is one that leads nowhere. */
function tenantIn(
  path: string,
  { basePath }: Entrance,
  base: string,
): { key: string; tenant: string; path: string } | undefined {
  const wellKnown = `${oauthMetadataPath}${base}${tenantPath('')}`;
  const isMetadata = path.startsWith(wellKnown);
  // What is below /sandbox needs no path in front.
  const before = path.startsWith(basePath + tenantPath('')) ? basePath : '';
  if (!isMetadata && !path.startsWith(before + tenantPath(''))) return undefined;
  const start = isMetadata ? wellKnown : before + tenantPath('');
  const [, key = '', rest = ''] = /^([^/]*)(.*)$/.exec(path.slice(start.length)) ?? [];
  const tenant = nameOfKey(key);
  if (tenant === undefined || isMetadata !== (rest === '')) return undefined;
  if (!isMetadata && before !== basePath && !rest.startsWith('/sandbox/')) return undefined;
  return { key, tenant, path: (isMetadata ? oauthMetadataPath + base : before) + rest };
}

/** A character is the same one percent-encoded (RFC 3986 6.2.2.2); those that divide a path stay as they came. */
function decoded(path: string): string {
  try {
    return decodeURI(path.replaceAll('%25', '%2525'));
  } catch {
    return path;
  }
}

/** The path below the base path; the bank's own programs need not know that, and whatever else is not below it is nowhere. */
function within({ basePath }: Entrance, base: string, path: string): string {
  // The place of the metadata of an issuer with a path (RFC 8414 3.1).
  if (base !== '' && path === oauthMetadataPath + base) return oauthMetadataPath;
  if (path.startsWith(`${basePath}/`)) return path.slice(basePath.length);
  return basePath === '' || path.startsWith('/sandbox/') ? path : '';
}

/** Lets a request in, or says why not: an answer, which no one else gives. `undefined` lets it in. */
export function refuseEntry(doors: Entrance, exchange: Exchange): Answer | undefined {
  const { path, outgoing } = exchange;
  if (!isKnownHost(doors, exchange))
    return told(
      421,
      `This bank answers on this machine${doors.hosts.length === 0 ? '' : ' and at its hosts'} only.`,
    );
  if (path === '') return told(404, `There is nothing here. The bank is below ${doors.basePath}/.`);
  const kind = kindOf(doors, path);
  const origin = allowedOrigin(doors, kind, exchange);
  // Also where no origin is let in: a cache would give that answer to one that is.
  if (doors.cors.length > 0 && kind !== 'page') outgoing.setHeader('Vary', 'Origin');
  if (origin !== undefined) {
    outgoing.setHeader('Access-Control-Allow-Origin', origin);
    outgoing.setHeader('Access-Control-Expose-Headers', '*');
    if (isPreflight(exchange)) return preflight(exchange.incoming);
  }
  return mayEnter(doors, kind, exchange) ? undefined : keyMissing;
}

const told = (status: number, text: string): Answer => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=UTF-8' },
  content: `${text}\n`,
});

const keyMissing: Answer = {
  ...told(401, 'This bank wants its access key in the header X-Access-Key.'),
  headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'WWW-Authenticate': 'X-Access-Key' },
};

/**
 * Whether the bank is meant. Any name that it does not know would be a web page that had itself resolved to this machine (DNS
 * rebinding).
 */
function isKnownHost({ hosts, publicUrl }: Entrance, { host, url }: Exchange): boolean {
  const [named, asked] = [parseUrl(`http://${host}`)?.hostname, url.hostname];
  const known = [...hosts, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])];
  return [named, asked].every(
    (name) => name !== undefined && (isLoopbackAddress(name) || known.includes(name)),
  );
}

/** What a path belongs to: what TPPs call, what a PSU's browser shows, or what steers the bank. */
type Kind = 'interface' | 'page' | 'control';

const calledByTpps = [
  '/oauth/token',
  '/oauth/revoke',
  oauthMetadataPath,
  '/sandbox/password-key',
  '/sandbox/password-certificate',
];

function kindOf(doors: Entrance, path: string): Kind {
  const own = doors.dialect?.settings.sca?.passwordEncryption?.certificatePath;
  if (interfaceAt(doors, path) !== undefined || [...calledByTpps, own].includes(path)) return 'interface';
  return path.startsWith('/sandbox/') ? 'control' : 'page';
}

/** The value of Access-Control-Allow-Origin; undefined where the page that calls is not let in. */
function allowedOrigin(
  { cors, corsControl }: Entrance,
  kind: Kind,
  { incoming }: Exchange,
): string | undefined {
  const { origin } = incoming.headers;
  if (origin === undefined || kind === 'page' || (kind === 'control' && !corsControl)) return undefined;
  if (cors.includes(origin)) return origin;
  return cors.includes('*') ? '*' : undefined;
}

function isPreflight({ method, incoming }: Exchange): boolean {
  return method === 'OPTIONS' && incoming.headers['access-control-request-method'] !== undefined;
}

function preflight({ headers }: IncomingMessage): Answer {
  const asked = headers['access-control-request-headers'];
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
      ...defined({ 'Access-Control-Allow-Headers': asked }),
      ...(headers['access-control-request-private-network'] === 'true' && {
        'Access-Control-Allow-Private-Network': 'true',
      }),
      'Access-Control-Max-Age': '600',
    },
  };
}

/** Pages have links that nobody guesses, or ask for a password, and what steers the bank has a token of its own. */
function mayEnter({ accessKey }: Entrance, kind: Kind, exchange: Exchange): boolean {
  if (accessKey === undefined || kind !== 'interface' || exchange.path === oauthMetadataPath) return true;
  if (!accessKey.always && isFromHere(exchange)) return true;
  const shown = exchange.incoming.headers['x-access-key'];
  return typeof shown === 'string' && timingSafeEqual(digest(shown), digest(accessKey.key.reveal()));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function isFromHere({ incoming: { socket }, url }: Exchange): boolean {
  const { remoteAddress = '' } = socket;
  return isLoopbackAddress(remoteAddress) && isLoopbackAddress(url.hostname);
}
