import { isCurrencyCode, isDayText } from '../../base/values.ts';
import { parseUrl } from '../../base/url.ts';
import { checkIsoDate, checkText } from '../../standard/xs2a/check-text.ts';
import { headerSets } from '../../standard/xs2a/header-rows.ts';
import { checkHeaderValue } from '../../standard/xs2a/headers.ts';
import { checkPsuIp } from '../../standard/xs2a/ip-address.ts';
import { isOperationId, operations } from '../../standard/xs2a/operations.ts';
import { nearest } from '../../base/nearest.ts';
import { readRate } from './rate.ts';
import type { Wrong } from './row.ts';

const must =
  (isRight: (text: string) => boolean, why: string): Wrong =>
  (text) =>
    isRight(text) ? undefined : why;

const isHttp = (text: string) => /^https?:$/.test(parseUrl(text)?.protocol ?? '');

/** An http or https address as requests carry it: a name in Punycode, a path in percent-encoding; undefined for one that is so already. */
export function asciiAddress(text: string): string | undefined {
  const url = parseUrl(text);
  // What holds a password is not repeated.
  const isOther = isHttp(text) && /[^\0-\x7f]/.test(text) && url?.username === '' && url.password === '';
  return isOther ? url.href.replace(/\/$/, text.endsWith('/') ? '/' : '') : undefined;
}

const inAscii: Wrong = (text) => {
  const ascii = asciiAddress(text);
  return ascii === undefined ? undefined : `It must be in ASCII, a name in Punycode: ${ascii}.`;
};

const reachable = must(
  (text) => parseUrl(text)?.port !== '0',
  'It must be without port 0: no server is there.',
);

