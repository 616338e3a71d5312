import { checkHeaderValue, declaredHeaders } from '../xs2a/headers.ts';
import { readJson } from '../xs2a/json.ts';
import { mediaKind } from '../xs2a/media.ts';
import type { Operation } from '../xs2a/operations.ts';
import type { PathParams } from '../xs2a/request.ts';
import type { Variant } from '../xs2a/variants.ts';
import { takeSlot } from './arrivals.ts';
import type { Call, RunningBank } from './call.ts';
import { formatError, Refusal, unauthorised } from './refusal.ts';
import { offeredProducts } from './routes.ts';
import { verifyRequest } from './verify.ts';

/** A request as it came to an operation. */
export interface Incoming {
  operation: Operation;
  variant: Variant;
  params: PathParams;
  headers: Headers;
  body: Uint8Array;
  origin: string;
  arrivalId: bigint;
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
  const { operation, variant, headers, body } = incoming;
  const now = bank.clock.now();
  const requestId = headers.get('x-request-id');
  if (requestId === null) throw formatError('X-Request-ID is missing.', 'X-Request-ID');
  check('X-Request-ID', requestId);
  const certificate = verifyRequest(headers, body, bank.certificates, now);
  if (!certificate.roles.has(operation.role)) {
    throw unauthorised('ROLE_INVALID', `The certificate lacks the role ${operation.role}.`);
  }
  const wait = takeSlot(bank.ledger.log, incoming.arrivalId, certificate.tpp, operation.id, now);
  if (wait !== undefined) throw new TooManyCalls(wait);
  checkProduct(incoming.params);
  checkAccept(headers.get('accept'), operation);
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
    body,
    json: readBody(operation, headers.get('content-type'), body),
    tpp: certificate.tpp,
    requestId,
    origin: incoming.origin,
    now,
  };
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
  if (offeredProducts[service]?.includes(product) !== true) {
    throw new Refusal(404, 'PRODUCT_UNKNOWN', `${service}/${product} is not offered by this bank.`);
  }
}

/** The bank answers JSON alone. */
function checkAccept(accept: string | null, operation: Operation): void {
  if (accept === null || accept.trim() === '') return;
  const takesJson = accept.split(',').some((range) => {
    const [type = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
    const refused = params.some((param) => /^q=0(\.0*)?$/.test(param));
    return !refused && /^(\*\/\*|application\/(\*|json|(.+\+)?json))$/.test(type);
  });
  if (takesJson) return;
  throw new Refusal(
    406,
    operation.service === 'AIS' ? 'REQUESTED_FORMATS_INVALID' : '',
    'The bank answers JSON.',
  );
}

function readBody(operation: Operation, contentType: string | null, body: Uint8Array): unknown {
  if (operation.body === 'none' || body.length === 0) {
    if (body.length === 0 && operation.body !== 'none' && operation.body !== 'authorisation') {
      throw formatError('The request has no body.');
    }
    return undefined;
  }
  if (mediaKind(contentType ?? undefined) !== 'json') throw new Refusal(415, '', 'The bank takes JSON here.');
  try {
    return readJson(body, { code: 'INPUT_INVALID' });
  } catch {
    throw formatError('The body is not JSON.');
  }
}
