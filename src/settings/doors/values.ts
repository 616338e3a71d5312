import { isIP } from 'node:net';
import { nearest } from '../../base/nearest.ts';
import { parseUrl } from '../../base/url.ts';
import type { Door, DoorKind } from './table.ts';

/** A value that a door does not take: what it takes instead, and values that are lawful. */
export interface WrongValue {
  readonly takes: string;
  readonly meant: readonly string[];
  /** The value must not be repeated, since it may be a secret. */
  readonly hide?: true;
}

type Read = (text: string, door: Door) => string | WrongValue;

const mostCalls = 1_000_000;
const wrong = (takes: string, ...meant: string[]): WrongValue => ({ takes, meant });

const truths: Readonly<Record<string, string>> = {
  true: 'true',
  yes: 'true',
  on: 'true',
  '1': 'true',
  false: 'false',
  no: 'false',
  off: 'false',
  '0': 'false',
};

/** Headers that differ from call to call, belong to the connection or carry a secret. */
const notOfTenants = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'date',
  'digest',
  'expect',
  'host',
  'signature',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-access-key',
  'x-request-id',
]);

/** Reads one value of each kind into the one form that the bank works with. */
const readers: Readonly<Record<DoorKind, Read>> = {
  switch: (text) => truths[text.toLowerCase()] ?? wrong('yes or no', 'yes'),
  choice(text, { choices = [] }) {
    if (choices.includes(text)) return text;
    return wrong(choices.join(', '), ...nearest(text, choices));
  },
  port: (text) => (isNumber(text, 0, 65_535) ? String(Number(text)) : wrong('a number from 0 to 65535')),
  rate(text) {
    if (text === 'off' || isNumber(text, 1, mostCalls)) return text === 'off' ? text : String(Number(text));
    return wrong(`a number from 1 to ${String(mostCalls)} or off`, 'off');
  },
  address(text) {
    const bare = text.replace(/^\[(.*)\]$/, '$1');
    if (isIP(bare) === 4) return bare;
    // One form of each address; a zone stays as it is.
    if (isIP(bare) === 6) return parseUrl(`http://[${bare}]`)?.hostname.slice(1, -1) ?? bare;
    return wrong('an IP address of this machine', ...(text === 'localhost' ? ['::1'] : ['0.0.0.0']));
  },
  host(text) {
    const bracketed = isIP(text) === 6 ? `[${text}]` : text;
    const name = parseUrl(`http://${bracketed}`)?.hostname;
    const isBare = !/[\s/?#@\\%]|[^\]]:\d*$/.test(bracketed);
    if (name !== undefined && isBare && isName(name)) return name;
    const meant = parseUrl(text.includes('://') ? text : `http://${text}`)?.hostname;
    return wrong('a host name or an IP address without a port', ...(meant && isName(meant) ? [meant] : []));
  },
  path(text) {
    const path = text.replace(/\/+$/, '');
    const takes = 'a path such as /bank of letters, digits and . _ ~ -';
    if (path !== '' && !/^(\/[A-Za-z0-9._~-]+)+$/.test(path)) return wrong(takes, '/bank');
    if (/\/\.{1,2}(\/|$)/.test(path)) return wrong(takes, '/bank');
    // The bank's own programs find it there, whatever is in front of the rest.
    if (/^\/sandbox(\/|$)/.test(path)) return wrong('any path but those below /sandbox', '/bank');
    return path;
  },
  url(text) {
    const url = parseUrl(text);
    const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === '';
    if (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain)
      return {
        ...wrong('an http or https address without user, query and fragment', 'https://bank.example'),
        // A password may stand in it.
        ...(text.includes('@') && { hide: true as const }),
      };
    return url.href.replace(/\/+$/, '');
  },
  origin(text) {
    if (text === '*') return text;
    const url = parseUrl(text);
    const origin = url !== undefined && /^https?:$/.test(url.protocol) ? url.origin : undefined;
    if (origin === text.toLowerCase().replace(/\/$/, '')) return origin;
    return wrong('an origin such as https://app.example, or *', ...(origin ? [origin] : []));
  },
  file: (text) => (text === '' ? wrong('the path of a PEM file') : text),
  reference: (text) =>
    /^(stdin|(env|file|cmd|keyring):.+)$/s.test(text)
      ? text
      : { ...wrong('a reference, never the secret itself', 'env:OBK_ACCESS_KEY'), hide: true },
  tenants(text) {
    const [, name] = /^header:([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64})$/.exec(text) ?? [];
    if (text === 'certificate') return text;
    if (name === undefined) return wrong('certificate, or header:NAME', 'certificate', 'header:X-Tenant');
    if (!notOfTenants.has(name.toLowerCase())) return text;
    return wrong('header:NAME with a header that is nothing but the name of a tenant', 'header:X-Tenant');
  },
};

const isName = (host: string): boolean => /^([a-z0-9._-]+|\[.+\])$/.test(host);

function isNumber(text: string, least: number, most: number): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most;
}

/** Reads one value of a door; returns what it takes instead where this is none. */
export function readDoorValue(text: string, door: Door): string | WrongValue {
  return readers[door.kind](text, door);
}
