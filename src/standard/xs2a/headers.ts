/** The request and answer headers: spelling, format, and which operation takes which. */
import { parseUrl } from '../../base/url.ts';
import { headerRows, headerSets, rule } from './header-rows.ts';
import type { HeaderFormat, HeaderName, HeaderRule } from './header-rows.ts';
import { checkPsuIp } from './ip-address.ts';
import type { Checked } from './ip-address.ts';
import type { Operation } from './operations.ts';
import { always, both, inFile, inGuidelines, isIn } from './origin.ts';
import type { Origin } from './origin.ts';
import { declaredBody, inVariant, operationChanges } from './variants.ts';
import { isNaming, nameFromHeader } from './psu-names.ts';
import type { Variant } from './variants.ts';

/** Returns the headers that the contract of the variant lists for the operation, in set order. */
export function declaredHeaders(variant: Variant, op: Operation): readonly HeaderRule[] {
  const known = declared.get(op) ?? new Map<Variant['framework'], readonly HeaderRule[]>();
  declared.set(op, known);
  const rules =
    known.get(variant.framework) ?? inVariant(variant, op).headers.flatMap((set) => headerSets[set]);
  known.set(variant.framework, rules);
  return rules;
}

/** Each call asks for those of its operation. */
const declared = new WeakMap<Operation, Map<Variant['framework'], readonly HeaderRule[]>>();

/**
 * Returns the headers that the framework has forgotten in the operation, and that an erratum of the guidelines added later: to be
 * sent only where a bank cannot do without.
 */
export function correctedHeaders({ framework }: Variant, op: Operation): readonly HeaderRule[] {
  return operationChanges
    .filter(({ id, corrects, origin }) => id === op.id && corrects === true && !isIn(framework, origin))
    .flatMap(({ headers }) => headers.flatMap((set) => headerSets[set]));
}

/** The headers that no operation of a file declares, and that the guidelines imply. */
const impliedNames: ReadonlySet<string> = new Set(['Date', 'Content-Type', 'Accept', 'Authorization']);

/** Returns who says that the operation has the header in the variant, and since when. */
export function headerOrigin({ framework }: Variant, op: Operation, name: HeaderName): Origin {
  const change = operationChanges.findLast(
    ({ id, headers, origin }) =>
      id === op.id &&
      isIn(framework, origin) &&
      headers.some((set) => headerSets[set].some((rule) => rule.name === name)),
  );
  return change?.origin ?? (impliedNames.has(name) ? inGuidelines('1.3.2') : always);
}

/** Returns who says a header of an answer, and since when. */
export function answerHeaderOrigin(name: HeaderName): Origin {
  // Declared beside the answers; none of them refers to it.
  if (name === 'ASPSP-Multiple-Consent-Support') return inFile('1.3.8');
  return name.startsWith('ASPSP-Notification-') ? notifying : always;
}

const notifying: Origin = both('1.3.4');

const reduced = new Set<HeaderName>(['X-Request-ID', 'Digest', 'Signature', 'TPP-Signature-Certificate']);

/**
 * Returns the headers that a request of the operation may have: the declared ones and those that the guidelines imply (Date,
 * Authorization, Accept, Content-Type). `reduced` is for method selection and transaction authorisation, which define
 * only request id, signing and token. Source: guidelines 5.2, 7.2.
 */
export function headersOf(variant: Variant, op: Operation, reducedSet = false): readonly HeaderRule[] {
  const declared = declaredHeaders(variant, op).filter(({ name }) => !reducedSet || reduced.has(name));
  const body = declaredBody(variant, op) === 'none' ? (op.body === 'none' ? undefined : 'c') : 'm';
  const implied = [
    rule('Date', 'o'),
    rule('Authorization', 'c'),
    rule('Accept', 'o'),
    ...(body === undefined ? [] : [rule('Content-Type', body)]),
  ];
  const names = new Set(declared.map(({ name }) => name));
  return [...declared, ...implied.filter(({ name }) => !names.has(name))];
}

const canonical = new Map<string, HeaderName>(
  (Object.keys(headerRows) as HeaderName[]).map((name) => [name.toLowerCase(), name]),
);

/** Returns the canonical spelling of a header, or undefined for one that the interface does not define. */
export function headerName(name: string): HeaderName | undefined {
  return canonical.get(name.toLowerCase());
}

/** The caps of header values: one value, the certificate, and all together; what Node and most servers take. */
const headerCaps = { value: 4096, certificate: 8192, total: 16_384 } as const;

