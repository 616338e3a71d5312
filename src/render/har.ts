import type { ShownRequest } from './curl.ts';

/** One exchange for a HAR file; all text in it is redacted. */
export interface HarEntry {
  startedAt: string;
  durationMs: number;
  request: ShownRequest;
  answer?: { status: number; headers: readonly (readonly [string, string])[]; body: string };
  /** Why there is no answer. */
  failure?: string;
}

/** A HAR 1.2 document. Source: http://www.softwareishard.com/blog/har-12-spec/ */
export function harDocument(entries: readonly HarEntry[], version: string): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'obk', version },
      entries: entries.map(harEntry),
    },
  };
}

const pairs = (list: readonly (readonly [string, string])[]) =>
  list.map(([name, value]) => ({ name, value }));
const size = (text: string) => Buffer.byteLength(text);
const typeOf = (headers: readonly (readonly [string, string])[]) =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';

function harEntry({ startedAt, durationMs, request, answer, failure }: HarEntry): object {
  const query = URL.canParse(request.url) ? [...new URL(request.url).searchParams] : [];
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: pairs(query),
      ...(request.body === '' ? {} : { postData: { mimeType: typeOf(request.headers), text: request.body } }),
      headersSize: -1,
      bodySize: size(request.body),
    },
    response: {
      status: answer?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(answer?.headers ?? []),
      content: {
        size: size(answer?.body ?? ''),
        mimeType: typeOf(answer?.headers ?? []),
        text: answer?.body ?? '',
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: size(answer?.body ?? ''),
      ...(failure === undefined ? {} : { comment: failure }),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...(failure === undefined ? {} : { comment: failure }),
  };
}
