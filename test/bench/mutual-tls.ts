import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeCertificate } from '../helpers/tls.ts';
import { pairedRatio } from './measure.ts';
import type { Machine } from './machine.ts';
import { peakOf } from './reports.ts';
import type { Figure } from './run.ts';

const pairs = 15;
const path = '/v1/payments/sepa-credit-transfers/p-1/status';

/** P4: one signed read over mutual TLS, beside a script of node:https that signs and sends the same request. */
export async function mutualTls(machine: Machine): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'obk-bench-'));
  const ca = await makeCertificate({ subject: 'CN=CA' });
  const bank = await makeCertificate({ subject: 'CN=Bank', issuer: ca, names: ['127.0.0.1'] });
  const tpp = await makeCertificate({ subject: 'CN=TPP', issuer: ca, names: ['tpp.example'] });
  const { certificatePath, keyPath } = machine.bank;
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const files = {
    ca: file('ca.pem', ca.certificate),
    cert: file('c.pem', tpp.certificate),
    key: file('k.pem', tpp.key),
  };
  const seen: string[][] = [];
  const server = createServer(
    {
      cert: bank.certificate,
      key: bank.key,
      ca: ca.certificate,
      requestCert: true,
      rejectUnauthorized: true,
    },
    (request, response) => {
      seen.push(Object.keys(request.headers).sort());
      response.setHeader('Content-Type', 'application/json');
      response.setHeader('X-Request-ID', request.headers['x-request-id'] ?? '');
      response.end('{"transactionStatus":"ACSC"}');
    },
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const baseUrl = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  machine.bank.obk(
    ...['profile', 'create', 'mutual', '--base-url', baseUrl, '--ca', files.ca],
    ...['--tls-certificate', files.cert, '--tls-key', files.key],
    ...['--certificate', certificatePath, '--key', keyPath],
  );
  const script = file('minimal.cjs', minimal({ ...files, certificatePath, keyPath, url: baseUrl + path }));
  const status = ['payment', 'status', 'p-1', '--product', 'sepa-credit-transfers', '--profile', 'mutual'];
  const obk = [...status, '--json', '--rate', 'off'];
  try {
    const beside = await pairedRatio(machine.obk(obk), machine.node([script]), pairs);
    const floor = await pairedRatio(machine.node([script]), machine.node(['-e', '0']), pairs);
    const [one = [], other = []] = seen;
    const same = one
      .filter((name) => !other.includes(name))
      .concat(other.filter((name) => !one.includes(name)));
    const bin = resolve(import.meta.dirname, '../../bin/obk.js');
    return [
      {
        ...{ id: 'P4', what: 'obk payment status (signed, mutual TLS) / node:https script' },
        ...{ ratio: beside.ratio, goal: 1.6 },
        note: `headers that only one side sends: ${same.join(', ') || 'none'}`,
      },
      {
        ...{ id: 'P4', what: 'the node:https script / node -e 0', ratio: floor.ratio, goal: Number.NaN },
        note: 'a third of it reads the root certificates of Node, which either side does',
      },
      { id: 'P4', what: 'its peak in MB', ratio: await peakOf(machine, folder, [bin, ...obk]), goal: 55 },
      {
        id: 'P4',
        what: "the script's peak in MB",
        ratio: await peakOf(machine, folder, [script]),
        goal: Number.NaN,
      },
    ];
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Sides {
  ca: string;
  cert: string;
  key: string;
  certificatePath: string;
  keyPath: string;
  url: string;
}

function minimal(sides: Sides): string {
  return `const { ca, cert, key, certificatePath, keyPath, url } = ${JSON.stringify(sides)};
const fs = require('node:fs'), https = require('node:https'), crypto = require('node:crypto');
const read = (path) => fs.readFileSync(path);
const x509 = new crypto.X509Certificate(read(certificatePath));
const id = crypto.randomUUID();
const digest = 'SHA-256=' + crypto.createHash('sha256').update('').digest('base64');
const signature = crypto.sign('sha256', Buffer.from('digest: ' + digest + '\\nx-request-id: ' + id), read(keyPath)).toString('base64');
const keyId = 'SN=' + x509.serialNumber.toLowerCase() + ',CA=' + x509.issuer.split('\\n').reverse().join(',').replaceAll(' ', '%20');
const headers = {
  'X-Request-ID': id, Date: new Date().toUTCString(), Accept: 'application/json', Digest: digest,
  Signature: 'keyId="' + keyId + '",algorithm="ecdsa-sha256",headers="digest x-request-id",signature="' + signature + '"',
  'TPP-Signature-Certificate': x509.raw.toString('base64'),
};
https.get(url, { ca: read(ca), cert: read(cert), key: read(key), agent: false, headers }, (answer) => {
  let text = '';
  answer.on('data', (chunk) => (text += chunk)).on('end', () => {
    if (answer.statusCode !== 200) process.exit(1);
    process.stdout.write(text + '\\n');
  });
});
`;
}
