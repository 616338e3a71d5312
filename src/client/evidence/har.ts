import type { ExchangeView, NamedValue } from '../../settings/records/exchange.ts';
import type { Header } from '../../settings/records/wire.ts';
import { sha256Hex } from '../../signing/digest.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { maskedText } from '../redaction/masking.ts';
import { redactText } from '../redaction/redact.ts';
import { viewOfExchange } from '../exchange/exchange-view.ts';
import type { EndedExchange } from '../exchange/verdict.ts';

/** The program that writes the file. */
export interface HarCreator {
  name: string;
  version: string;
}

/** The facts of an ended call besides its view. */
interface Bytes {
  request: number;
  /** Absent where the answer streamed. */
  answer?: Uint8Array;
}

/** A HAR 1.2 document of ended exchanges, in their order, with all secrets cut out. */
export function harOf(exchanges: readonly EndedExchange[], creator: HarCreator): object {
  return harDocument(
    exchanges.map((exchange) => {
      const request = exchange.prepared.request.body.length;
      const { body = new Uint8Array(), rest } = exchange.answer ?? {};
      return entryOf(viewOfExchange(exchange), { request, ...(rest === undefined && { answer: body }) });
    }),
    creator,
  );
}

/** The same of exchanges as the journal has them: what it does not hold whole has the size -1. */
export function harOfViews(views: readonly ExchangeView[], creator: HarCreator): object {
  return harDocument(
    views.map((view) => entryOf(view)),
    creator,
  );
}

function harDocument(entries: readonly object[], creator: HarCreator): object {
  return { log: { version: '1.2', creator: { ...creator }, entries } };
}

function entryOf(view: ExchangeView, bytes?: Bytes): object {
  const { request, answer, failure, durationMs = 0 } = view;
  // The format demands a URL, and brackets are not for queries.
  const url = view.url.replaceAll('[secret]', '%5Bsecret%5D');
  const { signingString } = request;
  return {
    startedDateTime: view.at,
    time: durationMs,
    request: {
      method: view.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: request.headers,
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      ...(request.body === '' && (bytes?.request ?? 0) === 0
        ? {}
        : { postData: { mimeType: mimeType(request.headers), text: request.body } }),
      headersSize: -1,
      bodySize: bytes?.request ?? sizeOf(request),
    },
    response: responseOf(view, bytes?.answer),
    cache: {},
    // Only the whole is measured.
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: durationMs, receive: 0 },
    comment: [view.operation, view.outcome, ...(failure === undefined ? [] : [failure.why])].join(' · '),
    ...(signingString === null ? {} : { _signingString: signingString }),
    ...(answer?.tls === undefined ? {} : { _tls: answer.tls }),
  };
}

/** The size of a whole body; -1 (unknown) if something was cut out or masked. */
function sizeOf({ body, bodySha256 }: ExchangeView['request']): number {
  return body === '' ? 0 : sha256Hex(body) === bodySha256 ? Buffer.byteLength(body) : -1;
}

function responseOf({ operation, answer, failure }: ExchangeView, body?: Uint8Array): object {
  // The view knows best which parts of a grant to cut.
  const bytes = /^oauth(Token|Revocation)$/.test(operation) ? undefined : body;
  const headers = answer?.headers ?? failure?.headers ?? [];
  const arrived = failure?.status === undefined ? '' : ` (status ${String(failure.status)} arrived)`;
  const text = answer?.body ?? '';
  const size = bytes?.length ?? Buffer.byteLength(text);
  return {
    status: answer?.status ?? 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers,
    content: { size, mimeType: mimeType(headers), ...(bytes === undefined ? { text } : contentText(bytes)) },
    redirectURL: headerOf(pairs(headers), 'location') ?? '',
    headersSize: -1,
    bodySize: answer === undefined || (bytes === undefined && text.endsWith('…')) ? -1 : size,
    ...(failure === undefined ? {} : { comment: failure.why + arrived }),
  };
}

function contentText(body: Uint8Array): { text: string; encoding?: 'base64' } {
  const bytes = Buffer.from(body);
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return { text: maskedText(redactText(text)) };
  // Cut before and after the encoding: known members stand in the text, values in either.
  const cut = Buffer.from(maskedText(redactText(bytes.toString('latin1'))), 'latin1');
  return { text: redactText(cut.toString('base64')), encoding: 'base64' };
}

function pairs(headers: readonly NamedValue[]): Header[] {
  return headers.map(({ name, value }): Header => [name, value]);
}

function mimeType(headers: readonly NamedValue[]): string {
  return headerOf(pairs(headers), 'content-type') ?? 'x-unknown';
}
