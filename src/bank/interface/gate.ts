import { defined } from '../../base/defined.ts';
import { checkHeaderValue, correctedHeaders, declaredHeaders } from '../../standard/xs2a/headers.ts';
import { readJson } from '../../standard/xs2a/json.ts';
import { mediaKind, parseMediaType } from '../../standard/xs2a/media.ts';
import { codesAt } from '../../standard/xs2a/message-places.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import { isPaymentService, isXmlProduct, paymentMedia } from '../../standard/xs2a/products.ts';
import type { PathParams } from '../../standard/xs2a/request.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import { callsSince, limitOf, secondsToWait } from '../rules/arrivals.ts';
import type { Limit } from '../rules/arrivals.ts';
import type { Call, RunningBank, Token } from '../trust/call.ts';
import { verifyJws } from '../../referee/signature/jws.ts';
import { signatureRules } from '../../referee/signature/signature-rules.ts';
import type { TppCertificate } from '../../referee/signature/tpp-certificate.ts';
import { identify, refusalOf } from '../trust/caller.ts';
import type { Caller, Shown } from '../trust/caller.ts';
import { psuIdsThatBegin } from '../books/people.ts';
import { noteClient } from '../oauth/oauth-clients.ts';
import { pollRatesOf, rateOf } from '../dialect/limits.ts';
import { withoutEmpty } from '../dialect/requests.ts';
import { formatError, Refusal, unauthorised } from '../rules/refusal.ts';
import { withHeader, quality } from '../../referee/request-headers.ts';
import type { RequestHeaders } from '../../referee/request-headers.ts';
import type { Known } from '../../referee/request.ts';
import { knownOf } from './referee.ts';
import { offeredProducts } from './routes.ts';
import type { Scenario } from '../rules/scenario.ts';
import type { AuthMode } from '../../settings/records/bank-descriptor.ts';
import type { BankSettings } from '../../settings/records/profile.ts';
import { findConsent, insertConsent, newestConsent } from '../stores/consent-store.ts';
import type { Consent } from '../stores/consent-store.ts';
import type { Database } from '../books/database.ts';
import { readToken } from '../oauth/oauth-tokens.ts';
import { usualFramework } from '../../standard/xs2a/variants.ts';
import { isoDay } from '../books/life-cycle.ts';
import { nextId } from '../books/made.ts';
import { insertAuthorisation, saveSca } from '../sca/authorisation-store.ts';
import { startSca } from '../sca/conversation.ts';
import { consentParent } from '../sca/authorised-things.ts';
import { hasSay, loginMissing } from '../payments/permits.ts';

/** A request matched to an operation. */
export interface Incoming extends Shown {
  operation: Operation;
  variant: Variant;
  scenario: Scenario;
  params: PathParams;
  query: URLSearchParams;
  origin: string;
  address: string;
  /** The verified caller, if the rate limit allows the request, which then counts. */
  tpp: string | null;
  /** The verified caller. */
  caller?: Caller;
  /** Path as it is noted. */
  path: string;
  /** Method, path and query as on the request line. */
  method: string;
  target: string;
  /** What is known of earlier calls, once the caller is. */
  known?: Known;
}

/**
 * The rate limit of this TPP at this operation is reached; the answer is that of a gateway, without a body of the
 * interface.
 */
export class TooManyCalls extends Error {
  readonly seconds: number;

  constructor(seconds: number) {
    super('too many calls');
    this.seconds = seconds;
  }
}

