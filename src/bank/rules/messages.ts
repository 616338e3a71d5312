import { cutByName } from '../../base/redaction/cut-by-name.ts';
import type { Database } from '../books/database.ts';

/** A header as it came or went. */
export type HeaderLine = readonly [name: string, value: string];

/** A request as it reached the bank. */
export interface ReceivedRequest {
  /** Without the question mark. */
  query: string;
  headers: readonly HeaderLine[];
  body: Uint8Array;
}

/** One side of a call as it is kept: the first bytes of its body, and how many there were. */
export interface KeptMessage {
  headers: readonly HeaderLine[];
  body: Uint8Array;
  bytes: number;
}

/** A call as it is kept; the answer is not there where none was sent. */
export interface KeptCall {
  query: string;
  request: KeptMessage;
  response: KeptMessage | undefined;
  ms: number | undefined;
}

/** So much of each body is kept. */
export const keptBytes = 32 * 1024;

/** The answer to a call, and how long the bank took for it. */
export interface NotedAnswer extends KeptMessage {
  ms: number;
}

/** Keeps what came, and what was answered where that is known already; call it inside a transaction. */
export function noteRequest(
  log: Database,
  number: number,
  { query, headers, body }: ReceivedRequest,
  answer?: NotedAnswer,
): void {
  log.run(
    `INSERT OR REPLACE INTO messages (arrivalId, query, requestHeaders, requestBody, requestBytes,
      responseHeaders, responseBody, responseBytes, ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    number,
    query,
    JSON.stringify(headers.map(withoutSecret)),
    withoutSecrets(body).subarray(0, keptBytes),
    body.length,
    answer === undefined ? null : JSON.stringify(answer.headers),
    answer === undefined ? null : answer.body.subarray(0, keptBytes),
    answer === undefined ? null : answer.bytes,
    answer === undefined ? null : Math.round(answer.ms),
  );
}

/** Keeps what was answered, and how long the bank took. */
export function noteResponse(log: Database, number: number, { headers, body, bytes, ms }: NotedAnswer): void {
  log.run(
    'UPDATE messages SET responseHeaders = ?, responseBody = ?, responseBytes = ?, ms = ? WHERE arrivalId = ?',
    JSON.stringify(headers),
    body.subarray(0, keptBytes),
    bytes,
    Math.round(ms),
    number,
  );
}

interface MessageRow {
  query: string;
  requestHeaders: string;
  requestBody: Uint8Array;
  requestBytes: bigint;
  responseHeaders: string | null;
  responseBody: Uint8Array | null;
  responseBytes: bigint | null;
  ms: bigint | null;
}

/** What is kept of the call with this number. */
export function keptCall(log: Database, number: number): KeptCall | undefined {
  const row = log.one<MessageRow>(
    `SELECT query, requestHeaders, requestBody, requestBytes, responseHeaders, responseBody, responseBytes, ms
     FROM messages WHERE arrivalId = ?`,
    number,
  );
  if (row === undefined) return undefined;
  const { query, ms } = row;
  const request = sideOf(row.requestHeaders, row.requestBody, row.requestBytes);
  const response =
    row.responseHeaders === null
      ? undefined
      : sideOf(row.responseHeaders, row.responseBody ?? new Uint8Array(0), row.responseBytes ?? 0n);
  return { query, request, response, ms: ms === null ? undefined : Number(ms) };
}

const sideOf = (headers: string, body: Uint8Array, bytes: bigint): KeptMessage => ({
  headers: JSON.parse(headers) as HeaderLine[],
  body,
  bytes: Number(bytes),
});

/** A token lets its holder in, so what is kept of it is that it was there. */
function withoutSecret([name, value]: HeaderLine): HeaderLine {
  const lower = name.toLowerCase();
  if (lower === 'authorization' || lower === 'proxy-authorization')
    return [name, `${value.split(' ', 1)[0] ?? ''} [secret]`];
  return lower === 'cookie' ? [name, '[secret]'] : [name, value];
}

/** A body without the passwords, one-time passwords and codes that stand in it under such names; bytes that are no text stay. */
function withoutSecrets(body: Uint8Array): Uint8Array {
  if (body.length === 0) return body;
  const bytes = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 2 * keptBytes));
  const text = bytes.toString('utf8');
  const cut = cutByName(text, () => '[secret]');
  return cut === text ? body : Buffer.from(cut);
}
