/** The headers of a request, by names in any case; one that came several times is joined with commas (RFC 9110 5.3). */
export interface RequestHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
}

/** The headers as they came. Not as the global Headers, since Node loads its whole fetch for that. */
export function headersOf({ rawHeaders }: { readonly rawHeaders: readonly string[] }): RequestHeaders {
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

/** Whether an Accept puts XML before JSON; without any preference the answer is JSON. */
export function prefersXml(accept: string): boolean {
  return quality(accept, 'xml') > quality(accept, 'json');
}

/** The names of each type. Before December 2019 the guidelines called plain text application/text. */
const names = {
  json: /^(application|text)\/(.+\+)?json$/,
  xml: /^(application|text)\/(.+\+)?xml$/,
  plain: /^(text\/plain|application\/text)$/,
};

/**
 * The weight of `application/<subtype>`, or of `text/plain`, in an Accept (RFC 9110 12.5.1): the most specific range
 * decides.
 */
export function quality(accept: string, subtype: 'json' | 'xml' | 'plain'): number {
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
    const q = params.find((param) => param.startsWith('q='))?.slice(2);
    return { type, q: q === undefined ? 1 : Number(q) };
  });
  const whole = subtype === 'plain' ? 'text/*' : 'application/*';
  const found =
    ranges.find(({ type }) => names[subtype].test(type)) ??
    ranges.find(({ type }) => type === whole) ??
    ranges.find(({ type }) => type === '*/*');
  return found?.q ?? 0;
}
