import { X509Certificate } from 'node:crypto';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTlsPeers } from '../../../../src/adapters/http/tls-peers.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { startProxy } from '../../../helpers/proxy.ts';
import { makeCertificate } from '../../../helpers/tls.ts';
import type { Pair } from '../../../helpers/tls.ts';

let ca: Pair;
let leaf: Pair;
const servers: Server[] = [];

beforeAll(async () => {
  ca = await makeCertificate({ subject: 'CN=CA' });
  leaf = await makeCertificate({ subject: 'CN=Bank', issuer: ca, names: ['127.0.0.1'] });
});
afterAll(() => {
  for (const server of servers) server.close();
});

const listening = async (server: Server): Promise<number> => {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
};
const tls = (cert: string, more: object = {}) => {
  const server = createServer({ cert, key: leaf.key, ...more }, (socket) => socket.resume());
  server.on('tlsClientError', () => undefined);
  return listening(server);
};
const der = (pem: string) => new X509Certificate(pem).fingerprint;
const chain = (port: number) =>
  createTlsPeers({ clock: fakeClock({ manual: true }) })
    .chain('127.0.0.1', port)
    .then((all) => all.map((one) => new X509Certificate(one).fingerprint));

describe('the chain of a server', () => {
  it('is what it offers, though nobody trusts it', async () => {
    expect(await chain(await tls(`${leaf.certificate}\n${ca.certificate}`))).toEqual([
      der(leaf.certificate),
      der(ca.certificate),
    ]);
    expect(await chain(await tls(leaf.certificate))).toEqual([der(leaf.certificate)]);
  });

  it.each(['TLSv1.2', 'TLSv1.3'])(
    'is seen in %s although the server requires a client certificate',
    async (version) => {
      const port = await tls(leaf.certificate, {
        requestCert: true,
        rejectUnauthorized: true,
        ca: ca.certificate,
        minVersion: version,
        maxVersion: version,
      });
      expect((await chain(port))[0]).toBe(der(leaf.certificate));
    },
  );

  it('is missed with exit 7 where nobody listens, or nobody speaks TLS', async () => {
    const deaf = createTcpServer((socket) => socket.resume().end('no'));
    const port = await listening(deaf);
    await expect(chain(port)).rejects.toMatchObject({ code: 'NOT_SENT', exit: 7 });
    await new Promise((done) => deaf.close(done));
    await expect(chain(port)).rejects.toMatchObject({ code: 'NOT_SENT', exit: 7 });
  });

  it('is seen through the proxy of the environment, and missed where that lets nobody through', async () => {
    const port = await tls(leaf.certificate);
    const proxy = await startProxy({ 'bank.example:443': port });
    const env = { HTTPS_PROXY: `http://127.0.0.1:${String(proxy.port)}` };
    const peers = createTlsPeers({ clock: fakeClock({ manual: true }), env });
    const [first] = await peers.chain('bank.example', 443);
    expect(new X509Certificate(first ?? '').fingerprint).toBe(der(leaf.certificate));
    expect(proxy.heads[0]).toMatch(/^CONNECT bank\.example:443 HTTP\/1\.1\r\n/);
    const closed = peers.chain('other.example', 443);
    await expect(closed).rejects.toMatchObject({
      code: 'NOT_SENT',
      detail: /cannot reach other\.example:443/,
    });
    await proxy.close();
  });

  it('is waited for ten seconds', async () => {
    const clock = fakeClock();
    const silent = await listening(createTcpServer(() => undefined));
    const seen = createTlsPeers({ clock }).chain('127.0.0.1', silent);
    await expect(seen).rejects.toMatchObject({ detail: 'no answer within 10 seconds.' });
  });
});