/** Admits a request to its operation: checks the caller, the rate and the form; throws Refusal or TooManyCalls. */
export function admitRequest(bank: RunningBank, incoming: Incoming): Call {
  const { operation, variant, body } = incoming;
  // The signature is over all headers, those without a value too.
  const spelt = withWholePsuId(
    bank,
    withConsentId(bank.dialect ? withoutEmpty(bank.dialect, incoming.headers) : incoming.headers),
  );
  const wallNow = bank.wallClock.now();
  const requestId = spelt.get('x-request-id');
  if (requestId === null) throw formatError('X-Request-ID is missing.', 'X-Request-ID');
  check('X-Request-ID', requestId);
  const sealed = sealOf(bank, incoming, wallNow);
  const who = identify(bank, incoming, sealed);
  incoming.caller = who;
  const { tpp } = who;
  noteClient(bank.ledger.log, tpp, spelt.get('tpp-redirect-uri'));
  const wait = secondsUntilFree(bank, incoming, tpp, wallNow);
  if (wait !== undefined) throw new TooManyCalls(wait);
  incoming.tpp = tpp;
  incoming.known = knownOf(bank, { ...incoming, tpp, signed: who.signed });
  const now = bank.clock.now();
  const asking = { ...incoming, headers: spelt };
  const token = tokenOfCall(bank, asking, who, now);
  const headers = withConsentOf(bank, asking, token, now);
  checkProduct(incoming.params);
  checkAccept(headers.get('accept'), incoming);
  checkQuery(incoming);
  for (const { name, need } of declaredHeaders(variant, operation)) {
    const value = headers.get(name);
    if (value !== null && !signingHeaders.has(name)) check(name, value);
    else if (value === null && need === 'm') throw formatError(`${name} is missing.`, name);
  }
  for (const { name } of correctedHeaders(variant, operation)) {
    const value = headers.get(name);
    if (value !== null) check(name, value);
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
    certificateNames: who.qwac?.names ?? [],
    requestId,
    origin: incoming.origin,
    address: incoming.address,
    now,
    scenario: incoming.scenario,
    ...defined({ token }),
  };
}

/** The limit of a TPP at an operation: that of the description, else that of the scenario. */
export function limitAt(
  { dialect }: Pick<RunningBank, 'dialect'>,
  { operation, scenario }: Pick<Incoming, 'operation' | 'scenario'>,
): Limit | undefined {
  const own = dialect && rateOf(dialect, operation);
  return own === 'off' ? undefined : (own ?? limitOf(scenario.rateLimit));
}

function secondsUntilFree(bank: RunningBank, incoming: Incoming, tpp: string, now: Date): number | undefined {
  const { operation, variant, path } = incoming;
  const { log } = bank.ledger;
  const limit = limitAt(bank, incoming);
  const asked = { tpp, prefix: variant.prefix, operation: operation.id };
  const wait = limit && secondsToWait(log, asked, limit, now);
  if (wait !== undefined) return wait;
  const full = (bank.dialect === undefined ? [] : pollRatesOf(bank.dialect, operation)).find(
    ({ calls, windowMs }) =>
      callsSince(log, { ...asked, path }, new Date(now.getTime() - windowMs), calls) >= calls,
  );
  return full && Math.ceil(full.windowMs / 1000);
}

/** The certificate of a detached JWS, at a bank that wants one in place of Signature. */
function sealOf(
  { dialect, certificates }: RunningBank,
  { headers, body, method, target, scenario, operation, variant }: Incoming,
  now: Date,
): TppCertificate | undefined {
  const { mode, jws, requiredFor } = dialect?.settings.signing ?? {};
  if (mode !== 'jws' || requiredFor?.includes(operation.id) === false) return undefined;
  const rules = signatureRules({ ...scenario, signature: 'required' }, operation, variant.framework);
  const verdict = verifyJws({ method, target, headers, body }, certificates, now, {
    jws: jws ?? {},
    rules,
  });
  if ('certificate' in verdict) return verdict.certificate;
  throw refusalOf(verdict);
}

/** The service calls the header consentId, the guidelines Consent-ID; both are taken. */
function withConsentId(headers: RequestHeaders): RequestHeaders {
  const consentId = headers.get('consentid');
  if (consentId === null || headers.has('consent-id')) return headers;
  return withHeader(headers, 'Consent-ID', consentId);
}

