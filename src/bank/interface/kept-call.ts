import type { IncomingMessage } from 'node:http';
import type { Database } from '../books/database.ts';
import { keptBytes, noteRequest, noteResponse } from '../rules/messages.ts';
import type { ReceivedRequest } from '../rules/messages.ts';
import { bytesOf } from './answer.ts';
import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';

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
