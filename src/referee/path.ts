import { nearest } from '../base/nearest.ts';
import { checkIban } from '../standard/xs2a/check.ts';
import { operations } from '../standard/xs2a/operations.ts';
import type { ParamName } from '../standard/xs2a/operations.ts';
import { isPaymentService, paymentServices, products } from '../standard/xs2a/products.ts';
import { matchRequest, noId } from '../standard/xs2a/request.ts';
import type { Findings } from './finding.ts';
import type { JudgedCall, Matched, Terms } from './request.ts';

/** The first segments of the paths of the interface. */
const roots: readonly string[] = [
  ...paymentServices,
  ...new Set(operations.map(({ path }) => path.split('/')[1] ?? '').filter((root) => !root.startsWith('{'))),
];

/** Finds the operation of a request, as the bank would; undefined where there is none. */
export function matchedOperation(
  { variant }: Pick<Terms, 'variant'>,
  method: string,
  path: string,
): Matched | undefined {
  const match = matchRequest(variant, method, path);
  return 'operation' in match ? match : undefined;
}

/** Judges why a path and a method are those of no operation. */
export function judgeNoOperation(found: Findings, { variant }: Terms, method: string, path: string): void {
  const match = matchRequest(variant, method, path);
  if ('wrongMethod' in match) {
    found
      .at('path', method)
      .add('method', `${method} is not for this path, which takes ${match.wrongMethod.join(', ')}.`);
    return;
  }
  if ('absent' in match) {
    found.at('path', path).add('path-absent', `The operation is not offered: ${match.absent}.`);
    return;
  }
  const { prefix } = variant;
  const segments = path.split('/').slice(1);
  if (!path.startsWith(`${prefix}/`)) {
    found.at('path', `/${segments[0] ?? ''}`).add('path-prefix', `The path does not begin with ${prefix}/.`);
    return;
  }
  const [root = '', ...rest] = segments.slice(prefix.split('/').length - 1);
  const bad = judgeSegments(found, segments);
  if (bad) return;
  if (!roots.includes(root)) {
    const [meant] = nearest(root, roots);
    found
      .at('path', root)
      .add(
        'path-unknown',
        `No path of the interface begins with ${root}${meant === undefined ? '' : `; ${meant} was probably meant`}.`,
      );
    return;
  }
  const last = rest.at(-1) ?? root;
  const product =
    isPaymentService(root) && !looksLikeProduct(rest[0] ?? '')
      ? ` Behind ${root} the product is missing, such as ${root}/sepa-credit-transfers.`
      : '';
  found.at('path', last).add('path-unknown', `The interface has no such path.${product}`);
}

const looksLikeProduct = (segment: string): boolean => /^[a-z][a-z0-9.]*(-[a-z0-9]+)+$/.test(segment);

/** Empty segments, and such that are no id. */
function judgeSegments(found: Findings, segments: readonly string[]): boolean {
  const before = found.list.length;
  for (const [at, segment] of segments.entries()) {
    const isLast = at === segments.length - 1;
    if (segment === '' && !isLast)
      found.at('path').add('path-id', 'A segment of the path is empty: two slashes follow each other.');
    else if (segment !== '') judgeId(found, segment, decoded(segment));
  }
  return found.list.length > before;
}

/** Judges the path of an operation: product, ids and form. */
export function judgePath(found: Findings, { params, path, terms }: JudgedCall): void {
  if (path.endsWith('/')) found.at('path', '/').add('path-slash', 'The path ends with a slash.');
  for (const [name, value] of Object.entries(params) as [ParamName, string][]) {
    if (name === 'payment-product') judgeProduct(found, value, terms.products);
    else if (name !== 'payment-service') judgeId(found, name, value);
  }
  const account = params['account-id'];
  if (account !== undefined && checkIban(account).ok)
    found.at('path', 'account-id').add('path-account-number', 'The path names the account by its IBAN.');
}

function judgeProduct(found: Findings, product: string, offered: ReadonlySet<string> | undefined): void {
  const known = [...(offered ?? products)];
  if (known.includes(product)) return;
  const [meant] = nearest(product, known);
  const closed = offered !== undefined || meant !== undefined;
  found
    .at('path', 'payment-product')
    .add(
      'path-product',
      `${product} is no product${offered === undefined ? ' of the framework' : ' of this bank'}${meant === undefined ? '' : `; ${meant} was probably meant`}.`,
      closed ? {} : { severity: 'note' },
    );
}

/** Texts that a program writes where a value is missing. */
export const leftovers = /^(undefined|null|none|nan|\[object object\]|true|false|:.+|\{.*\}|<.*>|\$.*)$/i;

function judgeId(found: Findings, name: string, value: string): void {
  const why =
    noId(value) ??
    (leftovers.test(value)
      ? 'it is what a program writes where a value is missing'
      : value !== value.trim()
        ? 'it begins or ends with a blank'
        : /%[0-9a-f]{2}/i.test(value)
          ? 'it was percent-encoded twice'
          : undefined);
  if (why !== undefined) found.at('path', name).add('path-id', `${name} is no id: ${why}.`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
