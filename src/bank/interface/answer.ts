import { randomUUID } from 'node:crypto';
import type { ServerResponse, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { checkHeaderValue } from '../../standard/xs2a/headers.ts';
import type { Reply } from '../trust/call.ts';
import type { ProblemBody, TppErrorBody } from '../../standard/xs2a/wire.ts';
import { clipped } from '../rules/refusal.ts';
import type { Scenario } from '../rules/scenario.ts';
import type { Database } from '../books/database.ts';
import { keptBytes, noteRequest, noteResponse } from '../rules/messages.ts';
import type { ReceivedRequest } from '../rules/messages.ts';
import type { Exchange } from './exchange.ts';

/** The answer for the connection: its content whole, or streamed while it is generated. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  content?: string | Uint8Array | { chunks: Iterable<Uint8Array> };
}

/** Completes a reply with the headers that every answer of the interface has. */
export function answerOf({ status, headers, body, content }: Reply, requestId: string | null): Answer {
  const isOne = requestId !== null && checkHeaderValue('X-Request-ID', requestId).ok;
  const always = {
    ...headers,
    // The bank's own X-Request-ID if that of the request is not valid.
    'X-Request-ID': isOne ? requestId : randomUUID(),
    'Cache-Control': 'no-store',
  };
  if (content !== undefined) {
    const whole = 'bytes' in content ? content.bytes : content;
    return { status, headers: { ...always, 'Content-Type': content.type }, content: whole };
  }
  if (body === undefined) return { status, headers: always };
  return {
    status,
    headers: { ...always, 'Content-Type': 'application/json' },
    content: JSON.stringify(body),
  };
}

/** Sends an answer; streamed content is generated as fast as the client reads it. */
export function send(outgoing: ServerResponse, { status, headers, content }: Answer): void {
  outgoing.statusCode = status;
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  if (typeof content !== 'object' || !('chunks' in content)) {
    outgoing.end(content);
    return;
  }
  const made = Readable.from(content.chunks);
  made.on('error', () => outgoing.destroy());
  outgoing.on('close', () => made.destroy());
  made.pipe(outgoing);
}

/** Returns all bytes of the content. */
export function bytesOf({ content = '' }: Answer): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return 'chunks' in content ? Buffer.concat([...content.chunks]) : Buffer.from(content);
}

const errorTypes = 'https://berlingroup.com/error-codes/';

/** An error as a problem of RFC 7807 (guidelines 4.13), where the scenario says so; any other answer stays as it is. */
export function withErrorForm(reply: Reply, { errors }: Pick<Scenario, 'errors'>): Reply {
  const { body, ...others } = reply;
  if (errors === 'tpp-messages' || reply.status < 400 || body === undefined) return reply;
  const { tppMessages, _links } = body as TppErrorBody;
  const [message] = tppMessages;
  if (message === undefined) return reply;
  const { code, path, text = '' } = message;
  const problem: ProblemBody = {
    type: errorTypes + code,
    title: titleOf(code),
    // A problem has no member for the path; the guidelines put it here.
    detail: clipped(path === undefined ? text : `${path}: ${text}`),
    code,
    ...(_links && { _links }),
  };
  const bytes = Buffer.from(JSON.stringify(problem));
  return { ...others, content: { type: 'application/problem+json', bytes } };
}

/** `FORMAT_ERROR` is `Format error`. */
function titleOf(code: string): string {
  return code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ');
}

/** The request as the log of calls keeps it. */
export function received({ incoming, url }: Exchange, body: Uint8Array): ReceivedRequest {
  return { query: url.search.slice(1), headers: linesOf(incoming), body };
}

/** The lines of the head of a request, in their order. */
export function linesOf({ rawHeaders }: IncomingMessage): [name: string, value: string][] {
  const lines: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    lines.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return lines;
}

/** A call in the log, which waits for its answer. */
interface NotedCall {
  log: Database;
  number: number;
  request: ReceivedRequest;
  /** Milliseconds, as `performance.now()` gives them. */
  began: number;
}

/** Keeps a call with its answer: at once, or when all of that has been made. */
export function kept({ log, number, request, began }: NotedCall, answer: Answer): Answer {
  const ms = performance.now() - began;
  const headers = Object.entries(answer.headers);
  const { content } = answer;
  if (typeof content !== 'object' || !('chunks' in content)) {
    const body = bytesOf(answer);
    noteRequest(log, number, request, { headers, body, bytes: body.length, ms });
    return answer;
  }
  noteRequest(log, number, request);
  const note = (body: Uint8Array, bytes: number) => {
    noteResponse(log, number, { headers, body, bytes, ms });
  };
  return { ...answer, content: { chunks: watched(content.chunks, note) } };
}

function* watched(
  chunks: Iterable<Uint8Array>,
  done: (first: Uint8Array, bytes: number) => void,
): Generator<Uint8Array> {
  const first: Uint8Array[] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    if (bytes < keptBytes) first.push(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  done(Buffer.concat(first), bytes);
}
