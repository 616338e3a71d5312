import type { IncomingMessage } from 'node:http';

/** The headers of a request, by names in any case; one that came several times is joined with commas (RFC 9110 5.3). */
export interface RequestHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
}

/** The headers as they came. Not as the global Headers, since Node loads its whole fetch for that. */
export function headersOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): RequestHeaders {
  const values = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    const earlier = values.get(name);
    values.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return {
    get: (name) => values.get(name.toLowerCase()) ?? null,
    has: (name) => values.has(name.toLowerCase()),
  };
}

/** The same headers with one that has another value, or is new. */
export function withHeader(headers: RequestHeaders, name: string, value: string): RequestHeaders {
  const changed = name.toLowerCase();
  return {
    get: (asked) => (asked.toLowerCase() === changed ? value : headers.get(asked)),
    has: (asked) => asked.toLowerCase() === changed || headers.has(asked),
  };
}
