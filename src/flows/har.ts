import type { Header } from '../ports.ts';
import { headerOf } from '../xs2a/answer.ts';
import type { CallTrace } from './call.ts';
import { redactHeaders, redactText, redactUrl } from './redact.ts';
import { failureText, shownHeaders, shownSigningString } from './trace.ts';

/** The program that writes the file. */
export interface HarCreator {
  name: string;
  version: string;
}

/** A HAR 1.2 document of ended exchanges, in their order, with all secrets cut out. */
export function harOf(traces: readonly CallTrace[], creator: HarCreator): object {
  return { log: { version: '1.2', creator: { ...creator }, entries: traces.map(entryOf) } };
}

function entryOf(trace: CallTrace): object {
  const { prepared, startedAt, durationMs, answer, failure, verdict } = trace;
  const { request, shownBody } = prepared;
  // The format demands a URL, and brackets are not for queries.
  const url = redactUrl(request.url, () => '%5Bsecret%5D');
  const headers = shownHeaders(prepared);
  const signingString = shownSigningString(prepared);
  return {
    startedDateTime: startedAt.toISOString(),
    time: durationMs,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: namedValues(headers),
      queryString: namedValues([...new URL(url).searchParams]),
      ...(request.body.length === 0
        ? {}
        : { postData: { mimeType: mimeType(headers), text: redactText(shownBody) } }),
      headersSize: -1,
      bodySize: request.body.length,
    },
    response: responseOf(trace),
    cache: {},
    // Only the whole is measured.
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: durationMs, receive: 0 },
    comment: [
      prepared.operation.id,
      verdict.outcome,
      ...(failure === undefined ? [] : [failureText(failure)]),
    ].join(' · '),
    ...(signingString === undefined ? {} : { _signingString: signingString }),
    ...(answer?.tls === undefined ? {} : { _tls: answer.tls }),
  };
}

function responseOf({ answer, failure }: CallTrace): object {
  const headers = redactHeaders(answer?.headers ?? failure?.partial?.headers ?? []);
  const body = answer?.body ?? new Uint8Array();
  const arrived = failure?.partial === undefined ? '' : ` (status ${failure.partial.status} arrived)`;
  return {
    status: answer?.status ?? 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: namedValues(headers),
    content: { size: body.length, mimeType: mimeType(headers), ...contentText(body) },
    redirectURL: headerOf(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: answer === undefined ? -1 : body.length,
    ...(failure === undefined ? {} : { comment: failureText(failure) + arrived }),
  };
}

function contentText(body: Uint8Array): { text: string; encoding?: 'base64' } {
  const bytes = Buffer.from(body);
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return { text: redactText(text) };
  // Cut before and after the encoding: known members stand in the text, values in either.
  const cut = Buffer.from(redactText(bytes.toString('latin1')), 'latin1');
  return { text: redactText(cut.toString('base64')), encoding: 'base64' };
}

function namedValues(pairs: readonly Header[]): { name: string; value: string }[] {
  return pairs.map(([name, value]) => ({ name, value }));
}

function mimeType(headers: readonly Header[]): string {
  return headerOf(headers, 'content-type') ?? 'x-unknown';
}
