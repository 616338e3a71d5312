import { beforeAll, describe, expect, it } from 'vitest';
import { proxyFor } from '../../../../src/adapters/http/http-proxy.ts';
import type { HttpConnection } from '../../../../src/client/ports/http.ts';
import { client, failureOf, open, request, send, serve } from '../../../helpers/http-client.ts';
import { startProxy } from '../../../helpers/proxy.ts';
import { wire } from '../../../helpers/raw-server.ts';
import { makeCertificate } from '../../../helpers/tls.ts';
import type { Pair } from '../../../helpers/tls.ts';

type Env = Readonly<Record<string, string | undefined>>;
const shown = (url: string, env: Env) => proxyFor(new URL(url), env)?.shown;

describe('the proxy of the environment', () => {
  const https = 'https://api.bank.example/v1';
  it.each<[string, string, Env, string | undefined]>([
    ['none', https, {}, undefined],
    ['of https', https, { HTTPS_PROXY: 'http://p:3128' }, 'p:3128'],
    ['in lower case first', https, { HTTPS_PROXY: 'http://p:1', https_proxy: 'http://q:2' }, 'q:2'],
    ['an empty one is none', https, { HTTPS_PROXY: 'http://p:1', https_proxy: '' }, 'p:1'],
    ['without a scheme', https, { HTTPS_PROXY: 'p:3128' }, 'p:3128'],
    ['without a port', https, { HTTPS_PROXY: 'http://p' }, 'p:80'],
    ['IPv6', https, { HTTPS_PROXY: 'http://[2001:db8::1]:8080' }, '[2001:db8::1]:8080'],
    ['of http is another', https, { HTTP_PROXY: 'http://p:1' }, undefined],
    ['of http', 'http://bank.example', { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://q:2' }, 'p:1'],
    ['credentials are not shown', https, { HTTPS_PROXY: 'http://user:canary@p:1' }, 'p:1'],
    ['never for 127.x', 'https://127.0.0.2:8443', { HTTPS_PROXY: 'http://p:1' }, undefined],
    ['never for localhost', 'http://localhost:8080', { HTTP_PROXY: 'http://p:1' }, undefined],
    ['never for ::1', 'https://[::1]:8443', { HTTPS_PROXY: 'http://p:1' }, undefined],
  ])('is chosen: %s', (_name, url, env, expected) => {
    expect(shown(url, env)).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ['*', https, true],
    ['bank.example', https, true],
    ['.bank.example', https, true],
    ['*.bank.example', https, true],
    ['BANK.example', https, true],
    ['other.example, api.bank.example', https, true],
    ['bank.example:443', https, true],
    ['bank.example:8443', https, false],
    ['ank.example', https, false],
    ['example.bank', https, false],
    ['', https, false],
    ['.', https, false],
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['2.3', 'https://10.1.2.3', false],
    ['2001:db8::/32', 'https://[2001:db8::7]', true],
    ['[2001:db8::7]:443', 'https://[2001:db8::7]', true],
    ['2001:db8::7', 'https://[2001:db8::7]', true],
  ])('is skipped or not by NO_PROXY %j for %s', (list, url, exempt) => {
    expect(shown(url, { HTTPS_PROXY: 'http://p:1', NO_PROXY: list })).toBe(exempt ? undefined : 'p:1');
  });

  it.each(['http://us er:canary@', 'socks5://user:canary@p:1', 'https://user:canary@p:1'])(
    'is refused as %s, which is not repeated',
    (value) => {
      const use = () => shown(https, { HTTPS_PROXY: value });
      expect(use).toThrow(expect.objectContaining({ sent: false, reason: 'proxy' }));
      expect(use).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining('canary') as string }),
      );
    },
  );
});

describe('a call through a proxy', () => {
  let ca: Pair;
  let bank: Pair;
  let trusting: HttpConnection;
  const url = 'https://bank.example/v1/payments';

  beforeAll(async () => {
    ca = await makeCertificate({ subject: 'CN=CA' });
    bank = await makeCertificate({ subject: 'CN=Bank', issuer: ca, names: ['bank.example'] });
    trusting = { ca: ca.certificate };
  });

  async function between(answer?: string, leaf: Pair = bank) {
    const server = await serve((socket) => socket.end(wire('200 OK', 'x')), {
      cert: leaf.certificate,
      key: leaf.key,
    });
    const proxy = await startProxy({ 'bank.example:443': server.port }, answer);
    open.push(proxy);
    return { server, proxy, at: `http://user:can%61ry@127.0.0.1:${proxy.port}` };
  }

  it('is TLS with the bank from end to end, with the mark after it', async () => {
    const { server, proxy, at } = await between();
    let seen = -1;
    const onSending = () => {
      seen = server.received().length;
      return Promise.resolve();
    };
    const answer = await send(client({ env: { HTTPS_PROXY: at } }), request(0, { url }), {
      connection: trusting,
      onSending,
    });
    expect(answer).toMatchObject({ status: 200, tls: { peer: 'CN=Bank', proxy: `127.0.0.1:${proxy.port}` } });
    expect(seen).toBe(0);
    expect(server.connections).toBe(1);
    expect(server.arrivals).toHaveLength(1);
    const basic = Buffer.from('user:canary').toString('base64');
    expect(proxy.heads).toEqual([
      `CONNECT bank.example:443 HTTP/1.1\r\nHost: bank.example:443\r\nProxy-Authorization: Basic ${basic}\r\n\r\n`,
    ]);
    expect(server.received().toString()).not.toMatch(/proxy-/i);
  });

  it.each<[string, string, RegExp]>([
    ['no credentials taken', 'HTTP/1.1 407 Who', /does not accept the user and password given \(407\)/],
    ['a ban', 'HTTP/1.1 403 No', /does not let anybody through to bank.example:443/],
    ['no way', 'HTTP/1.1 502 Bad', /cannot reach bank.example:443/],
    ['a page', 'HTTP/1.1 302 Login', /refuses the connection/],
    ['no HTTP', 'SSH-2.0', /does not answer as an http proxy/],
  ])('ends with %s before anything is sent', async (_name, answer, why) => {
    const { server, at } = await between(answer);
    const http = client({ env: { HTTPS_PROXY: at } });
    const failure = await failureOf(send(http, request(0, { url }), { connection: trusting }));
    expect(failure).toMatchObject({
      sent: false,
      reason: 'proxy',
      message: expect.stringMatching(why) as string,
    });
    expect(JSON.stringify([failure.message, failure.hint])).not.toMatch(/canary|user:/);
    expect(server.connections).toBe(0);
  });

  it('ends where the proxy is missing, or the bank is not one', async () => {
    const { server, proxy, at } = await between(undefined, await makeCertificate({ subject: 'CN=Mallory' }));
    const http = client({ env: { HTTPS_PROXY: at } });
    const unknown = await failureOf(send(http, request(0, { url }), { connection: trusting }));
    expect(unknown).toMatchObject({ sent: false, reason: 'tls' });
    expect(server.arrivals).toHaveLength(0);
    await proxy.close();
    const gone = await failureOf(send(http, request(0, { url }), { connection: trusting }));
    expect(gone).toMatchObject({ sent: false, reason: 'connect' });
    expect(gone.message).not.toMatch(/canary/);
  });
});
