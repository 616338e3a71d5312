import type { BankRequest } from '../rules/arrivals.ts';
import type { HeaderLine, KeptCall, KeptMessage } from '../rules/messages.ts';

/** The calls as an HTTP Archive (HAR 1.2); where nothing was answered the status is 0, as browsers write it. */
export function harOf(calls: readonly { call: BankRequest; kept: KeptCall }[]): { log: object } {
  return {
    log: {
      version: '1.2',
      creator: { name: 'obk sandbox', version: '1' },
      entries: calls.map(({ call, kept }) => entryOf(call, kept)),
    },
  };
}

function entryOf(call: BankRequest, { query, request, response, ms = 0 }: KeptCall): object {
  const host = valueOf(request.headers, 'host') ?? '127.0.0.1';
  const url = `http://${host}${call.path}${query === '' ? '' : `?${query}`}`;
  return {
    startedDateTime: call.at,
    time: ms,
    request: {
      method: call.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: request.headers.map(pair),
      queryString: [...new URLSearchParams(query)].map(pair),
      headersSize: -1,
      bodySize: request.bytes,
      ...(request.bytes > 0 && { postData: postData(request) }),
    },
    response: {
      status: response === undefined ? 0 : (call.status ?? 0),
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: (response?.headers ?? []).map(pair),
      content: content(response),
      redirectURL: valueOf(response?.headers ?? [], 'location') ?? '',
      headersSize: -1,
      bodySize: response?.bytes ?? 0,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    ...(call.rule !== null && { comment: call.rule }),
  };
}

const pair = ([name, value]: HeaderLine) => ({ name, value });

const valueOf = (headers: readonly HeaderLine[], wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

function postData({ headers, body }: KeptMessage): object {
  const { text, encoding } = textOf(body);
  return {
    mimeType: valueOf(headers, 'content-type') ?? '',
    text,
    ...(encoding === 'base64' && { comment: 'base64' }),
  };
}

function content(response: KeptMessage | undefined): object {
  if (response === undefined) return { size: 0, mimeType: '' };
  const { text, encoding } = textOf(response.body);
  return {
    size: response.bytes,
    mimeType: valueOf(response.headers, 'content-type') ?? '',
    text,
    ...(encoding === 'base64' && { encoding }),
  };
}

/** The bytes as a text: in base64 where they are no UTF-8; a character that is cut at the end is left out. */
export function textOf(bytes: Uint8Array): { text: string; encoding: 'utf-8' | 'base64' } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return { text, encoding: 'utf-8' };
  } catch {
    return { text: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
  }
}
