import { nearest } from '../base/nearest.ts';
import { headerRows } from '../standard/xs2a/header-rows.ts';
import {
  checkHeaderValue,
  correctedHeaders,
  headerName,
  headersOf,
  isReturnAddress,
} from '../standard/xs2a/headers.ts';
import type { HeaderName } from '../standard/xs2a/header-rows.ts';
import { isNaming } from '../standard/xs2a/psu-names.ts';
import type { Variant } from '../standard/xs2a/variants.ts';
import type { Operation } from '../standard/xs2a/operations.ts';
import type { CallPlace, Findings } from './finding.ts';
import { leftovers } from './path.ts';
import type { RequestHeaders } from './request-headers.ts';
import type { JudgedCall } from './request.ts';

/** The service spells it consentId; the guidelines Consent-ID. */
const spellings: Readonly<Record<string, HeaderName>> = { consentid: 'Consent-ID' };
const nameOf = (name: string): HeaderName | undefined => spellings[name.toLowerCase()] ?? headerName(name);

/** Headers whose values are lists, and may come in several lines. */
const lists: ReadonlySet<string> = new Set([
  'Accept',
  'PSU-Accept',
  'PSU-Accept-Charset',
  'PSU-Accept-Encoding',
  'PSU-Accept-Language',
]);
/** Headers of answers. */
const answers = /^(Location|ASPSP-.*)$/;
/** Judged with the signature, or by a rule of its own. */
const elsewhere: ReadonlySet<string> = new Set([
  'Digest',
  'Signature',
  'TPP-Signature-Certificate',
  'Content-Type',
  'Accept',
]);

const names = Object.keys(headerRows) as HeaderName[];

/** Judges the headers of a request: which there must be, which there may be, and their forms. */
export function judgeHeaders(found: Findings, call: JudgedCall): void {
  const { operation, headers, request } = call;
  const { declared, mandatory } = rulesOf(call.terms.variant, operation);
  for (const name of mandatory) {
    if (valueOf(headers, name) !== null) continue;
    // A token may stand for the consent, whatever the file says.
    const byToken = name === 'Consent-ID' && headers.has('authorization');
    found
      .at('header', name)
      .add('header-missing', `${name} is missing.`, byToken ? { severity: 'warning' } : {});
  }
  const seen = new Set<string>();
  for (const [sent, value] of request.headers) {
    const name = nameOf(sent);
    if (name === undefined) {
      judgeForeign(found, sent);
      continue;
    }
    const at = found.at('header', name);
    if (seen.has(name) && !lists.has(name)) at.add('header-twice', `${name} comes more than once.`);
    seen.add(name);
    if (answers.test(name)) {
      at.add('header-undeclared', `${name} is a header of answers.`);
      continue;
    }
    if (!declared.has(name) && !isBodyless(name, request.body))
      at.add('header-undeclared', `${operation.id} has no ${name}.`);
    if (!elsewhere.has(name)) judgeForm(at, name, value);
  }
  judgeTogether(found, call);
}

/** The headers of an operation, and those of them that must be there. */
interface HeaderRules {
  readonly declared: ReadonlySet<string>;
  readonly mandatory: readonly HeaderName[];
}

const known = new Map<string, HeaderRules>();