/** A bank that reads only the first characters of a PSU-ID finds the PSU by them. */
function withWholePsuId({ dialect, ledger }: RunningBank, headers: RequestHeaders): RequestHeaders {
  const most = dialect?.settings.headers?.psuId?.first;
  const sent = headers.get('psu-id');
  if (most === undefined || sent === null) return headers;
  if ([...sent].length > most) throw formatError(`PSU-ID has ${String(most)} characters at most.`, 'PSU-ID');
  // Less than a part is an ID that was not cut.
  if ([...sent].length < most) return headers;
  const fitting = psuIdsThatBegin(ledger.main, sent);
  const [only, ...others] = fitting;
  if (only === undefined || fitting.includes(sent)) return headers;
  if (others.length === 0) return withHeader(headers, 'PSU-ID', only);
  const why = `This bank reads ${String(most)} characters of a PSU-ID, and here they are of ${fitting.join(', ')}.`;
  throw new Refusal(401, 'PSU_CREDENTIALS_INVALID', why);
}

/** The signature headers are checked by the verification itself, with codes of their own. */
const signingHeaders = new Set(['Digest', 'Signature', 'TPP-Signature-Certificate']);

function check(name: string, value: string): void {
  const checked = checkHeaderValue(name, value);
  if (!checked.ok) throw formatError(`${checked.why}.`, name);
}

/** The parameters of the bank's own links to pages. */
const ownParameters = ['cursor', 'pageIndex', 'itemsPerPage'];

/** No parameter is a list: one that comes twice says two things. What the bank does not read may come as it likes. */
function checkQuery({ operation, query }: Incoming): void {
  const read = [...operation.query.map(({ name }) => name), ...ownParameters];
  const twice = read.find((name) => query.getAll(name).length > 1);
  if (twice !== undefined) throw formatError(`${twice} comes more than once.`, twice);
}

function checkProduct(params: PathParams): void {
  const service = params['payment-service'];
  const product = params['payment-product'];
  if (service === undefined || product === undefined) return;
  if (!offeredProducts.has(product)) {
    throw new Refusal(404, 'PRODUCT_UNKNOWN', `${service}/${product} is not offered by this bank.`);
  }
}

/**
 * Accept is defined for lists of transactions, which check it themselves, and for the status of a payment. A payment is
 * returned as it was sent; all else is JSON.
 */
function checkAccept(accept: string | null, { operation, params, variant: { framework } }: Incoming): void {
  if (accept === null || accept.trim() === '' || quality(accept, 'json') > 0) return;
  if (operation.id === 'getTransactionList') return;
  if (isXmlProduct(params['payment-product'] ?? '')) {
    if (operation.id === 'getPaymentInformation') return;
    if (operation.id === 'getPaymentInitiationStatus' && quality(accept, 'xml') > 0) return;
  }
  throw new Refusal(406, codesAt(framework, operation, 406)[0] ?? '', 'The bank answers JSON.');
}

/** Returns the body as JSON, except for a payment, which has forms of its own; throws 415 for another media type. */
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
  if (!right) throw new Refusal(415, '', `The bank accepts ${media} here.`);
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

/** Scopes of a login that allow an operation of each service. */
const scopesOf = { PIS: ['PIS'], AIS: ['AIS'], SBS: ['PIS', 'AIS'], PIIS: ['PIIS'] } as const;

/** The facts of a request that decide whether its token fits. */
interface Asking {
  headers: RequestHeaders;
  operation: Operation;
  scenario: Scenario;
  address: string;
}

/** The operations that begin something, before which there is no token of a PSU. */
const beginning: readonly string[] = ['initiatePayment', 'createConsent', 'createSigningBasket'];

/** The token that an operation wants by the description; undefined where that does not say it. */
function tokenModeOf({ auth }: BankSettings, { id }: Operation): AuthMode | undefined {
  const own = auth?.operations?.[id];
  if (own !== undefined || auth?.mode !== 'clientCredentials') return own;
  return beginning.includes(id) ? auth.mode : undefined;
}

/**
 * Checks the token of a call: one is required where every PSU logs in ahead, and a login allows certain services only.
 */
