import { checkHeaderValue, declaredHeaders } from '../xs2a/headers.ts';
import { readJson } from '../xs2a/json.ts';
import { mediaKind, parseMediaType } from '../xs2a/media.ts';
import type { Operation } from '../xs2a/operations.ts';
import { isPaymentService, isXmlProduct, paymentMedia } from '../xs2a/products.ts';
import type { PathParams } from '../xs2a/request.ts';
import type { Variant } from '../xs2a/variants.ts';
import { secondsToWait } from './arrivals.ts';
import { identify } from './caller.ts';
import type { Caller, Shown } from './caller.ts';
import type { Call, RunningBank } from './call.ts';
import { findConsent, newestConsent } from './consent-store.ts';
import { readToken } from './oauth-tokens.ts';
import type { Token } from './oauth-tokens.ts';
import { loginMissing } from './payment-lookup.ts';
import { quality } from './payment-reads.ts';
import { formatError, Refusal, unauthorised } from './refusal.ts';
import { offeredProducts } from './routes.ts';
import type { Scenario } from './scenario.ts';

/** A request as it came to an operation. */
export interface Incoming extends Shown {
  operation: Operation;
  variant: Variant;
  scenario: Scenario;
  params: PathParams;
  query: URLSearchParams;
  origin: string;
  /** Who called, once that is verified and the minute has room: it counts into the minute. */
  tpp: string | null;
  /** Who called, once that is verified. */
  caller?: Caller;
}

/** The minute of this TPP at this operation is full; a gateway answers, without a body of the interface. */
export class TooManyCalls extends Error {
  readonly seconds: number;

  constructor(seconds: number) {
    super('too many calls');
    this.seconds = seconds;
  }
}

/** Lets a request through to its operation: who, how often, in which form; throws Refusal or TooManyCalls. */
export function pass(bank: RunningBank, incoming: Incoming): Call {
  const { operation, variant, body } = incoming;
  const spelt = withConsentId(incoming.headers);
  const wallNow = bank.wallClock.now();
  const requestId = spelt.get('x-request-id');
  if (requestId === null) throw formatError('X-Request-ID is missing.', 'X-Request-ID');
  check('X-Request-ID', requestId);
  const who = identify(bank, incoming, incoming.scenario, operation);
  incoming.caller = who;
  const { tpp } = who;
  const { rateLimit } = incoming.scenario;
  const wait = secondsToWait(bank.ledger.log, { tpp, operation: operation.id, rateLimit }, wallNow);
  if (wait !== undefined) throw new TooManyCalls(wait);
  incoming.tpp = tpp;
  const now = bank.clock.now();
  const token = tokenOf(bank, { ...incoming, headers: spelt }, who, now);
  const headers = withConsentOf(token, bank, spelt, operation);
  checkProduct(incoming.params);
  checkAccept(headers.get('accept'), operation, incoming.params);
  for (const { name, need } of declaredHeaders(variant, operation)) {
    const value = headers.get(name);
    if (value !== null && !signingHeaders.has(name)) check(name, value);
    else if (value === null && need === 'm') throw formatError(`${name} is missing.`, name);
  }
  return {
    operation,
    variant,
    params: incoming.params,
    headers,
    query: incoming.query,
    body,
    json: readBody(incoming, headers.get('content-type')),
    tpp,
    requestId,
    origin: incoming.origin,
    now,
    scenario: incoming.scenario,
    ...(token !== undefined && { token }),
  };
}

/** The service calls the header consentId, the guidelines Consent-ID; both are taken. */
function withConsentId(headers: Headers): Headers {
  const consentId = headers.get('consentid');
  if (consentId === null || headers.has('consent-id')) return headers;
  const both = new Headers(headers);
  both.set('Consent-ID', consentId);
  return both;
}

/** The token of a call: there must be one where every PSU logs in ahead, and a login is for certain services only. */
function tokenOf(
  { ledger: { main } }: RunningBank,
  { headers, scenario, operation, origin }: Incoming,
  who: Caller,
  now: Date,
): Token | undefined {
  const bearer = headers.get('authorization');
  const asked = operation.parent !== 'funds';
  if (bearer === null) {
    if (asked && scenario.oauthPreStep === 'required') throw loginMissing({ origin });
    return undefined;
  }
  const token = readToken(main, bearer, who, now);
  const words = token.scope.split(' ');
  const covered = { PIS: ['PIS'], AIS: ['AIS'], SBS: ['PIS', 'AIS'], PIIS: ['PIIS'] }[operation.service];
  if (asked && token.psuId !== undefined && !covered.some((word) => words.includes(word)))
    throw unauthorised('TOKEN_INVALID', `The token is for ${token.scope} only.`);
  return token;
}

