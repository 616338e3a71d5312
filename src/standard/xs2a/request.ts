/** From an operation to its path, and from a path or link back to its operation. */
import { ObkError } from '../../base/errors.ts';
import { linkFact } from './links.ts';
import type { LinkName } from './links.ts';
import { operations } from './operations.ts';
import type { Method, Operation, ParamName } from './operations.ts';
import { isPaymentService } from './products.ts';
import { absence, inVariant } from './variants.ts';
import type { Variant } from './variants.ts';

/** Path parameters by their internal name, decoded. */
export type PathParams = Readonly<Partial<Record<ParamName, string>>>;
/** Query parameters; undefined ones are left out, booleans are written `true` or `false`. */
export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

const refuse = (what: string, why: string): never => {
  throw new ObkError({ code: 'USAGE', title: `The ${what} cannot be used.`, detail: `${what}: ${why}.` });
};

/** Tells why a text cannot be an id in a path, or undefined: 1 to 1,024 printable ASCII, no dot segment in any encoding. */
export function badId(id: string): string | undefined {
  if (id.length > 1024) return 'it is longer than 1024 characters';
  if (!/^[\x20-\x7e]*$/.test(id)) return 'it has control or non-ASCII characters';
  return noId(id);
}

/** Tells why a text names nothing at all, or undefined: it is blank, has control characters, or is a dot segment. */
export function noId(id: string): string | undefined {
  if (id.trim() === '') return 'it is empty';
  // eslint-disable-next-line no-control-regex -- a line of its own, or an escape, in whatever is printed of it
  if (/[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(id)) return 'it has control characters';
  let text = id;
  for (let round = 0; round < 8 && text.includes('%'); round += 1) text = text.replace(/%(2e|25)/gi, decoded);
  return /^\.{1,2}$/.test(text) ? 'it is a dot segment' : undefined;
}

const decoded = (code: string): string => (code.toLowerCase() === '%2e' ? '.' : '%');

/** A path that no URL parser changes, as almost all are: names and ids without a dot. */
const unchanged = /^(?:\/[\w~-]+)+$/;

/**
 * Builds path and query of a request, with prefix, percent-encoded so that the path equals the expansion of the template.
 * Throws ObkError USAGE for a missing or impossible parameter. Source: RFC 6570, simple expansion.
 */
export function buildPath(
  variant: Variant,
  op: Operation,
  params: PathParams,
  query: QueryValues = {},
): string {
  const path =
    variant.prefix +
    op.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
      const value = params[name as ParamName] ?? '';
      const bad = badId(value);
      return bad === undefined ? encodeURIComponent(value) : refuse(name, bad);
    });
  // The URL parser must leave the path as built; a path that it changes would reach another resource.
  if (!unchanged.test(path) && new URL(path, 'http://h').pathname !== path)
    refuse('path', 'a URL parser would change it');
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encode(name)}=${encode(String(value))}`],
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return refuse('query', 'it has half a surrogate pair');
  }
}

/** Where a request belongs: its operation; or nowhere; or a path with other methods; or an operation left out here. */
export type RequestMatch =
  | { readonly operation: Operation; readonly params: PathParams }
  | { readonly known: false }
  | { readonly wrongMethod: readonly Method[] }
  | { readonly absent: string };

/** A part of a path: a word that stands there, or the name of a parameter. */
interface Part {
  readonly word: string;
  readonly name: ParamName | undefined;
}

interface Template {
  readonly op: Operation;
  readonly parts: readonly Part[];
}

const partOf = (text: string): Part => ({
  word: text,
  name: text.startsWith('{') ? (text.slice(1, -1) as ParamName) : undefined,
});

/** The paths of the operations by the number of their parts: every request asks for its own. */
const templates = new Map<number, Template[]>();
for (const op of operations) {
  const parts = op.path.slice(1).split('/').map(partOf);
  templates.set(parts.length, [...(templates.get(parts.length) ?? []), { op, parts }]);
}

/**
 * Finds the operation of a method and a path with prefix (a query and one trailing slash are ignored). The path decides
 * first: for a wrong method it returns the methods that the variant offers there, or why the path is absent.
 */
export function matchRequest(variant: Variant, method: string, pathWithPrefix: string): RequestMatch {
  const path = (pathWithPrefix.split('?', 1)[0] ?? '').replace(/\/$/, '');
  if (!path.startsWith(`${variant.prefix}/`)) return { known: false };
  return matchSegments(variant, method, path.slice(variant.prefix.length + 1).split('/'));
}

function matchSegments(variant: Variant, method: string, segments: readonly string[]): RequestMatch {
  const found: { op: Operation; params: PathParams }[] = [];
  for (const { op, parts } of templates.get(segments.length) ?? []) {
    const params = paramsOf(parts, segments);
    if (params !== undefined) found.push({ op, params });
  }
  if (found.length === 0) return { known: false };
  const offered = found.filter(({ op }) => absence(variant, op.id) === undefined);
  const match = offered.find(({ op }) => op.method === method);
  if (match !== undefined) return { operation: inVariant(variant, match.op), params: match.params };
  if (offered.length > 0) return { wrongMethod: offered.map(({ op }) => op.method) };
  const absent = found.find(({ op }) => op.method === method) ?? found[0];
  return absent === undefined ? { known: false } : { absent: absence(variant, absent.op.id) ?? '' };
}

function paramsOf(parts: readonly Part[], segments: readonly string[]): PathParams | undefined {
  // Most paths differ in a word.
  if (parts.some(({ word, name }, at) => name === undefined && word !== segments[at])) return undefined;
  const params: Partial<Record<ParamName, string>> = {};
  for (let at = 0; at < parts.length; at += 1) {
    const name = parts[at]?.name;
    if (name === undefined) continue;
    const value = decodeSegment(segments[at] ?? '');
    if (value === undefined) return undefined;
    if (name === 'payment-service' && !isPaymentService(value)) return undefined;
    params[name] = value;
  }
  return params;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return segment === '' ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/**
 * Returns the method of a link from its path (query and fragment ignored). Authorisation links are decided by the href: one that
 * ends in `authorisations` is a POST, one that ends in an id below it a PUT, whatever the name says; else the name decides.
 */
export function linkMethod(link: LinkName, href: string): Method {
  const path = href.replace(/[?#].*$/s, '').replace(/\/$/, '');
  const fact = linkFact(link);
  if (fact.method === 'GET') return 'GET';
  if (/\/(cancellation-)?authorisations$/.test(path)) return 'POST';
  if (/\/(cancellation-)?authorisations\/[^/]+$/.test(path)) return 'PUT';
  return fact.method;
}