const plainAddress = must((text) => {
  const url = parseUrl(text);
  return (
    /^https?:\/\/[!-~]+$/.test(text) &&
    isHttp(text) &&
    url?.username === '' &&
    // A query or fragment may be empty, and dots lead elsewhere than they say.
    !/[?#\\]|\/(\.|%2e){1,2}(\/|$)/i.test(text)
  );
}, 'It must be an https address without user, query, fragment, blanks or dot segments.');

/** Checks the address of a service, as strictly as that of the bank. */
export const serviceAddress: Wrong = (text) => inAscii(text) ?? plainAddress(text) ?? reachable(text);

/** Checks an address that the bank sends the PSU back to; RFC 6749 section 3.1.2 forbids a fragment. */
export const returnAddress =
  (name: string): Wrong =>
  (text) => {
    if (text.includes('#'))
      return 'It must be without a fragment (#): the bank adds its parameters behind it, and they would be lost.';
    if (isHttp(text) && new URL(text).username !== '')
      return 'It must be without user and password: the bank and the browser of the PSU would see them.';
    return inAscii(text) ?? reachable(text) ?? headerValue(name)(text);
  };

const httpAddress = must(isHttp, 'It must be an http or https address.');

export const webAddress: Wrong = (text) => httpAddress(text) ?? inAscii(text) ?? reachable(text);

/** Checks an issuer (RFC 8414 section 2), from which the address of the metadata follows. */
export const issuer: Wrong = (text) =>
  /[?#]/.test(text) ? 'It must be an http or https address without query and fragment.' : webAddress(text);

/** The path of a version; empty where the bank has none. */
export const versionPath = must(
  (text) => /^(\/[A-Za-z0-9._~-]+)*$/.test(text),
  'It must be a path such as /v1.',
);

/** A day that a bank means something else by, which need not be one of the calendar. */
export const sentinelDay = must(isDayText, 'It must be a day, YYYY-MM-DD.');

export const day = must((text) => checkIsoDate(text).ok, 'It must be a day of the calendar, YYYY-MM-DD.');

export const month = must(
  (text) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text),
  'It must be a month of the calendar, YYYY-MM.',
);

export const rate = must(
  (text) => readRate(text) !== undefined,
  'It must be calls a minute (90), calls per time (10/1s), or off.',
);

export const currency = must(isCurrencyCode, 'It must be a code such as EUR.');

/** Checks the form of an IBAN alone; its check digits are checked when a payment uses it. */
export const iban = must((text) => /^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/.test(text), 'It must be an IBAN.');

export const signer = must(
  (text) => /^cmd:(\/|[A-Za-z]:[\\/])/.test(text),
  'It must be cmd: and the absolute path of a program.',
);

/** Checks the name of a party in a payment: one line of at most so many characters. */
export const partyName =
  (max: number): Wrong =>
  (text) => {
    const checked = checkText(text, max);
    return checked.ok ? undefined : `It must be a name: ${checked.why}.`;
  };

export const ipAddress = must((text) => checkPsuIp(text).ok, 'It must be an IPv4 or IPv6 address.');

export const mediaType = must(
  (text) => checkHeaderValue('Accept', text).ok && /^[\w.+*-]+\/[\w.+*-]+(\s*[;,].*)?$/.test(text),
  'It must be a media type such as application/xml.',
);

export const operationName: Wrong = (name) => {
  if (isOperationId(name)) return undefined;
  const ids = operations.map(({ id }) => id);
  const near = nearest(name, ids);
  const meant = near.length === 0 ? `There are: ${ids.join(', ')}.` : `Did you mean ${near.join(' or ')}?`;
  return `${JSON.stringify(name)} is not an operation of the interface. ${meant}`;
};

/** Checks a value for the header of that name. */
export const headerValue =
  (name: string): Wrong =>
  (text) => {
    const checked = checkHeaderValue(name, text);
    return checked.ok ? undefined : `It cannot be sent as ${name}: ${checked.why}.`;
  };

const contextHeaders = headerSets.CTX.map(({ name }) => name);

/** The name of a header about the PSU's device; PSU-IP-Address is excluded, as it has a setting of its own. */
export const contextHeader: Wrong = (name) => {
  if (contextHeaders.some((known) => known.toLowerCase() === name.toLowerCase())) return undefined;
  const near = nearest(name, contextHeaders);
  return `There is no such header; there are: ${contextHeaders.join(', ')}.${near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`}`;
};

/** Headers that obk makes itself: only the settings named here may change them. */
const ownHeaders: Readonly<Record<string, string>> = {
  'x-request-id': 'every request has its own',
  'content-length': 'it follows from the body',
  host: 'it follows from the address',
  connection: 'it belongs to the connection',
  'transfer-encoding': 'it belongs to the connection',
  authorization: 'it follows from the token (obk help auth)',
  digest: 'signing.mode and signing.digest decide on it',
  signature: 'signing.mode decides on it',
  'tpp-signature-certificate': 'signing.certificateHeader decides on it',
  accept: 'headers.accept decides on it',
  // Some servers read the method or the path of a call from these.
  'x-http-method-override': 'a read stays one, and so does a write',
  'x-http-method': 'a read stays one, and so does a write',
  'x-method-override': 'a read stays one, and so does a write',
  'x-original-url': 'it follows from the address',
  'x-rewrite-url': 'it follows from the address',
  'content-encoding': 'it follows from the body',
  expect: 'it belongs to the connection',
  upgrade: 'it belongs to the connection',
  te: 'it belongs to the connection',
  trailer: 'it belongs to the connection',
  'keep-alive': 'it belongs to the connection',
  'proxy-connection': 'it belongs to the connection',
  'proxy-authorization': 'it belongs to the connection',
};

/** The name of a header that a rule of a bank may change. */
export const ruledHeader: Wrong = (name) => {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return `${JSON.stringify(name)} is not a header name.`;
  const own = ownHeaders[name.toLowerCase()];
  return own === undefined ? undefined : `No rule can change ${name}: ${own}.`;
};

/** Headers of the standard other than Authorization: none of them can carry a token. */
const standardNames = new Set(
  Object.values(headerSets).flatMap((set) => set.map(({ name }) => name.toLowerCase())),
);

/** The name of the header that carries the token. */
export const tokenHeader: Wrong = (name) => {
  const lower = name.toLowerCase();
  if (lower === 'authorization') return undefined;
  return standardNames.has(lower)
    ? `${name} is a header of the standard and carries no token.`
    : ruledHeader(name);
};
