import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Oddity } from '../../../helpers/bank-settings.ts';
import { makeCertificate } from '../../../helpers/tls.ts';

const ca = await makeCertificate({ subject: 'CN=Test CA' });
const here = await makeCertificate({ subject: 'CN=bank.example', issuer: ca, names: ['127.0.0.1'] });
const named = await makeCertificate({ subject: 'CN=bank.example', issuer: ca, names: ['bank.example'] });
const caFile = join(mkdtempSync(join(tmpdir(), 'obk-tls-')), 'ca.pem');
writeFileSync(caFile, ca.certificate);
const pinOf = (certificate: string) =>
  createHash('sha256')
    .update(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');

const common = {
  bank: () => [200, { accounts: [] }] as const,
  always: { baseUrl: 'https://127.0.0.1:{port}' },
  run: [['api', 'getAccountList', '-H', 'Consent-ID: c']],
};
const flags = ['--ca', caFile];
const server = { cert: here.certificate, key: here.key };

/** Banks with a TLS of their own. */
export const transport: readonly Oddity[] = [
  {
    ...common,
    about: 'a bank that has weaker ones alone',
    tls: { ...server, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' },
    settings: { tls: { ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' } },
    flags,
    without: 0,
    code: 7,
  },
  {
    ...common,
    about: 'a bank that has fallen behind',
    tls: { ...server, maxVersion: 'TLSv1.2' },
    settings: { tls: { minVersion: 'TLSv1.3' } },
    flags,
    without: 0,
    code: 7,
  },
  {
    ...common,
    about: 'somebody else with a certificate of the same authority',
    tls: server,
    settings: { tls: { serverPins: [pinOf(named.certificate)] } },
    flags,
    without: 0,
    code: 7,
  },
];
