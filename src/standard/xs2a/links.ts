/** The hyperlinks: names with every misspelling seen, what to send, what may be followed. */
import { isLoopback, parseUrl } from '../../base/url.ts';
import { canonicalNames } from './link-names.ts';
import type { LinkName } from './link-names.ts';

export { linkFact, linkFacts, steeringOrder } from './link-names.ts';
export type { LinkBody, LinkName } from './link-names.ts';

/** The links of one answer: the known ones by canonical name, the others by the bank's name; plain data. */
export interface LinkSet {
  readonly known: Readonly<Partial<Record<LinkName, string>>>;
  readonly unknown: Readonly<Record<string, string>>;
}

/** Returns the canonical name of a link, whatever its case and known misspelling, or undefined for an unknown one. */
export function canonicalLink(name: string): LinkName | undefined {
  return canonicalNames.get(name.toLowerCase());
}

const own = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

function hrefOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (Array.isArray(value)) return value.map(hrefOf).find((href) => href !== undefined);
  const href = own(value, 'href');
  return typeof href === 'string' && href !== '' ? href : undefined;
}

/** Names that one bank uses for links, each with the standard link that it means by it. */
export type LinkAliases = Readonly<Record<string, LinkName>>;

/**
 * Reads the value of a `_links` member, whatever its shape: objects with href, strings, arrays, a list of objects with
 * `rel` or `name`; never throws. A canonical spelling wins over a misspelt one, else the first one stands; an alias of the
 * bank goes before both, even where the standard means another link by that name.
 */
export function readLinks(links: unknown, aliases: LinkAliases = {}): LinkSet {
  const known: Partial<Record<LinkName, string>> = {};
  const unknown = new Map<string, string>();
  const exact = new Set<LinkName>();
  for (const [name, value] of entriesOf(links)) {
    const href = hrefOf(value);
    if (href === undefined) continue;
    const canonical = Object.hasOwn(aliases, name) ? aliases[name] : canonicalLink(name);
    if (canonical === undefined) {
      if (!unknown.has(name)) unknown.set(name, href);
    } else if (known[canonical] === undefined || (name === canonical && !exact.has(canonical))) {
      known[canonical] = href;
      if (name === canonical) exact.add(canonical);
    }
  }
  return { known, unknown: Object.fromEntries(unknown) };
}

function entriesOf(links: unknown): [string, unknown][] {
  if (Array.isArray(links)) {
    return links.flatMap((item: unknown): [string, unknown][] => {
      const name = own(item, 'rel') ?? own(item, 'name');
      if (typeof name === 'string') return [[name, item]];
      return typeof item === 'object' && item !== null ? Object.entries(item) : [];
    });
  }
  return typeof links === 'object' && links !== null ? Object.entries(links) : [];
}

/** The facts that decide whether a link of a bank may be followed. */
export interface LinkPolicy {
  /** The base address, with its path: `https://h/psd2`. */
  readonly base: string;
  /** The profile's prefix: `/v1`. */
  readonly prefix: string;
  /** Further declared addresses (per service, token); each an origin, perhaps with a base path. */
  readonly origins: readonly string[];
  /** `ignore` takes path and query only, for gateways that leak the names of inner hosts. */
  readonly host: 'strict' | 'ignore';
  /** Paths below the base address that belong to the interface besides those below the prefix: `/v3/accounts`. */
  readonly ownPaths?: readonly string[];
}

/** Where a link leads: `path` is path and query verbatim as the bank wrote them, below `origin`. */
export type ResolvedHref =
  | { readonly ok: true; readonly url: string; readonly origin: string; readonly path: string }
  | { readonly ok: false; readonly why: string };

const maxHref = 8192;
const refuse = (why: string): { ok: false; why: string } => ({ ok: false, why });

interface BaseAddress {
  readonly origin: string;
  readonly host: string;
  readonly basePath: string;
}

function placeOf(address: string): BaseAddress | undefined {
  const url = parseUrl(address);
  return url && { origin: url.origin, host: url.host, basePath: url.pathname.replace(/\/+$/, '') };
}

/**
 * Decides whether an API link may be followed and where it leads: only within the declared origins and under base path
 * and prefix, with path and query verbatim; a relative href is relative to the provider base, not to the request.
 */
export function resolveHref(sent: string, policy: LinkPolicy): ResolvedHref {
  const href = encodedHref(sent);
  const bad = badText(href);
  if (bad !== undefined) return refuse(bad);
  const home = placeOf(policy.base);
  if (home === undefined) return refuse('the base address of the profile is not a URL');
  const places = [home, ...policy.origins.map(placeOf).filter((place) => place !== undefined)];
  const split = splitHref(href, places);
  if (!split.ok) return split;
  const dots = badPath(split.path);
  if (dots !== undefined) return refuse(dots);

  const address = policy.host === 'ignore' ? undefined : split.address;
  const origin = address === undefined ? home.origin : (parseUrl(address)?.origin ?? address);
  const candidates = address === undefined ? [home] : places.filter((place) => place.origin === origin);
  for (const place of candidates) {
    const under = underPrefix(split.path, place.basePath, policy.prefix, address === undefined);
    if (under !== undefined) return asUrl(place.origin, under);
    const own = atOwnPath(split.path, place.basePath, policy.ownPaths, address === undefined);
    if (own !== undefined) return asUrl(place.origin, own);
  }
  const [first] = candidates;
  return refuse(
    first === undefined
      ? `its origin ${origin} is not declared in the profile`
      : `its path is not under ${first.basePath}${policy.prefix}/`,
  );
}