/** The same for every request, and asked for each time. */
function rulesOf(variant: Variant, operation: Operation): HeaderRules {
  const key = `${variant.framework} ${operation.id}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const rules = [...headersOf(variant, operation), ...correctedHeaders(variant, operation)];
  const made: HeaderRules = {
    declared: new Set(rules.map(({ name }) => name)),
    // The file and its erratum may both demand one.
    mandatory: [
      ...new Set(rules.flatMap(({ name, need }) => (need === 'm' && name !== 'Content-Type' ? [name] : []))),
    ],
  };
  known.set(key, made);
  return made;
}

/** Content-Type without a body is odd, but harmless: many clients always send it. */
const isBodyless = (name: string, body: Uint8Array | undefined): boolean =>
  name === 'Content-Type' && (body?.length ?? 0) === 0;

function valueOf(headers: RequestHeaders, name: string): string | null {
  return headers.get(name) ?? (name === 'Consent-ID' ? headers.get('consentid') : null);
}

function judgeForm(at: CallPlace, name: HeaderName, value: string): void {
  const checked = checkHeaderValue(name, value);
  if (!checked.ok) {
    const why = checked.why.replace(`${name}: `, '');
    if (name === 'Authorization') at.add('authorization', `${name} is not right: ${why}.`);
    else if (/^TPP-(Nok-)?Redirect-URI$/.test(name))
      at.add('redirect-uri-form', `${name} is not right: ${why}.`);
    else at.add('header-form', `${name} is not right: ${why}.`);
    return;
  }
  judgeLeftover(at, name, value);
  if (name === 'PSU-IP-Port' && !(/^[0-9]{1,5}$/.test(value) && Number(value) <= 65_535))
    at.add('header-form', 'PSU-IP-Port is not right: a port is a number up to 65535.');
  if (name === 'X-Request-ID' && /^[0-]+$/.test(value))
    at.add('request-id-nil', 'X-Request-ID is the UUID of zeros, which names nothing.');
  if (/^TPP-(Nok-)?Redirect-URI$/.test(name) && !isReturnAddress(value))
    at.add('redirect-uri-form', `${name} is neither the address of a web page nor of an app.`);
}

/** Ids and tokens that a program writes where a value is missing; a person may be called so, however odd that is. */
function judgeLeftover(at: CallPlace, name: HeaderName, value: string): void {
  const what = `${name} is not right: it is what a program writes where a value is missing.`;
  if (name === 'Authorization') {
    if (leftovers.test(value.replace(/^Bearer +/i, ''))) at.add('authorization', what);
  } else if (name === 'Consent-ID' || isNaming(name)) {
    const severity = name === 'Consent-ID' ? 'error' : 'warning';
    if (leftovers.test(value)) at.add('header-form', what, { severity });
  }
}

/** Unknown headers are nobody's business, unless they look like one of the interface. */
function judgeForeign(found: Findings, sent: string): void {
  if (!/^(x-?request|psu|tpp|aspsp|consent|digest|signature|authori[sz]ation)/i.test(sent)) return;
  const bare = (text: string) => text.toLowerCase().replace(/[-_]/g, '');
  const [meant] = names
    .filter((name) => bare(name) === bare(sent))
    .concat(nearest(sent, names) as HeaderName[]);
  if (meant === undefined) return;
  found
    .at('header', sent)
    .add('header-misspelt', `${sent} is no header of the interface; ${meant} was probably meant.`);
}

/** Headers that need each other. */
function judgeTogether(found: Findings, { operation, headers }: JudgedCall): void {
  for (const name of ['PSU-ID', 'PSU-Corporate-ID'] as const) {
    if (headers.has(`${name}-Type`) && !headers.has(name))
      found.at('header', `${name}-Type`).add('psu-id-type-alone', `${name}-Type comes without ${name}.`);
  }
  if (headers.get('tpp-redirect-preferred') === 'true' && !headers.has('tpp-redirect-uri'))
    found
      .at('header', 'TPP-Redirect-URI')
      .add('redirect-uri-missing', 'A redirect is preferred, and there is no TPP-Redirect-URI.');
  if (
    operation.id === 'createSigningBasket' &&
    headers.get('tpp-explicit-authorisation-preferred') === 'false'
  )
    found
      .at('header', 'TPP-Explicit-Authorisation-Preferred')
      .add('explicit-basket', 'TPP-Explicit-Authorisation-Preferred is false for a signing basket.');
  if (headers.has('tpp-notification-content-preferred') && !headers.has('tpp-notification-uri'))
    found
      .at('header', 'TPP-Notification-Content-Preferred')
      .add('notification-address', 'TPP-Notification-Content-Preferred comes without TPP-Notification-URI.');
}
