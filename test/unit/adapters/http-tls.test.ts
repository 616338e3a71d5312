import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHttp } from '../../../src/adapters/undici-http.ts';
import { TransportFailure } from '../../../src/errors.ts';
import type { HttpAnswer, HttpConnection } from '../../../src/ports.ts';
import { Secret } from '../../../src/secret.ts';
import { rawServer, wire } from '../../helpers/raw-server.ts';
import type { RawServer } from '../../helpers/raw-server.ts';
import { makeCertificate } from '../../helpers/tls.ts';
import type { Pair } from '../../helpers/tls.ts';

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

describe('TLS', () => {
  it('sends to a bank whose CA is trusted and tells what was agreed', async () => {
    const server = await serve({ cert: bank.certificate, key: bank.key });
    expect(await post(server.port, { ca: ca.certificate })).toMatchObject({
      status: 200,
      tls: { protocol: 'TLSv1.3', cipher: expect.stringMatching(/^TLS_/), peer: 'CN=bank.example' },
    });
    expect(await post(server.port, { ca: ca.certificate }, 'localhost')).toMatchObject({ status: 200 });
  });

  it('takes a CA out of a file with several', async () => {
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

  const bad: [string, () => Promise<{ tls: object; connection: HttpConnection; host?: string }>][] = [
    ['an unknown CA', async () => ({ tls: { cert: bank.certificate, key: bank.key }, connection: {} })],
    [
      'another CA than the one that is trusted',
      async () => ({
        tls: { cert: bank.certificate, key: bank.key },
        connection: { ca: otherCa.certificate },
      }),
    ],
    [
      'itself as CA',
      async () => {
        const self = await makeCertificate({ subject: 'CN=bank.example' });
        return { tls: { cert: self.certificate, key: self.key }, connection: { ca: ca.certificate } };
      },
    ],
    [
      'another name',
      async () => {
        const other = await makeCertificate({ subject: 'CN=x', issuer: ca, names: ['x.example'] });
        return { tls: { cert: other.certificate, key: other.key }, connection: { ca: ca.certificate } };
      },
    ],
    [
      'another name than the host',
      async () => {
        const other = await makeCertificate({ subject: 'CN=x', issuer: ca, names: ['127.0.0.1'] });
        const tls = { cert: other.certificate, key: other.key };
        return { tls, connection: { ca: ca.certificate }, host: 'localhost' };
      },
    ],
    [
      'an expired certificate',
      async () => {
        const notAfter = new Date(Date.now() - 3_600_000);
        const old = await makeCertificate({ subject: 'CN=x', issuer: ca, names: ['127.0.0.1'], notAfter });
        return { tls: { cert: old.certificate, key: old.key }, connection: { ca: ca.certificate } };
      },
    ],
    [
      'TLS 1.1 at most',
      async () => ({
        tls: {
          cert: bank.certificate,
          key: bank.key,
          minVersion: 'TLSv1.1',
          maxVersion: 'TLSv1.1',
          ciphers: 'DEFAULT@SECLEVEL=0',
        },
        connection: { ca: ca.certificate },
      }),
    ],
  ];

  it.each(bad)('sends nothing to a bank with %s, whatever the environment says', async (_name, make) => {
    const { tls, connection, host } = await make();
    const server = await serve(tls);
    expect(await post(server.port, connection, host)).toMatchObject({ sent: false, reason: 'tls' });
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await post(server.port, connection, host)).toMatchObject({ sent: false, reason: 'tls' });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
    expect(server.arrivals).toHaveLength(0);
  });

  it('has the word of the marker where TLS 1.3 refuses the client certificate after the fact', async () => {
    const server = await serve({
      cert: bank.certificate,
      key: bank.key,
      ca: ca.certificate,
      requestCert: true,
      rejectUnauthorized: true,
    });
    expect(await post(server.port, { ca: ca.certificate })).toBeInstanceOf(TransportFailure);
    expect(server.arrivals).toHaveLength(0);
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

  it('goes on trusting the roots of the system when a profile adds a CA', async () => {
    const server = await serve({ cert: bank.certificate, key: bank.key });
    const roots = join(mkdtempSync(join(tmpdir(), 'obk-roots-')), 'roots.pem');
    writeFileSync(roots, ca.certificate);
    const script = `import { createHttp } from './src/adapters/undici-http.ts';
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