function asUrl(origin: string, path: string): ResolvedHref {
  const url = new URL(origin + path);
  // A quote in a query is the one legal character that the URL parser rewrites.
  return url.pathname + url.search.replaceAll('%27', "'") === path.replaceAll('%27', "'")
    ? { ok: true, url: origin + path, origin, path }
    : refuse('it has characters that a URL must escape');
}

/**
 * A link whose blanks and letters outside ASCII are percent-encoded behind the host (RFC 3986, section 2.5); characters that nobody
 * sees stay, and are refused.
 */
export function encodedHref(href: string): string {
  const [, host = '', rest = ''] = /^(https?:\/\/[^/?#]*)?([^]*)$/i.exec(href) ?? [];
  if (/\p{Cs}/u.test(rest)) return href;
  return (
    host + rest.replace(/[ \p{L}\p{N}\p{M}]/gu, (one) => (/[!-~]/.test(one) ? one : encodeURIComponent(one)))
  );
}

function badText(href: string): string | undefined {
  if (href === '') return 'it is empty';
  if (href.length > maxHref) return `it is longer than ${String(maxHref)} characters`;
  if (!/^[\x21-\x7e]*$/.test(href)) return 'it has blanks, control or non-ASCII characters';
  if (href.includes('\\')) return 'it has a backslash';
  if (href.includes('#')) return 'it has a fragment';
  return undefined;
}

interface Target {
  readonly ok: true;
  /** Scheme and authority, as the link has them; none where it is relative. */
  readonly address?: string;
  readonly path: string;
}

/** The text before its path or query. */
const authorityOf = (text: string): string => text.slice(0, text.search(/[/?]|$/));

function splitHref(href: string, places: readonly BaseAddress[]): Target | { ok: false; why: string } {
  if (href.startsWith('//')) return refuse('it names a host without a scheme');
  if (href.startsWith('/')) return { ok: true, path: href };
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(href)?.[1];
  if (scheme !== undefined) {
    if (!/^https?$/i.test(scheme)) return refuse(`its scheme ${scheme.toLowerCase()} is not http or https`);
    const start = `${scheme}://`;
    const authority = authorityOf(href.slice(start.length));
    if (authority.includes('@')) return refuse('it has a user name before the host');
    const address = start + authority;
    return { ok: true, address, path: href.slice(address.length) };
  }
  const first = authorityOf(href);
  // `www.bank.example/xs2a/v1/...`: the scheme was left out (official samples do it); the host must be a declared one.
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)+(:[0-9]+)?$/i.test(first)) {
    const place = places.find(({ host }) => host === first.toLowerCase());
    return { ok: true, address: place?.origin ?? `https://${first}`, path: href.slice(first.length) };
  }
  if (first.includes(':')) return refuse('it is neither a path nor an http or https URL');
  if (href.startsWith('?')) return refuse('it has no path');
  return { ok: true, path: `/${href}` };
}

function badPath(pathAndQuery: string): string | undefined {
  const path = pathAndQuery.slice(0, pathAndQuery.search(/\?|$/));
  if (!path.startsWith('/') || path.startsWith('//')) return 'it has no absolute path';
  let text = path;
  // Each round undoes one layer of percent-encoding, so that %252e is found as well.
  for (let round = 0; round < 4; round += 1) {
    // A `;` begins path parameters that some servers drop before they resolve dots.
    if (text.split(/[/\\]/).some((segment) => /^\.{1,2}(;.*)?$/.test(segment))) return 'it has dot segments';
    if (!text.includes('%')) return undefined;
    try {
      text = decodeURIComponent(text);
    } catch {
      return round === 0 ? 'it has a malformed percent-encoding' : undefined;
    }
  }
  return 'its percent-encoding is nested';
}

function atOwnPath(
  path: string,
  basePath: string,
  ownPaths: LinkPolicy['ownPaths'] = [],
  relative: boolean,
): string | undefined {
  const isAt = (lead: string) => path.startsWith(lead) && /^([/?]|$)/.test(path.slice(lead.length));
  if (ownPaths.some((own) => isAt(basePath + own))) return path;
  return relative && ownPaths.some(isAt) ? basePath + path : undefined;
}

function underPrefix(path: string, basePath: string, prefix: string, relative: boolean): string | undefined {
  const isBelow = (lead: string) => path.startsWith(`${lead}/`);
  if (isBelow(`${basePath}${prefix}`)) return path;
  return relative && isBelow(prefix) ? basePath + path : undefined;
}

/** Whether a link of scaRedirect or scaOAuth may be opened in a browser; `host` is what a person must be shown. */
export type BrowserUrl =
  | { readonly ok: true; readonly url: string; readonly host: string }
  | { readonly ok: false; readonly why: string };

/**
 * Checks a URL for a browser: https (http on loopback only), no user name, at most 8 kB, printable ASCII after parsing;
 * returns it verbatim where it was ASCII.
 */
export function checkBrowserUrl(url: string): BrowserUrl {
  // eslint-disable-next-line no-control-regex -- the URL parser drops tabs and newlines silently
  if (/[\x00-\x20\x7f-\x9f\\]/.test(url)) return refuse('it has blanks, control characters or backslashes');
  if (url.length > maxHref) return refuse(`it is longer than ${String(maxHref)} characters`);
  const parsed = /^https?:\/\//i.test(url) ? parseUrl(url) : undefined;
  if (parsed === undefined) return refuse('it is not an absolute http or https URL');
  if (parsed.username !== '' || parsed.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(url)) {
    return refuse('it has a user name before the host');
  }
  if (parsed.protocol === 'http:' && !isLoopback(parsed.hostname))
    return refuse('it is http and not on this machine');
  const printable = /^[\x21-\x7e]*$/.test(url) ? url : parsed.href;
  if (printable.length > maxHref) return refuse(`it is longer than ${String(maxHref)} characters`);
  return { ok: true, url: printable, host: parsed.host };
}
