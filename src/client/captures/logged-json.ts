/** An entry of HAR, as far as its request is read. */
export interface HarEntry {
  request: {
    method: string;
    url: string;
    headers: { name: string; value: string }[];
    postData?: { text?: unknown; encoding?: unknown };
    bodySize?: unknown;
  };
  startedDateTime?: unknown;
  response?: unknown;
}

/** JSON, or a list where a log has a value on each line; undefined for neither. */
export function jsonOrLines(text: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  for (const parts of [[text], lines]) {
    try {
      const [value, ...more] = parts.map((one) => JSON.parse(one) as unknown);
      return more.length === 0 ? value : [value, ...more];
    } catch {
      // The other way may read it.
    }
  }
  return undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** How gateways, proxies and servers call the parts of a request, by the beginning of what is more exact. */
const methods = ['method', 'httpMethod', 'http_method', 'requestMethod', 'request_method', 'verb'];
const addresses = [
  ...['url', 'originalUrl', 'uri', 'requestUri', 'request_uri', 'requestUrl', 'request_url'],
  ...['target', 'rawPath', 'path'],
];
const queries = [
  ...['rawQueryString', 'queryString', 'query_string', 'querystring', 'queryStringParameters'],
  ...['query', 'args'],
];
const headerLists = ['headers', 'requestHeaders', 'request_headers'];
const bodies = ['body', 'requestBody', 'request_body', 'rawBody', 'payload'];
const wrappers = ['request', 'req', 'http_request', 'httpRequest'];

/**
 * The entries of HAR for what a gateway has logged of a request in JSON: its method, its address and its headers, perhaps its body,
 * under any of the usual names and also within `request`. Empty for what has none of these three.
 */
export function loggedIn(value: unknown): HarEntry[] {
  const outer = membersOf(value);
  const inner = wrappers.map((name) => membersOf(outer[name])).find((one) => Object.keys(one).length > 0);
  // AWS has the method of its second version there.
  const http = membersOf(membersOf(outer['requestContext'])['http']);
  const all = { ...http, ...outer, ...inner };
  const method = textIn(all, methods);
  const address = textIn(all, addresses);
  const headers = headersOf(firstOf(all, headerLists)) ?? serverHeaders(all);
  if (method === undefined || address === undefined || headers === undefined) return [];
  const url = address.includes('?') ? address : address + queryOf(firstOf(all, queries));
  return [
    {
      request: { method: method.toUpperCase(), url, headers, ...bodyIn(all) },
      ...timeIn({ ...outer, ...inner }),
    },
  ];
}

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

function firstOf(all: Members, names: readonly string[]): unknown {
  return names.map((name) => all[name]).find((one) => one !== undefined && one !== null);
}

function textIn(all: Members, names: readonly string[]): string | undefined {
  const found = names.map((name) => all[name]).find((one) => typeof one === 'string' && one !== '');
  return typeof found === 'string' ? found : undefined;
}

/** Headers as an object of texts or lists, as a list of names with values, or as a list of pairs. */
function headersOf(value: unknown): { name: string; value: string }[] | undefined {
  const list = Array.isArray(value) ? value.map((one) => pairOf(one)) : Object.entries(membersOf(value));
  if (list.length === 0) return undefined;
  const found: { name: string; value: string }[] = [];
  for (const [name, texts] of list) {
    for (const text of Array.isArray(texts) ? (texts as unknown[]) : [texts]) {
      if (typeof name !== 'string' || !(typeof text === 'string' || typeof text === 'number'))
        return undefined;
      found.push({ name, value: String(text) });
    }
  }
  return found;
}

function pairOf(one: unknown): readonly [unknown, unknown] {
  if (Array.isArray(one)) return [one[0], one[1]];
  const { name, key, value } = membersOf(one);
  return [name ?? key, value];
}

/** The variables of a server: http_consent_id is the header Consent-ID. */
function serverHeaders(all: Members): { name: string; value: string }[] | undefined {
  const found = Object.entries(all).flatMap(([name, value]) => {
    const [, header] = /^http_(?!method$|request$)(\w+)$/i.exec(name) ?? [];
    if (header === undefined || typeof value !== 'string' || value === '' || value === '-') return [];
    return [{ name: header.replaceAll('_', '-'), value }];
  });
  return found.length === 0 ? undefined : found;
}

function queryOf(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '' : `?${value.replace(/^\?/, '')}`;
  const pairs = Object.entries(membersOf(value)).flatMap(([name, texts]) =>
    [texts].flat().map((text): [string, string] => [name, String(text)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

function bodyIn(all: Members): Pick<HarEntry['request'], 'postData' | 'bodySize'> {
  const body = firstOf(all, bodies);
  if (typeof body === 'string' && body !== '') {
    const isCoded = all['isBase64Encoded'] === true || all['body_encoding'] === 'base64';
    return { postData: { text: body, ...(isCoded && { encoding: 'base64' }) } };
  }
  // Its bytes are gone: neither digest nor the order of its members can be judged by what a program has written anew.
  return typeof body === 'object' ? { bodySize: 1 } : {};
}

function timeIn(all: Members): { startedDateTime?: string } {
  const at = textIn(all, ['startedDateTime', '@timestamp', 'timestamp', 'time', 'time_iso8601']) ?? '';
  return /^\d{4}-\d\d-\d\dT/.test(at) ? { startedDateTime: at } : {};
}
