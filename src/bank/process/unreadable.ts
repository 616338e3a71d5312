import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { arrive, noVerdict } from '../rules/arrivals.ts';
import type { RunningBank } from '../trust/call.ts';

/** What the parser of HTTP says of a request that it rejects. */
export interface ParserError extends Error {
  code?: string;
  /** The bytes that it could not read. */
  rawPacket?: Buffer;
}

/** Statuses of what is refused for its length or its slowness, which no bytes are read for. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers a request that is no HTTP as the interface answers what is malformed, and notes it among the arrivals. */
export function refuseUnreadable(bank: RunningBank, error: ParserError, socket: Duplex): void {
  const { code = '' } = error;
  // Who hangs up in the middle hears nothing any more.
  if (['ECONNRESET', 'HPE_INVALID_EOF_STATE'].includes(code) || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[code] ?? 400;
  if (status !== 400) {
    end(socket, `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\n\r\n`);
    return;
  }
  const about = headIn(error);
  const text = `The request cannot be read as HTTP: ${error.message}.`;
  note(bank, about);
  const body = JSON.stringify({ tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', text }] });
  const headers = [
    `HTTP/1.1 400 ${STATUS_CODES[400] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    `X-Request-ID: ${about.requestId ?? randomUUID()}`,
    'Connection: close',
  ];
  end(socket, `${headers.join('\r\n')}\r\n\r\n${body}`);
}

/** What can be told of a request by its first bytes. */
interface Head {
  method: string;
  path: string;
  requestId: string | null;
}

function headIn({ rawPacket = Buffer.alloc(0) }: ParserError): Head {
  const head = rawPacket.toString('latin1');
  const [, method = '', target = ''] = /^([A-Z]+) (\S+) HTTP\//.exec(head) ?? [];
  const given = /^x-request-id:[ \t]*([!-~]{1,128})[ \t]*\r?$/im.exec(head)?.[1] ?? null;
  return { method, path: target.replace(/\?.*$/s, ''), requestId: given };
}

/** Writes the last words, and closes the connection whether or not the other side does. */
const end = (socket: Duplex, text: string): void => {
  socket.end(text, () => {
    socket.destroy();
  });
};

/** Notes the request; a ledger that cannot be written must not keep the answer back. */
function note({ ledger: { log }, wallClock }: RunningBank, about: Head): void {
  const verdict = { ...noVerdict, verdict: 'refused', code: 'FORMAT_ERROR' } as const;
  try {
    arrive(log, { ...about, operation: '', status: 400, tpp: null, ...verdict }, wallClock.now());
  } catch {
    // The answer says what is wrong with the request.
  }
}