const patterns: Readonly<Partial<Record<HeaderFormat, readonly [RegExp, string]>>> = {
  uuid: [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'it is not a UUID'],
  'http-date': [
    /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/,
    'it is not an HTTP date',
  ],
  boolean: [/^(true|false)$/, 'it is neither true nor false'],
  'http-method': [/^(GET|POST|PUT|PATCH|DELETE)$/, 'it is not GET, POST, PUT, PATCH or DELETE'],
  geo: [
    /^GEO:-?[0-9]{1,2}\.[0-9]{6};-?[0-9]{1,3}\.[0-9]{6}$/,
    'it is not GEO:latitude;longitude with six decimals each',
  ],
  digest: [/^SHA-(256|512)=[A-Za-z0-9+/]+={0,2}$/, 'it is not SHA-256= or SHA-512= and base64'],
  base64: [/^[A-Za-z0-9+/]+={0,2}$/, 'it is not base64 on one line'],
  // A scheme is spelt as one likes (RFC 9110 11.1).
  bearer: [/^Bearer [A-Za-z0-9._~+/-]+=*$/i, 'it is not a bearer token'],
  notification: [
    /^status=(?!.*\b(SCA|PROCESS|LAST)\b.*\b\1\b)(SCA|PROCESS|LAST)( *, *(SCA|PROCESS|LAST)){0,2}$/,
    'it is not status= and a list of SCA, PROCESS, LAST',
  ],
  approach: [/^(EMBEDDED|DECOUPLED|REDIRECT)$/, 'it is not EMBEDDED, DECOUPLED or REDIRECT'],
};

/** What no URI has as it stands (RFC 3986, 2). */
const noUri = /[^\x21-\x7e]|[<>"{}|\\^`]/;

/**
 * Checks the value of a header: printable ASCII (of PSU-ID and PSU-Corporate-ID any script, see nameFromHeader) without blanks at
 * its ends and within its cap, and the format where the interface defines the header. Source: official files, RFC 9110 5.5.
 */
export function checkHeaderValue(name: string, value: string): Checked {
  const refuse = (why: string): Checked => ({ ok: false, why: `${name}: ${why}` });
  const known = headerName(name);
  const cap = known === 'TPP-Signature-Certificate' ? headerCaps.certificate : headerCaps.value;
  if (value === '') return refuse('it is empty');
  if (value.length > cap) return refuse(`it is longer than ${String(cap)} characters`);
  if (isNaming(name)) {
    if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(nameFromHeader(value))) return refuse('it has control characters');
  } else if (!/^[\x20-\x7e]*$/.test(value)) return refuse('it has control or non-ASCII characters');
  if (value.startsWith(' ') || value.endsWith(' ')) return refuse('it begins or ends with a blank');
  if (known === undefined) return { ok: true, value };
  const { format } = headerRows[known] as { format: HeaderFormat };
  if (format === 'uri' && parseUrl(value) === undefined) return refuse('it is not a URI');
  if (format === 'uri' && noUri.test(value))
    return refuse('it has characters that a URI has percent-encoded');
  if (format === 'ip') {
    const ip = checkPsuIp(value);
    return ip.ok ? ip : refuse(ip.why);
  }
  const [pattern, why = ''] = patterns[format] ?? [];
  if (pattern?.test(value) === false) return refuse(why);
  if (format === 'http-date' && new Date(value).toUTCString() !== value)
    return refuse('there is no such day and time, or the day of the week is another one');
  if (format === 'geo' && !isPlace(value)) return refuse('there is no such latitude or longitude');
  return { ok: true, value };
}

function isPlace(geo: string): boolean {
  const [latitude = 0, longitude = 0] = geo.slice('GEO:'.length).split(';').map(Number);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

/** Schemes that lead a browser to no page of anybody. */
const noPage = /^(?:javascript|vbscript|data|file|filesystem|blob|about|view-source):/i;

/**
 * Whether a browser may be led there: the address of a web page, or of an app by a scheme of its own, which has no host where it is
 * a domain read backwards. Source: RFC 8252 7.1.
 */
export function isReturnAddress(uri: string): boolean {
  return !noPage.test(uri) && /^[a-z][a-z0-9+.-]*:\/\/|^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\//i.test(uri);
}

/** Returns the headers that a success answer has beside its body. Source: guidelines 5.3.1, 6.3.1, 8.1. */
export function answerHeadersOf(variant: Variant, op: Operation, status: number): readonly HeaderRule[] {
  const answer = op.success.find((row) => row.status === status)?.answer;
  const rules = [rule('X-Request-ID', 'm')];
  const creates =
    answer === 'payment-initiation' || answer === 'consent-creation' || answer === 'basket-creation';
  if (creates) rules.push(rule('Location', 'm'));
  if (creates || answer === 'authorisation-start' || answer === 'authorisation-update') {
    rules.push(rule('ASPSP-SCA-Approach', 'c'));
  }
  if (creates && isIn(variant.framework, notifying)) {
    rules.push(rule('ASPSP-Notification-Support', 'o'), rule('ASPSP-Notification-Content', 'o'));
  }
  return rules;
}

/** Whether a header belongs to the making of a request (its signature, its transport, its id), so that nobody else gives it. */
export const isMadeWithRequest = (name: string): boolean =>
  /^(authorization|signature|digest|tpp-signature-certificate|x-request-id|date|content-length|host)$/i.test(
    name,
  );
