// What a HAR of another tool has for an answer, served again: every call ends, by an answer that HTTP allows, or by a closed connection.
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCaptures } from '../../../../src/client/evidence/captured-request.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';

interface Header {
  name: string;
  value: string;
}
const json = { name: 'Content-Type', value: 'application/json' };
const text = '{"transactionStatus":"RCVD"}';

interface Odd {
  status?: unknown;
  headers?: readonly Header[];
  content?: object;
  bodySize?: number;
}

const odd: Readonly<Record<string, Odd>> = {
  'status 101': { status: 101 },
  'status 100': { status: 100 },
  'status 103': { status: 103 },
  'status 0': { status: 0 },
  'no status': {},
  'a negative status': { status: -1 },
  'a huge status': { status: 99_999 },
  'half a status': { status: 200.5 },
  'a status as text': { status: '200' },
  'status 999': { status: 999 },
  'status 204 with a body': { status: 204 },
  'status 205 with a body': { status: 205 },
  'status 304 with a body': { status: 304 },
  'a longer Content-Length': { status: 200, headers: [json, { name: 'Content-Length', value: '4000' }] },
  'a shorter Content-Length': { status: 200, headers: [json, { name: 'content-length', value: '3' }] },
  'two lengths': {
    status: 200,
    headers: [json, { name: 'Content-Length', value: '3' }, { name: 'Content-Length', value: '28' }],
  },
  chunks: { status: 200, headers: [json, { name: 'Transfer-Encoding', value: 'chunked' }] },
  'chunks and a length': {
    status: 200,
    headers: [
      json,
      { name: 'Transfer-Encoding', value: 'gzip, chunked' },
      { name: 'Content-Length', value: '5' },
    ],
  },
  'a trailer': { status: 200, headers: [json, { name: 'Trailer', value: 'Digest' }] },
  'a coding that was opened': { status: 200, headers: [json, { name: 'Content-Encoding', value: 'gzip' }] },
  'a coding that was not': {
    status: 200,
    headers: [json, { name: 'Content-Encoding', value: 'gzip' }],
    content: { encoding: 'base64', text: gzipSync(text).toString('base64') },
  },
  'a coding that nobody opens': {
    status: 200,
    headers: [json, { name: 'Content-Encoding', value: 'zstd' }],
    content: { encoding: 'base64', text: Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xff]).toString('base64') },
  },
  'a connection that is kept': {
    status: 200,
    headers: [
      json,
      { name: 'Connection', value: 'Upgrade, Keep-Alive' },
      { name: 'Keep-Alive', value: 'timeout=5' },
      { name: 'Upgrade', value: 'h2c' },
      { name: 'Proxy-Connection', value: 'close' },
      { name: 'TE', value: 'trailers' },
      { name: 'HTTP2-Settings', value: 'AAA' },
    ],
  },
  'digests of other bytes': {
    status: 200,
    headers: [
      json,
      { name: 'Content-MD5', value: 'x' },
      { name: 'Content-Digest', value: 'sha-256=:x:' },
      { name: 'Repr-Digest', value: 'sha-256=:x:' },
      { name: 'Signature-Input', value: 'x=()' },
    ],
  },
  cookies: {
    status: 200,
    headers: [json, { name: 'Set-Cookie', value: 'a=1\nb=2' }, { name: 'Set-Cookie', value: 'c=3' }],
  },
};

/** What answers may end a call with: a status, or none where the connection is closed. */
const closed = new Set([
  ...['status 101', 'status 100', 'status 103', 'status 0', 'no status', 'a negative status'],
  ...['a huge status', 'half a status', 'a status as text'],
]);
const bare: Readonly<Record<string, number>> = {
  'status 204 with a body': 204,
  'status 205 with a body': 205,
  'status 304 with a body': 304,
};

const names = Object.keys(odd);
const pathOf = (name: string) =>
  `/v1/payments/sepa-credit-transfers/${String(names.indexOf(name))}-of-odd/status`;
const har = (list: readonly string[]) =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'x', version: '1' },
      entries: list.map((name) => ({
        startedDateTime: '2026-03-01T10:00:00.000Z',
        request: { method: 'GET', url: `https://bank.example${pathOf(name)}`, headers: [], bodySize: 0 },
        response: { headers: [json], content: { mimeType: 'application/json', text }, ...odd[name] },
      })),
    },
  });

let bank: TestBank;
beforeAll(async () => {
  bank = await startBank({
    name: 'odd',
    database: ':memory:',
    recording: readCaptures(Buffer.from(har(names))),
    doors: { rate: 'off' },
  });
}, 60_000);
afterAll(() => bank.close());

/** The answer to two calls over one connection: the second would read what the first has left. */
async function ask(path: string): Promise<{ answer: IncomingMessage; body: string } | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(`${bank.baseUrl}${path}`, { timeout: 3000, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        resolve({ answer, body: Buffer.concat(chunks).toString() });
      });
      answer.on('error', reject);
    });
    call.on('timeout', () => call.destroy(new Error('it hangs')));
    call.on('upgrade', () => {
      reject(new Error('it is no HTTP any more'));
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') resolve(undefined);
      else reject(error);
    });
    call.end();
  });
}

describe('a recorded answer', () => {
  it.each(names)('ends its call with %s', async (name) => {
    const got = await ask(pathOf(name));
    if (closed.has(name)) {
      expect(got?.answer.statusCode).toBeUndefined();
      return;
    }
    const empty = bare[name];
    expect(got?.answer.statusCode).toBe(empty ?? odd[name]?.status);
    const isLost = empty !== undefined || name === 'a coding that nobody opens';
    expect(got?.body).toBe(isLost ? '' : text);
    const seen = got?.answer.headers ?? {};
    if (empty === 204 || empty === 304) expect(seen['content-length']).toBeUndefined();
    for (const gone of ['upgrade', 'te', 'trailer', 'proxy-connection', 'http2-settings', 'content-encoding'])
      expect(seen[gone], gone).toBeUndefined();
    for (const gone of ['content-md5', 'content-digest', 'repr-digest', 'signature-input', 'set-cookie'])
      expect(seen[gone], gone).toBeUndefined();
  });

  it('keeps all of several lines of one header', async () => {
    const lines = ['Link', 'Warning', 'X-Other'].flatMap((name) => [
      { name, value: '1' },
      { name, value: '2' },
    ]);
    const again = await startBank({
      name: 'lines',
      database: ':memory:',
      recording: readCaptures(
        Buffer.from(
          har(['status 999']).replace(JSON.stringify([json]), JSON.stringify([json, json, ...lines])),
        ),
      ),
    });
    try {
      const answer = await fetch(`${again.baseUrl}${pathOf('status 999')}`);
      for (const name of ['Link', 'Warning', 'X-Other']) expect(answer.headers.get(name)).toBe('1, 2');
      expect(answer.headers.get('content-type')).toBe('application/json');
    } finally {
      await again.close();
    }
  });
});
