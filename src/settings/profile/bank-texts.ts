import { checkHeaderValue } from '../../standard/xs2a/headers.ts';
import { parseUrl } from '../../base/url.ts';
import { serviceAddress, webAddress } from './texts.ts';
import type { Wrong } from './row.ts';

const must =
  (form: RegExp, why: string): Wrong =>
  (text) =>
    form.test(text) ? undefined : why;

/** Checks a text for people: one line of at most 500 characters, so that a file cannot steer a terminal. */
export const oneLine = must(/^[^\p{C}]{1,500}$/u, 'It must be one line of at most 500 characters.');

/** Checks a word of a bank: a status, a product, a parameter. */
export const word = must(/^[!-~]{1,100}$/, 'It must be a word of at most 100 plain characters.');

/** Checks a name that is part of a dotted key, and so holds no dot. */
export const plainName = must(
  /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
  'It must be a name of letters, digits, _ and -.',
);

/** Checks a link or a word that the bank made up; a dot would split its key in `config set`. */
export const ownName = must(
  /^(?!__proto__$)[^.\s\p{C}]{1,100}$/u,
  'It must be a name without dots and blanks.',
);

/** Checks the name by which a bank knows a TPP as client (RFC 6749, appendix A.1). */
export const clientName = must(/^[ -~]{1,500}$/, 'It must be plain text of at most 500 characters.');

/** Checks the name of a payment product. */
export const productName = must(
  /^[a-z0-9][A-Za-z0-9.-]{0,99}$/,
  'It must be a product such as domestic-transfers.',
);

/** Checks a JSON pointer to a member (RFC 6901); `*` stands for each entry of a list. */
export const pointer = must(
  /^(\/([^~/\p{C}]|~[01]){1,100}){1,10}$/u,
  'It must be a JSON pointer such as /creditorAddress/country.',
);

/** Who is paid, by whom, and how much: what no description of a bank changes. */
const ofMoney = /^(creditorAccount|debtorAccount|instructedAmount|creditorName|payments|amount|currency)$/;

/** Checks a pointer to a member of a payment that a description may fill in or write otherwise. */
export const orderPointer: Wrong = (text) =>
  pointer(text) ??
  (text.split('/').some((part) => ofMoney.test(part))
    ? 'No setting changes who is paid, by whom, or how much.'
    : undefined);

/** Checks the name that a bank has for a member of a payment. */
export const orderName: Wrong = (text) =>
  plainName(text) ??
  (ofMoney.test(text) ? 'No setting changes who is paid, by whom, or how much.' : undefined);

/** Checks the header that a bank reads or sends something in. */
export const headerName = must(/^[A-Za-z0-9-]{1,100}$/, 'It must be a header name.');

/** Checks the value of a parameter, or a scope with places for ids. */
export const parameterValue: Wrong = (text) => {
  const plain = text.replace(/\{(consentId|paymentId|basketId|authorisationId)\}/g, '');
  if (!/^[ -~]{0,500}$/.test(text)) return 'It must be plain text of at most 500 characters.';
  return /[{}]/.test(plain)
    ? 'It may hold {consentId}, {paymentId}, {basketId} and {authorisationId}, and no other braces.'
    : undefined;
};

/** Parameters of OAuth2 that obk makes itself, since the safety of a login rests on them. */
const ownParameters = [
  ...['state', 'code_challenge', 'code_challenge_method', 'code_verifier', 'code', 'redirect_uri'],
  ...['client_secret', 'refresh_token', 'request', 'request_uri', 'response_mode', 'token'],
];

/** A parameter whatever way banks spell it: redirect_uri, redirectUri, Redirect-URI. */
const folded = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();
const ownFolded = new Set(ownParameters.map(folded));
const usualFolded = new Set([
  ...ownFolded,
  ...['client_id', 'scope', 'response_type', 'grant_type', 'iss', 'token_type_hint'].map(folded),
]);

