import type { RequestHeaders } from '../../referee/request-headers.ts';
import { headersOf } from '../../referee/request-headers.ts';
import type { JudgedRequest } from '../../referee/request.ts';
import { readJson, writeJson } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import type { Dialect } from './dialect.ts';
import { hasOwnWords, paymentWords, referenceForms } from './payment-words.ts';

/** A header by its standard name and value: signature and token may be carried by others. Nothing is what this bank does not read. */
function standardHeader(
  { settings }: Dialect,
  name: string,
  value: string,
): readonly [string, string] | readonly [] {
  const carrier = settings.signing?.carrier ?? 'Signature';
  const signature = /^Signature +(.*)$/is.exec(value)?.[1];
  const isAuthorization = name.toLowerCase() === 'authorization';
  if (carrier === 'Authorization' && isAuthorization && signature !== undefined)
    return ['Signature', signature];
  const tokenHeader = settings.auth?.tokenHeader?.toLowerCase();
  if (tokenHeader !== undefined && name.toLowerCase() === tokenHeader) return ['Authorization', value];
  if (tokenHeader !== undefined && isAuthorization) return [];
  return [name, value];
}

/** The headers of a request in the names of the standard. */
export function standardHeaders(
  dialect: Dialect,
  raw: readonly string[],
  line: { method?: string | undefined; url?: string | undefined } = {},
): RequestHeaders {
  const pairs = raw.flatMap((name, at) =>
    at % 2 === 0 ? standardHeader(dialect, name, raw[at + 1] ?? '') : [],
  );
  return headersOf({ rawHeaders: [...pairs, ...requestTarget(dialect, line)] });
}

/** What is signed of the first line of a request stands beside the headers (draft-cavage 2.3). */
function requestTarget(
  { signature, settings }: Dialect,
  { method = '', url = '' }: { method?: string | undefined; url?: string | undefined },
): [] | [string, string] {
  if (signature.names?.includes('(request-target)') !== true) return [];
  const target = settings.signing?.targetEncoding === 'raw' ? resolved(url) : url;
  return ['(request-target)', `${method.toLowerCase()} ${target}`];
}

/** A path with its escapes resolved; as it came where they are none. */
function resolved(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

const keepsEmpty = ({ settings }: Dialect, name: string): boolean =>
  (settings.headers?.rules ?? []).some(
    (rule) => rule.action === 'keepEmpty' && rule.name.toLowerCase() === name.toLowerCase(),
  );

/** The headers without those that this bank wants empty where there is nothing to say: a standard bank has no such headers. */
export function withoutEmpty(dialect: Dialect, headers: RequestHeaders): RequestHeaders {
  const isEmpty = (name: string) => headers.get(name) === '' && keepsEmpty(dialect, name);
  return {
    get: (name) => (isEmpty(name) ? null : headers.get(name)),
    has: (name) => headers.has(name) && !isEmpty(name),
  };
}

/** The same for a request as the referee gets it, with the body of a payment in the words of the standard. */
export function standardRequest(dialect: Dialect, request: JudgedRequest, isPayment: boolean): JudgedRequest {
  const headers = request.headers
    .flatMap(([name, value]) => {
      const [own, told] = standardHeader(dialect, name, value);
      return own === undefined || told === undefined ? [] : [[own, told] as [string, string]];
    })
    .filter(([name, value]) => value !== '' || !keepsEmpty(dialect, name));
  const [name, value] = requestTarget(dialect, { method: request.method, url: request.target });
  if (name !== undefined && value !== undefined) headers.push([name, value]);
  const body = request.body && isPayment ? standardBody(dialect, request.body) : request.body;
  return { ...request, headers, body };
}

/** The body of a payment with the members and values of the standard; what is no JSON stays as it is. */
export function standardBody(dialect: Dialect, body: Uint8Array): Uint8Array {
  if (!hasOwnWords(dialect)) return body;
  const json = jsonIn(body);
  return json === undefined ? body : Buffer.from(writeJson(paymentWords(dialect, json, 'to-standard')));
}

/** The same with its references in the form of the standard, once it was judged in that of the bank. */
export function standardReferences(dialect: Dialect, body: Uint8Array): Uint8Array {
  if (dialect.settings.payments?.remittanceStructured !== 'string') return body;
  const json = jsonIn(body);
  return json === undefined ? body : Buffer.from(writeJson(referenceForms(dialect, json, 'to-standard')));
}

/** The JSON of a body; undefined for another one. */
export function jsonIn(body: Uint8Array): JsonValue | undefined {
  try {
    return readJson(body, { maxBytes: body.length });
  } catch {
    return undefined;
  }
}
