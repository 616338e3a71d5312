import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { BankFault } from '../ports.ts';
import type { Reply } from './call.ts';

const html = '<!doctype html><html lang="en"><title>Bad gateway</title><h1>502 Bad Gateway</h1></html>\n';
/** Clears the screen, writes the clipboard, and turns the direction of writing. */
const escapeSequence = '\u001b[2J\u001b]52;c;b2Jr\u0007\u202eyenom';

/** Whether a fault strikes before the operation does anything. */
export function strikesFirst(fault: BankFault): boolean {
  return (
    fault.kind === 'drop-before' ||
    fault.kind === 'redirect' ||
    (fault.kind === 'status' && (fault.status ?? 500) < 500)
  );
}

/** What a fault that strikes first answers. */
export function strikeBefore(fault: BankFault, url: string, sockets: HttpBindings): Response {
  if (fault.kind === 'drop-before') return drop(sockets);
  if (fault.kind === 'redirect') return new Response(null, { status: 307, headers: { Location: url } });
  return bare(fault.status ?? 500);
}

function bare(status: number): Response {
  const retry = status === 429 || status === 503 ? { 'Retry-After': '1' } : undefined;
  return new Response(null, { status, ...(retry && { headers: retry }) });
}

function drop({ incoming }: HttpBindings): Response {
  incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** What becomes of an answer whose operation is committed. */
export async function strikeAfter(
  fault: BankFault,
  reply: Reply,
  whole: Response,
  sockets: HttpBindings,
): Promise<Response> {
  switch (fault.kind) {
    case 'drop-after-commit':
      return drop(sockets);
    case 'status':
      return bare(fault.status ?? 500);
    case 'delay':
      await pause(fault.delayMs ?? 2000, sockets.outgoing);
      return whole;
    case 'html':
      return new Response(html, {
        status: fault.status ?? 502,
        headers: { ...reply.headers, 'Content-Type': 'text/html; charset=utf-8' },
      });
    case 'truncate':
      return truncate(whole, sockets);
    case 'drip':
      return drip(whole, sockets, fault.delayMs ?? 1000);
    case 'escape':
      return new Response(JSON.stringify(withEscape(bodyOf(reply))), whole);
    case 'drop-before':
    case 'redirect':
      return whole;
  }
}

/** The JSON of an answer; that of a payment comes as bytes. */
function bodyOf({ body, content }: Reply): object {
  if (content?.type !== 'application/json' || !('bytes' in content)) return body ?? {};
  return JSON.parse(Buffer.from(content.bytes).toString('utf8')) as object;
}

function withEscape(body: object): object {
  const { tppMessages } = body as { tppMessages?: readonly { text?: string }[] };
  if (tppMessages === undefined) return { ...body, psuMessage: escapeSequence };
  return { ...body, tppMessages: tppMessages.map((message) => ({ ...message, text: escapeSequence })) };
}

function pause(ms: number, outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    outgoing.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Sends the right Content-Length and half of the body, then cuts the connection. */
async function truncate(whole: Response, { outgoing }: HttpBindings): Promise<Response> {
  const bytes = Buffer.from(await whole.arrayBuffer());
  outgoing.writeHead(whole.status, { ...Object.fromEntries(whole.headers), 'content-length': bytes.length });
  outgoing.write(bytes.subarray(0, bytes.length >> 1), () => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}

/** Sends one byte at a time. */
async function drip(whole: Response, { outgoing }: HttpBindings, everyMs: number): Promise<Response> {
  const bytes = Buffer.from(await whole.arrayBuffer());
  outgoing.writeHead(whole.status, { ...Object.fromEntries(whole.headers), 'content-length': bytes.length });
  let at = 0;
  const timer = setInterval(() => {
    outgoing.write(bytes.subarray(at, at + 1));
    if (++at < bytes.length) return;
    clearInterval(timer);
    outgoing.end();
  }, everyMs);
  outgoing.once('close', () => {
    clearInterval(timer);
  });
  return RESPONSE_ALREADY_SENT;
}
