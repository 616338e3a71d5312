import { afterEach, expect } from 'vitest';
import { createHttp } from '../../src/adapters/http/undici-http.ts';
import { TransportFailure } from '../../src/base/errors.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../src/client/ports/http.ts';
import { rawServer } from './raw-server.ts';
import type { RawServer } from './raw-server.ts';

type Options = Parameters<Http['send']>[1];

export const limits = { connectMs: 8_000, firstByteMs: 8_000, deadlineMs: 9_000, maxBytes: 1_000_000 };
/** What is closed after each test. */
export const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

export async function serve(...args: Parameters<typeof rawServer>): Promise<RawServer> {
  const server = await rawServer(...args);
  open.push(server);
  return server;
}

/** An Http that is closed after the test. */
export function client(options?: Parameters<typeof createHttp>[0]): Http {
  const http = createHttp(options);
  open.push(http);
  return http;
}

/** A POST with a body unless told otherwise. */
export function request(port: number, changes: Partial<HttpRequest> = {}): HttpRequest {
  const method = changes.method ?? 'POST';
  const body = Buffer.from(method === 'GET' || method === 'DELETE' ? '' : '{"a":1}');
  return {
    method,
    url: `http://127.0.0.1:${port}/v1/payments`,
    headers: [['X-Request-ID', '1']],
    body,
    ...changes,
  };
}

export function send(http: Http, what: HttpRequest, options: Partial<Options> = {}): Promise<HttpAnswer> {
  return http.send(what, { limits, connection: {}, fresh: true, ...options });
}

export async function failureOf(promise: Promise<unknown>): Promise<TransportFailure> {
  const outcome = await promise.then(
    (value) => value,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(TransportFailure);
  return outcome as TransportFailure;
}
