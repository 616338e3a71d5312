import type { HttpRequest } from '../../client/ports/http.ts';

/** The values of `--break` besides `header:NAME`: each makes a request wrong in one way. */
export const breakages = ['digest', 'signature', 'no-signature', 'no-request-id', 'expired-cert'] as const;

/** One of them, or the name of a header that is left out. */
export type Breakage = (typeof breakages)[number] | { without: string };

type Headers = HttpRequest['headers'];

/** The signed request made wrong on purpose, after it was signed; the rest of it stays as it was. */
export function breakRequest(request: HttpRequest, ways: readonly Breakage[]): HttpRequest {
  return { ...request, headers: ways.reduce((headers, way) => broken(headers, way), request.headers) };
}

function broken(headers: Headers, way: Breakage): Headers {
  if (typeof way === 'object') return without(headers, way.without);
  if (way === 'no-signature') return without(headers, 'signature');
  // The signature is right, and with the wrong certificate.
  if (way === 'expired-cert') return headers;
  if (way === 'no-request-id') return without(headers, 'x-request-id');
  return headers.map(([name, value]) => {
    if (typeof value !== 'string' || name.toLowerCase() !== way) return [name, value];
    return [name, way === 'digest' ? otherBase64(value, '=') : otherBase64(value, 'signature="')];
  });
}

/** Another value of the same length and alphabet, so that nothing but its meaning is wrong. */
function otherBase64(text: string, before: string): string {
  const at = text.indexOf(before) + before.length;
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}

function without(headers: Headers, name: string): Headers {
  return headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
}
