import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { checkHeaderValue } from '../../standard/xs2a/headers.ts';
import type { Reply } from '../trust/call.ts';

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
