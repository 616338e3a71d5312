import { describe, expect, it } from 'vitest';
import { client, failureOf, request, send, serve } from '../../../helpers/http-client.ts';
import { wire } from '../../../helpers/raw-server.ts';

describe('a request with an impossible part', () => {
  it.each([
    ['a line break', 'X-A', 'a\r\nX-B: b'],
    ['a NUL', 'X-A', 'a\0'],
    ['a tab', 'X-A', 'a\tb'],
    ['Latin-1', 'X-A', 'é'],
    ['a blank at the start', 'X-A', ' a'],
    ['a blank at the end', 'X-A', 'a '],
    ['9 kB', 'X-A', 'a'.repeat(9_000)],
    ['a blank in the name', 'X A', 'a'],
    ['a line break in the name', 'X\nA', 'a'],
    ['another length', 'Content-Length', '1'],
    ['a transfer coding', 'Transfer-Encoding', 'chunked'],
    ['an expectation', 'Expect', '100-continue'],
    ['a connection option', 'Connection', 'upgrade'],
  ])('is refused before a connection: a header with %s', async (_name, name, value) => {
    const server = await serve((socket) => socket.end(wire('200 OK')));
    const failure = await failureOf(send(client(), request(server.port, { headers: [[name, value]] })));
    expect(failure).toMatchObject({ sent: false, reason: 'invalid' });
    expect(failure.message).not.toContain('aaaa');
    expect(server.connections).toBe(0);
  });

  it('is refused before a connection: more than 16 kB of headers', async () => {
    const headers = [1, 2, 3, 4, 5].map((n) => [`X-${n}`, 'a'.repeat(4_000)] as const);
    expect(await failureOf(send(client(), request(1, { headers })))).toMatchObject({
      sent: false,
      reason: 'invalid',
    });
  });

  it.each([
    'http://bank.example/v1/payments',
    'http://127.0.0.1.bank.example/v1',
    'ftp://127.0.0.1/v1',
    'https://user:password@bank.example/v1',
    'https://bank.example@evil.example/v1',
    'https://bank.example\\@evil.example/v1',
    'https://bank.example/v1/../v2',
    'https://bank.example/v1/%2e%2e/v2',
    'https://bank.example/v1/.%2E',
    'https://bank.example/v1/a b',
    'https://bank.example/v1/a\r\nX: y',
    'https://bank.example/v1/ä',
    'https://bank.example/v1#x',
    'https://bank.example/v1\\..\\x',
    'https:///v1',
    '/v1/payments',
    '',
  ])('is refused before a connection: the URL %s', async (url) => {
    expect(await failureOf(send(client(), request(1, { url })))).toMatchObject({
      sent: false,
      reason: 'invalid',
    });
  });
});