/** Returns why a parameter cannot have another name of the bank: it would stand in the place of one that the standard has. */
export function renamesAnother(usual: string, own: string): string | undefined {
  return folded(usual) !== folded(own) && usualFolded.has(folded(own))
    ? `No setting puts ${usual} in the place of ${own}: the safety of a login rests on it.`
    : undefined;
}

/** Checks the name of a parameter that a bank wants besides the usual ones, or does not want. */
export const parameterName: Wrong = (name) => {
  if (!/^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/.test(name) || name.includes('.'))
    return 'It must be the name of a parameter.';
  return ownFolded.has(folded(name))
    ? `No setting changes ${name}: the safety of a login rests on it.`
    : undefined;
};

/** Checks the name of a parameter that a bank calls otherwise. */
export const renamedParameter = must(
  /^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/,
  'It must be the name of a parameter.',
);

/** Checks a path of an operation below the base URL; variables are those of the standard. */
export const operationPath: Wrong = (text) => {
  const plain = text.replace(/\{[A-Za-z-]+\}/g, 'x');
  const isPath = /^(\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/.test(plain) && !/\/\.{1,2}(\/|$)/.test(plain);
  return isPath ? undefined : 'It must be a path such as /v3/accounts/{account-id}, without query, // and ..';
};

/** Checks a path at the host of the bank. */
export const ownPath = must(
  /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+){1,10}$/,
  'It must be a path such as /gateway.',
);

/** Returns the address with something in place of its variables, so that the rest can be checked. */
const filled = (text: string) => text.replace(/\{[A-Za-z][A-Za-z0-9_-]*\}/g, 'x');

/** Checks the address of a service; `{name}` stands for a variable (urls.vars). */
export const addressTemplate: Wrong = (text) => variableElsewhere(text) ?? serviceAddress(filled(text));

/** A port or a user by variable could lead anywhere, and a query is no address. */
function variableElsewhere(text: string): string | undefined {
  const [, authority = '', rest = ''] = /^[^:]*:\/\/([^/]*)([^]*)/.exec(text) ?? [];
  return /[@:].*\{/.test(authority) || /[?#].*\{/.test(rest)
    ? 'A variable may stand in the host and the path, and nowhere else.'
    : undefined;
}

/** Checks an address where a login starts or a token is got: https, or this machine. */
export const loginAddress: Wrong = (text) => {
  const url = parseUrl(filled(text));
  const wrong = variableElsewhere(text) ?? webAddress(filled(text));
  if (wrong !== undefined || url === undefined) return wrong ?? 'It must be an address.';
  return url.hash === '' && url.username === ''
    ? undefined
    : 'It must be an address without user and fragment.';
};

/** Checks the value of a variable of addresses. */
export const variableValue = must(
  /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$/,
  'It must be letters, digits, and . _ ~ - between them.',
);

/** Checks the name of a time zone (IANA). */
export const timeZone: Wrong = (text) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return undefined;
  } catch {
    return 'It must be a time zone such as Europe/Berlin.';
  }
};

/** Checks the SHA-256 of a public key (SPKI) in base64. */
export const keyPin = must(
  /^[A-Za-z0-9+/]{43}=$/,
  'It must be the SHA-256 of a public key (SPKI) in base64.',
);

/** Checks a day that stands for "at once" in pain.001. */
export const bic = must(/^[A-Z0-9]{8}([A-Z0-9]{3})?$/, 'It must be a BIC.');
export const country = must(/^[A-Z]{2}$/, 'It must be a country such as DE.');

/** Checks an HTTP status as the name of a member; 5xx never has another meaning, since it says nothing of the outcome. */
export const statusName = must(/^[234]\d\d$/, 'It must be an HTTP status from 200 to 499.');

/** Checks a namespace or the place of a schema in XML. */
export const xmlUri = must(/^[!-~]{1,300}( [!-~]{1,300})?$/, 'It must be a URI.');

/** Checks a type of PSU. It may be empty nowhere. */
export const psuIdType: Wrong = (text) => {
  const checked = checkHeaderValue('PSU-ID-Type', text);
  return checked.ok ? undefined : `It cannot be sent: ${checked.why}.`;
};
