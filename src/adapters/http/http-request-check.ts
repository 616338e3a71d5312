import { TransportFailure } from '../../base/errors.ts';
import type { HttpRequest } from '../../client/ports/http.ts';
import { Secret } from '../../base/secret.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';

/** A request whose every byte was looked at before a connection is made. */
export interface CheckedRequest {
  method: HttpRequest['method'];
  origin: URL;
  /** Path and query verbatim as the URL has them. */
  path: string;
  /** Name, value, name, value. */
  headers: string[];
  body: Uint8Array;
}

/** The largest that any header may be: a certificate. Smaller caps of other headers are known further up. */
const maxValue = 8192;
const maxHeaders = 16_384;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const value = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/;
/** The name of a PSU or of a company, with a character for each byte of its UTF-8. */
const naming = /^psu-(corporate-)?id$/i;
const bytes = /^(?:[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/;
const parts = /^(https?:\/\/[^/?#\\@\s]+)([/?][\x21-\x7e]*)?$/;
const dotSegment = /(?:^|[/\\])(?:\.|%2e){1,2}(?=[/\\?]|$)/i;
/** Headers that belong to the connection itself; a caller that sets one could smuggle a second message. */
const notOurs = /^(?:connection|keep-alive|transfer-encoding|upgrade|expect|te|trailer|proxy-.*)$/i;

/** Refuses what would arrive as something else than was meant: other paths, header injection, credentials over http. */
export function checkRequest(request: HttpRequest, plain = false): CheckedRequest {
  const [, start, rest = '/'] =
    parts.exec(request.url) ?? refuse('the URL is not an absolute http or https URL');
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  const [way = ''] = path.split('?');
  if (dotSegment.test(way) || way.includes('\\') || path.includes('#'))
    refuse('the path has dot segments or a backslash');
  const origin = parseUrl(start ?? '') ?? refuse('the host of the URL is not valid');
  if (origin.protocol === 'http:' && !plain && !isLoopback(origin.hostname)) {
    refuse(`${origin.host} would be reached without TLS; only a loopback address may be`);
  }
  return { method: request.method, origin, path, headers: checkHeaders(request), body: request.body };
}

function checkHeaders(request: HttpRequest): string[] {
  const headers: string[] = [];
  let size = 0;
  for (const [name, given] of request.headers) {
    const text = given instanceof Secret ? given.reveal() : given;
    if (!token.test(name) || notOurs.test(name)) refuse(`a header must not be named ${JSON.stringify(name)}`);
    if (!(naming.test(name) ? bytes : value).test(text)) {
      refuse(`the value of ${name} must be printable ASCII without a blank at its start or end`);
    }
    if (text.length > maxValue) refuse(`the value of ${name} is longer than ${maxValue} characters`);
    size += name.length + text.length + 4;
    headers.push(name, text);
  }
  if (size > maxHeaders) refuse(`the headers are longer than ${maxHeaders} bytes`);
  const lengths = request.headers.filter(([name]) => name.toLowerCase() === 'content-length');
  if (lengths.some(([, length]) => length !== String(request.body.length))) {
    refuse('Content-Length is not the length of the body');
  }
  return headers;
}

function refuse(message: string): never {
  throw new TransportFailure({ sent: false, reason: 'invalid', message });
}
