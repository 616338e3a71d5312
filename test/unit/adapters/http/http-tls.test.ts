import { execFile } from 'node:child_process';
import { constants, createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHttp } from '../../../../src/adapters/http/undici-http.ts';
import type { TransportFailure } from '../../../../src/base/errors.ts';
import type { HttpAnswer, HttpConnection } from '../../../../src/client/ports/http.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { rawServer, wire } from '../../../helpers/raw-server.ts';
import type { RawServer } from '../../../helpers/raw-server.ts';
import { makeCertificate } from '../../../helpers/tls.ts';
import type { Pair } from '../../../helpers/tls.ts';

const limits = { connectMs: 8_000, firstByteMs: 8_000, deadlineMs: 9_000, maxBytes: 1_000_000 };
const servers: RawServer[] = [];
let ca: Pair;
let otherCa: Pair;
let bank: Pair;
let tpp: Pair;

beforeAll(async () => {
  ca = await makeCertificate({ subject: 'CN=Test CA' });
  otherCa = await makeCertificate({ subject: 'CN=Other CA' });
  bank = await makeCertificate({ subject: 'CN=bank.example', issuer: ca, names: ['127.0.0.1', 'localhost'] });
  tpp = await makeCertificate({ subject: 'CN=tpp.example', issuer: ca, names: ['tpp.example'] });
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(options: object): Promise<RawServer> {
  const server = await rawServer((socket) => socket.end(wire('200 OK', 'x')), options);
  servers.push(server);
  return server;
}

/** As Node stands, and with the variable that lets it take any certificate. */
async function eitherWay(act: () => Promise<void>): Promise<void> {
  await act();
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  try {
    await act();
  } finally {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  }
}

async function post(
  port: number,
  connection: HttpConnection,
  host = '127.0.0.1',
): Promise<HttpAnswer | TransportFailure> {
  let marks = 0;
  const request = {
    method: 'POST',
    url: `https://${host}:${port}/`,
    headers: [],
    body: Buffer.from('{}'),
  } as const;
  const options = { limits, connection, fresh: true, onSending: () => Promise.resolve(void (marks += 1)) };
  try {
    return await createHttp().send(request, options);
  } catch (error) {
    const failure = error as TransportFailure;
    // The marker and what is said about it must be one.
    expect({ sent: failure.sent }).toEqual({ sent: marks > 0 });
    return failure;
  }
}

describe('a TLS connection', () => {
  it('reaches a bank whose CA is trusted, and reports what was agreed', async () => {
    const server = await serve({ cert: bank.certificate, key: bank.key });
    expect(await post(server.port, { ca: ca.certificate })).toMatchObject({
      status: 200,
      tls: { protocol: 'TLSv1.3', cipher: expect.stringMatching(/^TLS_/), peer: 'CN=bank.example' },
    });
    expect(await post(server.port, { ca: ca.certificate }, 'localhost')).toMatchObject({ status: 200 });
  });

  it('uses a CA from a file with several', async () => {
    const server = await serve({ cert: bank.certificate, key: bank.key });
    const both = { ca: `${otherCa.certificate}\n${ca.certificate}\n` };
    expect(await post(server.port, both)).toMatchObject({ status: 200 });
  });

  it('shows its own certificate', async () => {
    const server = await serve({
      cert: bank.certificate,
      key: bank.key,
      ca: ca.certificate,
      requestCert: true,
    });
    const own = { ca: ca.certificate, certificate: tpp.certificate, key: new Secret(tpp.key) };
    expect(await post(server.port, own)).toMatchObject({ status: 200 });
  });

  const day = 86_400_000;
  const host = ['127.0.0.1', 'localhost'];
  const trusting = () => ({ ca: ca.certificate });
  /** A server with this certificate of the trusted CA. */
  const withLeaf = (more: Partial<Parameters<typeof makeCertificate>[0]>) => async () => {
    const leaf = await makeCertificate({ subject: 'CN=x', issuer: ca, names: host, ...more });
    const tls = { cert: leaf.certificate, key: leaf.key, ciphers: 'DEFAULT@SECLEVEL=0' };
    return { tls, connection: trusting() };
  };
  const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
  const own = () => ({ cert: bank.certificate, key: bank.key });

  type Made = { tls: object; connection: HttpConnection; host?: string };
  const bad: [string, string, () => Made | Promise<Made>][] = [
    ['an unknown CA', 'not trusted here', () => ({ tls: own(), connection: {} })],
    ['another CA', 'not trusted here', () => ({ tls: own(), connection: { ca: otherCa.certificate } })],
    [
      'itself as CA',
      'signed by itself',
      async () => {
        const self = await makeCertificate({ subject: 'CN=bank.example' });
        return { tls: { cert: self.certificate, key: self.key }, connection: trusting() };
      },
    ],
    ['another name', 'for another name', withLeaf({ names: ['x.example'] })],
    [
      'another name than the host',
      'for another name',
      async () => ({ ...(await withLeaf({ names: ['127.0.0.1'] })()), host: 'localhost' }),
    ],
    ['an expired certificate', 'has expired', withLeaf({ notAfter: new Date(Date.now() - day / 24) })],
    ['a certificate of tomorrow', 'not valid yet', withLeaf({ notBefore: new Date(Date.now() + day / 24) })],
    ['a key of 1,024 bits', 'too weak', withLeaf({ weak: 'rsa-1024' })],
    ['a signature by SHA-1', 'SHA-1', withLeaf({ weak: 'sha-1' })],
    ['TLS 1.1 at most', 'TLS 1.2 or 1.3', () => ({ tls: { ...own(), ...old }, connection: trusting() })],
  ];

  it.each(bad)(
    'sends nothing to a bank with %s, whatever the environment contains',
    async (_name, why, make) => {
      const { tls, connection, host } = await make();
      const server = await serve(tls);
      const expected = { sent: false, reason: 'tls', message: expect.stringContaining(why) as string };
      await eitherWay(async () => {
        expect(await post(server.port, connection, host)).toMatchObject(expected);
      });
      expect(server.arrivals).toHaveLength(0);
    },
  );

  it('reaches any of them with `insecure`', async () => {
    const { tls } = await withLeaf({ names: ['x.example'], notAfter: new Date(Date.now() + day) })();
    const server = await serve(tls);
    expect(await post(server.port, { insecure: true })).toMatchObject({ status: 200 });
    expect(await post(server.port, trusting())).toMatchObject({ sent: false });
  });

  it('reaches only the pinned key, and not below the requested version', async () => {
    const server = await serve(own());
    const pinOf = (pem: string) =>
      createHash('sha256')
        .update(new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' }))
        .digest('base64');
    const pinned = { ...trusting(), serverPins: [pinOf(ca.certificate), pinOf(bank.certificate)] };
    expect(await post(server.port, pinned)).toMatchObject({ status: 200 });
    const other = { ...trusting(), serverPins: [pinOf(ca.certificate)] };
    expect(await post(server.port, other)).toMatchObject({
      ...{ sent: false, reason: 'tls' },
      message: expect.stringContaining('another public key') as string,
    });
    const older = await serve({ ...own(), maxVersion: 'TLSv1.2' });
    expect(await post(older.port, trusting())).toMatchObject({ status: 200 });
    expect(await post(older.port, { ...trusting(), minVersion: 'TLSv1.3' })).toMatchObject({
      ...{ sent: false, reason: 'tls' },
    });
    expect(server.arrivals.length + older.arrivals.length).toBe(2);
  });

  it('offers the ciphers of the connection, and reports where none is known', async () => {
    const server = await serve({ ...own(), maxVersion: 'TLSv1.2' });
    const ciphers = 'ECDHE-ECDSA-AES128-GCM-SHA256';
    const told = { status: 200, tls: { cipher: ciphers } };
    expect(await post(server.port, { ...trusting(), ciphers })).toMatchObject(told);
    const failure = await post(server.port, { ...trusting(), ciphers: 'NONSENSE' });
    expect(failure).toMatchObject({ message: expect.stringContaining('tls.ciphers') as string });
  });

  describe.each(['TLSv1.2', 'TLSv1.3'])('to a bank where %s refuses the client certificate', (version) => {
    const strict = () => ({
      ...{ ...own(), ca: ca.certificate, requestCert: true, rejectUnauthorized: true },
      ...{ minVersion: version, maxVersion: version },
    });

    it('sends nothing without a certificate, and reports it', async () => {
      const server = await serve(strict());
      await eitherWay(async () => {
        expect(await post(server.port, trusting())).toMatchObject({
          ...{ sent: false, reason: 'tls' },
          message: expect.stringMatching(/client certificate.*none was offered/) as string,
          hint: expect.arrayContaining([expect.stringContaining('--tls-certificate')]) as string[],
        });
      });
      expect(server.received()).toHaveLength(0);
    });

    it('sends nothing with a certificate that the bank refuses, and names it', async () => {
      const server = await serve(strict());
      const stranger = await makeCertificate({
        subject: 'CN=stranger',
        issuer: otherCa,
        names: ['x.example'],
      });
      const connection = { certificate: stranger.certificate, key: new Secret(stranger.key) };
      await eitherWay(async () => {
        expect(await post(server.port, { ...trusting(), ...connection })).toMatchObject({
          ...{ sent: false, reason: 'tls' },
          message: expect.stringMatching(
            /offered was CN=stranger \(serial [0-9A-F]+, valid until 20/,
          ) as string,
        });
      });
      expect(server.received()).toHaveLength(0);
    });
  });

  it('does not wait for ever where TLS 1.3 gives no ticket', async () => {
    const { SSL_OP_NO_TICKET } = constants;
    const server = await serve({ ...own(), secureOptions: SSL_OP_NO_TICKET, sessionTimeout: 0 });
    expect(await post(server.port, trusting())).toMatchObject({ status: 200 });
  });

  it.each([
    ['a key that is none', async () => ({ certificate: tpp.certificate, key: new Secret('x') })],
    ['the key of another', async () => ({ certificate: tpp.certificate, key: new Secret(bank.key) })],
    ['a certificate that is none', async () => ({ certificate: 'x', key: new Secret(tpp.key) })],
  ])('sends nothing with %s', async (_name, make) => {
    const server = await serve({ cert: bank.certificate, key: bank.key });
    const failure = await post(server.port, { ca: ca.certificate, ...(await make()) });
    expect(failure).toMatchObject({ sent: false, reason: 'tls' });
    expect(server.connections).toBe(0);
  });

  it('still trusts the roots of the system when a profile adds a CA', async () => {
    const server = await serve({ cert: bank.certificate, key: bank.key });
    const roots = join(mkdtempSync(join(tmpdir(), 'obk-roots-')), 'roots.pem');
    writeFileSync(roots, ca.certificate);
    const script = `import { createHttp } from './src/adapters/http/undici-http.ts';
      const url = 'https://127.0.0.1:${server.port}/';
      const request = { method: 'GET', url, headers: [], body: new Uint8Array() };
      const connection = { ca: ${JSON.stringify(otherCa.certificate)} };
      const options = { limits: ${JSON.stringify(limits)}, connection, fresh: true };
      process.stdout.write(String((await createHttp().send(request, options)).status));`;
    const node = ['--use-openssl-ca', '--import', 'tsx', '--input-type=module', '-e', script];
    const env = { ...process.env, SSL_CERT_FILE: roots };
    const { stdout } = await promisify(execFile)(process.execPath, node, { timeout: 10_000, env });
    expect(stdout).toBe('200');
  });
});
