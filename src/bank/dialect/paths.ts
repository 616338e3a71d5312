import { linkMethod, matchRequest } from '../../standard/xs2a/request.ts';
import { canonicalLink } from '../../standard/xs2a/links.ts';
import { isXmlProduct, products } from '../../standard/xs2a/products.ts';
import { queryOfBank } from '../../standard/xs2a/query-of-bank.ts';
import type { Dialect } from './dialect.ts';
import { movedIn, valuesIn } from './dialect.ts';

/** A method and a path with prefix. */
export interface MethodAndPath {
  method: string;
  path: string;
}

const parameters = /\{([^}]+)\}/g;

const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(parameters, (_, name: string) => values[name] ?? '');

/** Where a call would go at a standard bank; a place that the bank has given up leads nowhere. */
export function standardPlace(dialect: Dialect, asked: MethodAndPath): MethodAndPath {
  const { prefix } = dialect.variant;
  // What an id that changes from list to list has behind it.
  const place =
    dialect.settings.decode?.ids === 'unstable'
      ? { ...asked, path: asked.path.replace(/~[^/]*$/, '') }
      : asked;
  const moved = movedIn(dialect);
  for (const { operation, method, path } of moved) {
    const template = path === '' ? prefix + operation.path : path;
    const values = method === place.method ? valuesIn(template, place.path) : undefined;
    if (values !== undefined)
      return {
        method: operation.method,
        path: withProduct(dialect, prefix + filled(operation.path, values)),
      };
  }
  const gone = moved.some(
    ({ operation }) =>
      operation.method === place.method && valuesIn(prefix + operation.path, place.path) !== undefined,
  );
  return gone ? { ...place, path: `${prefix}/gone` } : { ...place, path: withProduct(dialect, place.path) };
}

/** A product of the bank's own is kept as one of the core products in the same form. */
function withProduct({ settings, variant }: Dialect, path: string): string {
  const [service = '', product = '', ...rest] = path.slice(variant.prefix.length + 1).split('/');
  const forms = settings.payments?.matrix?.[service]?.[product];
  if (forms === undefined || (products as readonly string[]).includes(product)) return path;
  return [variant.prefix, service, coreOf(forms), ...rest].join('/');
}

const coreOf = (forms: readonly string[]): string =>
  forms.includes('json') ? 'sepa-credit-transfers' : 'pain.001-sepa-credit-transfers';

/** The product of a call as the bank calls it, with the core product that stands for it. */
export function ownProduct(
  { settings, variant }: Dialect,
  path: string,
): { own: string; core: string } | undefined {
  const [service = '', product = ''] = path.slice(variant.prefix.length + 1).split('/');
  const forms = settings.payments?.matrix?.[service]?.[product];
  if (forms === undefined || (products as readonly string[]).includes(product)) return undefined;
  return { own: product, core: coreOf(forms) };
}

/** Whether the bank has the product at all, in the form of its name. */
export function hasProduct({ settings }: Dialect, service: string, product: string): boolean {
  const matrix = settings.payments?.matrix;
  if (matrix === undefined) return true;
  const isOwn = !(products as readonly string[]).includes(product);
  if (isOwn) return matrix[service]?.[product] !== undefined;
  const forms = matrix[service]?.[product] ?? matrix[service]?.[product.replace(/^pain\.001-/, '')];
  return forms?.includes(isXmlProduct(product) ? 'xml' : 'json') ?? false;
}

/** A link of the bank inside as this bank writes it: at its own place, and with another host where its gateway leaks one. */
export function ownHref(dialect: Dialect, name: string, href: string, base: string): string {
  const { links } = dialect.settings;
  if (!href.startsWith(base + dialect.variant.prefix)) return href;
  const moved = movedHref(dialect, name, href.slice(base.length));
  return links?.host === 'ignore' ? `https://gateway.invalid${base}${moved}` : base + moved;
}

function movedHref(dialect: Dialect, name: string, href: string): string {
  const [path = '', query] = href.split(/\?(.*)/s);
  const link = canonicalLink(name);
  const method = link === undefined ? 'GET' : linkMethod(link, path);
  const match = matchRequest({ ...dialect.variant, surface: 'framework' }, method, path);
  if (!('operation' in match)) return href;
  const { id, path: usual } = match.operation;
  const own = dialect.settings.spec?.operations?.[id]?.path;
  const place = own === undefined ? path : filled(own, valuesIn(dialect.variant.prefix + usual, path) ?? {});
  const asked = withParameters(query, queryOfBank(dialect.settings, id).add);
  return asked === '' ? place : `${place}?${asked}`;
}

/** The query of a link with the parameters that the bank wants: a TPP follows a link as it is. */
function withParameters(query = '', add: Readonly<Record<string, string>>): string {
  const known = new URLSearchParams(query);
  const more = Object.entries(add).filter(([name]) => !known.has(name));
  return [query, new URLSearchParams(more).toString()].filter((part) => part !== '').join('&');
}
