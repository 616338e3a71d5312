// Servers that no client may trust, and everything in an environment that switches verification off: no request arrives.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rawServer, wire } from '../../helpers/raw-server.ts';
import type { RawServer } from '../../helpers/raw-server.ts';
import { makeCertificate } from '../../helpers/tls.ts';
import type { Pair } from '../../helpers/tls.ts';
import { trials } from '../../helpers/trials.ts';
import { pay, payerAt, secrets } from '../payer.ts';
import type { Payer } from '../payer.ts';

const bin = resolve(import.meta.dirname, '../../../bin/obk.js');
const day = 86_400_000;
const names = ['127.0.0.1', 'localhost'];
let ca: Pair;
let other: Pair;
let good: Pair;

const leaf = async (more: Partial<Parameters<typeof makeCertificate>[0]>) => {
  const made = await makeCertificate({ subject: 'CN=x', issuer: ca, names, ...more });
  return { cert: made.certificate, key: made.key, ciphers: 'DEFAULT@SECLEVEL=0' };
};
const own = () => ({ cert: good.certificate, key: good.key });
const old = (version: string) => ({
  ...{ ...own(), minVersion: version, maxVersion: version, ciphers: 'ALL@SECLEVEL=0' },
});

/** Each as the options of the server; the CA that signed is trusted, unless said otherwise. */
const servers: Readonly<Record<string, () => object | Promise<object>>> = {
  'an unknown CA': () => leaf({ issuer: other }),
  'itself as CA': async () => {
    const self = await makeCertificate({ subject: 'CN=127.0.0.1' });
    return { cert: self.certificate, key: self.key };
  },
  'another name': () => leaf({ names: ['bank.example'] }),
  'a wildcard for everything': () => leaf({ names: ['*'] }),
  'no name': () => leaf({ names: [] }),
  'a certificate that has expired': () => leaf({ notAfter: new Date(Date.now() - day) }),
  'a certificate of tomorrow': () => leaf({ notBefore: new Date(Date.now() + day) }),
  'a key of 1,024 bits': () => leaf({ weak: 'rsa-1024' }),
  'a signature by SHA-1': () => leaf({ weak: 'sha-1' }),
  'TLS 1.0': () => old('TLSv1'),
  'TLS 1.1': () => old('TLSv1.1'),
  'a cipher without encryption': () => ({ ...own(), maxVersion: 'TLSv1.2', ciphers: 'eNULL@SECLEVEL=0' }),
  'a client certificate of another CA': () => ({
    ...{ ...own(), ca: other.certificate, requestCert: true, rejectUnauthorized: true },
  }),
};
/** What an environment or an operator does to see it work. */
const tricks: Readonly<Record<string, { env?: NodeJS.ProcessEnv; flags?: string[] }>> = {
  nothing: {},
  NODE_TLS_REJECT_UNAUTHORIZED: { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } },
  'NODE_OPTIONS for old ciphers': {
    env: { NODE_OPTIONS: '--tls-min-v1.0 --tls-cipher-list=ALL:eNULL@SECLEVEL=0 --no-warnings' },
  },
  'both, and a CA of its own': {
    env: {
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_OPTIONS: '--tls-min-v1.0 --use-openssl-ca',
      NODE_EXTRA_CA_CERTS: '/dev/null',
    },
  },
  'curl, git and python': {
    env: {
      CURL_INSECURE: '1',
      GIT_SSL_NO_VERIFY: '1',
      PYTHONHTTPSVERIFY: '0',
      npm_config_strict_ssl: 'false',
    },
  },
};
const cells = Object.keys(servers).flatMap((server) =>
  Object.keys(tricks).map((trick) => ({ server, trick })),
);
const row = trials('9', 8);
const chosen = cells.map((_, at) => cells[(at * 8) % cells.length]!).slice(0, row.count);

let payer: Payer;
beforeAll(async () => {
  ca = await makeCertificate({ subject: 'CN=Test CA' });
  other = await makeCertificate({ subject: 'CN=Other CA' });
  good = await makeCertificate({ subject: 'CN=bank.example', issuer: ca, names });
  payer = await payerAt('https://127.0.0.1:1');
  writeFileSync(join(payer.home, 'ca.pem'), ca.certificate);
  const made = await payer.run('profile', 'edit', 'plain', '--ca', 'ca.pem');
  if (made.code !== 0) throw new Error(made.stderr);
});
afterAll(() => {
  row.report('0 requests delivered', chosen.length);
  payer.close();
});

interface Ended {
  code: number;
  stderr: string;
}

function obk(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const home = payer.home;
  const own = {
    ...{ PATH: process.env['PATH'], HOME: home, CI: 'true' },
    ...{ PLAIN_PASSWORD: 'c4n-pass-7Qz', PLAIN_CODE: '480071' },
    ...{ XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'state') },
  };
  return new Promise((done) => {
    const options = { env: { ...own, ...env }, cwd: home, timeout: 20_000 };
    execFile(process.execPath, [bin, ...args], options, (error, _stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stderr });
    });
  });
}

async function serve(tls: object): Promise<RawServer> {
  return rawServer((socket) => socket.end(wire('200 OK', '{}', ['Content-Type: application/json'])), tls);
}

it('obk reaches a bank that may be trusted', async () => {
  const server = await serve(own());
  const url = `https://127.0.0.1:${String(server.port)}`;
  await obk(['api', 'GET', 'v1/accounts', '-H', 'Consent-ID: c-1', '--base-url', url, '--no-input']);
  expect(server.arrivals).toHaveLength(1);
  await server.close();
});

it.each(chosen)(
  'obk sends nothing to a wrong server: $server, and $trick',
  { timeout: row.timeout(60_000) },
  async ({ server: name, trick }) => {
    const server = await serve(await servers[name]!());
    const { env, flags = [] } = tricks[trick]!;
    const url = `https://127.0.0.1:${String(server.port)}`;
    try {
      const ended = await obk(
        [...pay('5.00', ...secrets), '--base-url', url, '--timeout', '5s', ...flags],
        env,
      );
      // 7: nothing was sent. A refused client certificate is told by some servers after the request only.
      expect(ended.code, ended.stderr).toBe(7);
      expect(server.arrivals).toEqual([]);
      expect(server.received().length).toBe(0);
    } finally {
      await server.close();
    }
  },
);