function tokenOfCall(
  { ledger: { main }, dialect }: RunningBank,
  { headers, operation, scenario, address }: Asking,
  who: Caller,
  now: Date,
): Token | undefined {
  const bearer = headers.get('authorization');
  // A confirmation of funds is requested without the PSU.
  const isForPsu = operation.parent !== 'funds';
  const mode = dialect && tokenModeOf(dialect.settings, operation);
  const needsLogin =
    isForPsu && (mode === undefined ? scenario.oauthPreStep === 'required' : mode === 'preStep');
  if (bearer === null) {
    if (needsLogin) throw loginMissing({ address });
    if (mode === 'clientCredentials')
      throw unauthorised('TOKEN_UNKNOWN', 'The token of the TPP itself is missing (client credentials).');
    return undefined;
  }
  const token = readToken(main, bearer, who, now);
  const isOfTpp = token.psuId === undefined && token.resourceId === undefined;
  if (mode === 'clientCredentials' && !isOfTpp)
    throw unauthorised('TOKEN_INVALID', 'The token is not that of the TPP itself.');
  if (needsLogin && isOfTpp) throw loginMissing({ address });
  const words = token.scope.split(' ');
  const isLogin = token.psuId !== undefined;
  if (isForPsu && isLogin && !scopesOf[operation.service].some((word) => words.includes(word)))
    throw unauthorised('TOKEN_INVALID', `The token is for ${token.scope} only.`);
  return token;
}

/** The token decides on the consent: its own, or one of its PSU; a Consent-ID in the request must match it. */
function withConsentOf(
  { ledger: { main }, dialect }: RunningBank,
  { headers, operation }: Asking,
  token: Token | undefined,
  now: Date,
): RequestHeaders {
  if (token === undefined || !operation.headers.includes('CIDm')) return headers;
  const place = dialect?.settings.auth?.consent ?? 'both';
  const sent = place === 'token' ? null : headers.get('consent-id');
  if (place === 'header' && sent === null) return headers;
  if (sent !== null) {
    checkConsent(main, token, findConsent(main, sent));
    return headers;
  }
  if (dialect?.settings.consent?.none === true) openConsent(main, token, now);
  const consent = consentOf(main, token);
  if (consent === undefined) return headers;
  return withHeader(headers, 'Consent-ID', consent.consentId);
}

/** At a bank without consents the token of a login opens the accounts of its PSU. */
function openConsent(database: Database, { psuId, tpp }: Token, now: Date): void {
  if (psuId === undefined || newestConsent(database, psuId, tpp) !== undefined) return;
  const consent: Consent = {
    ...{ consentId: nextId(database, 'consent'), tpp, psuId },
    ...{ access: { allPsd2: 'allAccounts' }, recurring: true, frequencyPerDay: Number.MAX_SAFE_INTEGER },
    ...{ validUntil: '9999-12-31', combined: false, status: 'received', lastActionDate: isoDay(now) },
    ...{ redirectUri: undefined, nokRedirectUri: undefined, redirectPreferred: undefined },
    ...{ decoupledPreferred: undefined, explicitPreferred: undefined },
  };
  database.atomically(() => {
    insertConsent(database, consent, undefined);
    const sca = startSca('REDIRECT', psuId, { framework: usualFramework, confirm: false });
    const begun = insertAuthorisation(database, consentParent(database, consent), sca, now);
    saveSca(database, begun, { ...sca, scaStatus: 'finalised' }, now);
  });
}

function consentOf(database: Database, { tpp, psuId, resourceId }: Token): Consent | undefined {
  if (psuId === undefined) return resourceId === undefined ? undefined : findConsent(database, resourceId);
  const newest = newestConsent(database, psuId, tpp);
  if (newest !== undefined) return newest;
  throw unauthorised('CONSENT_INVALID', 'The PSU of the token has no usable consent.');
}

function checkConsent(database: Database, token: Token, sent: Consent | undefined): void {
  const own = token.resourceId === undefined ? undefined : findConsent(database, token.resourceId);
  if (own !== undefined && own.consentId !== sent?.consentId)
    throw unauthorised('CONSENT_INVALID', 'Consent-ID is not the consent of the token.');
  if (token.psuId === undefined || sent === undefined) return;
  if (!hasSay(consentParent(database, sent), token.psuId))
    throw unauthorised('CONSENT_INVALID', 'Consent-ID is not a consent of the PSU of the token.');
}