/** A token says which consent is used: its own, or that of its PSU; a Consent-ID beside it must fit. */
function withConsentOf(
  token: Token | undefined,
  { ledger: { main } }: RunningBank,
  headers: Headers,
  { headers: sets }: Operation,
): Headers {
  const sent = headers.get('consent-id');
  if (token === undefined || !sets.includes('CIDm')) return headers;
  const mismatch = (why: string) => unauthorised('CONSENT_INVALID', why);
  const own = token.resourceId === undefined ? undefined : findConsent(main, token.resourceId);
  if (sent !== null) {
    if (own !== undefined && own.consentId !== sent)
      throw mismatch('Consent-ID is not the consent of the token.');
    const { psuId } = findConsent(main, sent) ?? {};
    if (token.psuId !== undefined && psuId !== undefined && psuId !== token.psuId)
      throw mismatch('Consent-ID is not a consent of the PSU of the token.');
    return headers;
  }
  const newest = token.psuId === undefined ? undefined : newestConsent(main, token.psuId, token.tpp);
  if (token.psuId !== undefined && newest === undefined)
    throw mismatch('The PSU of the token has given no consent that can be used.');
  const taken = own ?? newest;
  if (taken === undefined) return headers;
  const both = new Headers(headers);
  both.set('Consent-ID', taken.consentId);
  return both;
}

/** These are judged by the verification itself, with codes of their own. */
const signingHeaders = new Set(['Digest', 'Signature', 'TPP-Signature-Certificate']);

function check(name: string, value: string): void {
  const checked = checkHeaderValue(name, value);
  if (!checked.ok) throw formatError(`${checked.why}.`, name);
}

function checkProduct(params: PathParams): void {
  const service = params['payment-service'];
  const product = params['payment-product'];
  if (service === undefined || product === undefined) return;
  if (!offeredProducts.has(product)) {
    throw new Refusal(404, 'PRODUCT_UNKNOWN', `${service}/${product} is not offered by this bank.`);
  }
}

/** Accept is defined for lists of transactions, which judge it themselves, and for the status of a payment; the payment itself comes as it was sent; all else is JSON. */
function checkAccept(accept: string | null, operation: Operation, params: PathParams): void {
  if (accept === null || accept.trim() === '' || quality(accept, 'json') > 0) return;
  if (operation.id === 'getTransactionList') return;
  if (isXmlProduct(params['payment-product'] ?? '')) {
    if (operation.id === 'getPaymentInformation') return;
    if (operation.id === 'getPaymentInitiationStatus' && quality(accept, 'xml') > 0) return;
  }
  throw new Refusal(
    406,
    operation.service === 'AIS' ? 'REQUESTED_FORMATS_INVALID' : '',
    'The bank answers JSON.',
  );
}

/** The body as JSON, but for that of a payment, which has forms of its own; throws 415 for another media type. */
function readBody({ operation, params, body }: Incoming, contentType: string | null): unknown {
  if (operation.body === 'none') return undefined;
  if (body.length === 0) {
    if (operation.body === 'authorisation') return undefined;
    throw formatError('The request has no body.');
  }
  const media = operation.body === 'payment' ? mediaOfPayment(params) : 'application/json';
  const kind = mediaKind(contentType ?? undefined);
  const right =
    media === 'multipart/form-data'
      ? parseMediaType(contentType ?? '').type === media
      : kind === mediaKind(media);
  if (!right) throw new Refusal(415, '', `The bank takes ${media} here.`);
  if (operation.body === 'payment') return undefined;
  try {
    return readJson(body, { code: 'INPUT_INVALID' });
  } catch {
    throw formatError('The body is not JSON.');
  }
}

function mediaOfPayment(params: PathParams): string {
  const service = params['payment-service'] ?? '';
  return isPaymentService(service)
    ? paymentMedia(service, params['payment-product'] ?? '')
    : 'application/json';
}
