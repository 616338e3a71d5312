import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { ServedBank } from '../../src/bank/door.ts';

/** A request to the control API as its tests make it: anything may be wrong with it. */
export interface ControlRequest {
  /** JSON, or a text as it is. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Without it the token of the bank; an empty one sends none. */
  token?: string;
}

/** The answer: JSON is read. */
export interface ControlResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each test says what it expects in it
  json: any;
}

/** Calls the control API of a bank with nothing but Node. */
export function controlOf(bank: Pick<ServedBank, 'controlUrl' | 'tokenFile'>) {
  const own = readFileSync(bank.tokenFile, 'utf8');
  return (method: string, path: string, asked: ControlRequest = {}): Promise<ControlResponse> =>
    new Promise((resolve, reject) => {
      const { body, token = own } = asked;
      const headers = {
        ...(token !== '' && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...asked.headers,
      };
      const outgoing = request(bank.controlUrl + path, { method, headers, agent: false }, (incoming) => {
        const chunks: Buffer[] = [];
        const done = () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = /json$/.test(incoming.headers['content-type'] ?? '');
          const json: unknown = isJson ? JSON.parse(text) : undefined;
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json });
        };
        incoming.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          // A stream has no end: its beginning is what is told.
          if (/^text\/event-stream/.test(incoming.headers['content-type'] ?? '')) {
            done();
            outgoing.destroy();
          }
        });
        incoming.on('end', done);
        incoming.on('error', () => undefined);
      });
      outgoing.on('error', reject);
      outgoing.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
    });
}
