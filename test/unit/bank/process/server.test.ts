import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headersOf, withHeader } from '../../../../src/referee/request-headers.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { signedHeaders } from '../tpp.ts';

describe('the headers of a request', () => {
  const headers = headersOf({ rawHeaders: ['X-Request-ID', 'a', 'accept', 'text/html', 'Accept', '*/*'] });

  it('are found by names in any case, several of a name as one list', () => {
    expect(headers.get('x-request-id')).toBe('a');
    expect(headers.get('ACCEPT')).toBe('text/html, */*');
    expect([headers.get('Digest'), headers.has('digest'), headers.has('X-Request-Id')]).toEqual([
      null,
      false,
      true,
    ]);
  });

  it('may have another one, or one more', () => {
    const changed = withHeader(headers, 'x-request-id', 'b');
    expect([changed.get('X-Request-ID'), headers.get('X-Request-ID')]).toEqual(['b', 'a']);
    const more = withHeader(changed, 'Consent-ID', 'c');
    expect([more.get('consent-id'), more.has('CONSENT-ID'), more.get('accept')]).toEqual([
      'c',
      true,
      'text/html, */*',
    ]);
  });
});

describe('a request to the bank', () => {
  let bank: TestBank;
  beforeAll(async () => (bank = await startBank()));
  afterAll(() => bank.close());

  /** Sends lines as they are over a connection of their own, and gives what comes back. */
  async function raw(...lines: string[]): Promise<{ status: number; text: string }> {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(bank.baseUrl).port) });
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
    await once(socket, 'close');
    return { status: Number(text.split(' ', 2)[1]), text };
  }

  const host = 'Host: 127.0.0.1';
  const signed = () =>
    Object.entries(signedHeaders(bank, Buffer.alloc(0))).map(([name, value]) => `${name}: ${value}`);

  it.each([
    ['a path', '/v1/consents/x', 'CONSENT_UNKNOWN'],
    ['a whole URL', 'http://127.0.0.1/v1/consents/x', 'CONSENT_UNKNOWN'],
    ['a path with characters percent-encoded', '/%761/c%6Fnsents/x', 'CONSENT_UNKNOWN'],
    ['a path with a slash percent-encoded', '/v1/consents%2Fx', 'RESOURCE_UNKNOWN'],
    ['a path with a percent sign percent-encoded', '/v1/c%256Fnsents/x', 'RESOURCE_UNKNOWN'],
    ['a path that is badly encoded', '/v1/consents/%zz', 'RESOURCE_UNKNOWN'],
  ])('may ask for %s', async (_, target, code) => {
    const { text } = await raw(`GET ${target} HTTP/1.1`, host, ...signed());
    expect(text).toContain(`"${code}"`);
  });

  it.each([
    ['without a Host', ['GET /v1/consents/x HTTP/1.0']],
    ['for an asterisk', ['OPTIONS * HTTP/1.1', host]],
  ])('is 400 %s', async (_, lines) => {
    expect((await raw(...lines)).status).toBe(400);
  });

  it('is not found for a path that only looks like a host', async () => {
    expect((await raw('GET //127.0.0.1/v1/consents/x HTTP/1.1', host, ...signed())).status).toBe(404);
  });

  it('gets for HEAD the headers of the refusal only', async () => {
    const { status, text } = await raw('HEAD /v1/consents/x HTTP/1.1', host, ...signed());
    expect(status).toBe(405);
    expect(text.endsWith('\r\n\r\n')).toBe(true);
  });

  it('is not answered where it names a host that it is not', async () => {
    const { status, text } = await raw('GET /v1/consents/x HTTP/1.1', 'Host: bank.example', ...signed());
    expect([status, text.includes('tppMessages')]).toEqual([421, false]);
  });

  it.each([
    ['a form feed in a header', ['GET /v1/accounts?a=b HTTP/1.1', host, 'PSU-ID: a\x0cb'], '/v1/accounts'],
    ['a null in a header', ['GET /v1/accounts HTTP/1.1', host, 'PSU-ID: a\x00b'], '/v1/accounts'],
    ['a blank in the name of a header', ['GET /v1/accounts HTTP/1.1', host, 'PSU ID: a'], '/v1/accounts'],
    ['a header without a colon', ['GET /v1/accounts HTTP/1.1', host, 'PSU-ID'], '/v1/accounts'],
    [
      'two lengths',
      ['POST /v1/consents HTTP/1.1', host, 'Content-Length: 1', 'Content-Length: 2'],
      '/v1/consents',
    ],
    ['no HTTP', ['hello'], ''],
  ])('is 400 in JSON with an X-Request-ID, and is logged, with %s', async (_, lines, path) => {
    for (const own of [undefined, '99391c7e-ad88-49ec-a2ad-99ddcb1f7721']) {
      const before = (await bank.bank.log(0)).length;
      const [first = '', ...others] = lines;
      const sent = own === undefined || path === '' ? lines : [first, `X-Request-ID: ${own}`, ...others];
      const { status, text } = await raw(...sent);
      expect(status, text).toBe(400);
      const id = /^X-Request-ID: (\S+)\r$/im.exec(text)?.[1];
      if (own === undefined || path === '') expect(id).toMatch(/^[0-9a-f-]{36}$/);
      else expect(id).toBe(own);
      expect(text).toMatch(/^Content-Type: application\/json\r$/im);
      const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as object;
      expect(body).toMatchObject({ tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR' }] });
      const log = await bank.bank.log(0);
      expect(log).toHaveLength(before + 1);
      expect(log.at(-1)).toMatchObject({ path, status: 400, code: 'FORMAT_ERROR', verdict: 'refused' });
    }
  });

  it('leaves no arrival where it breaks off, and the bank goes on', async () => {
    const before = (await bank.bank.log(0)).length;
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(bank.baseUrl).port) });
    const path = '/v1/payments/sepa-credit-transfers';
    socket.write(`POST ${path} HTTP/1.1\r\n${host}\r\nContent-Length: 10\r\n\r\n{`);
    await once(socket, 'connect');
    socket.destroy();
    expect((await raw('GET /v1/nothing HTTP/1.1', host)).status).toBe(404);
    expect(await bank.bank.log(0)).toHaveLength(before + 1);
  });
});
