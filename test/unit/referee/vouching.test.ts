import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { expect, it } from 'vitest';
import { TppCertificates } from '../../../src/referee/signature/tpp-certificate.ts';
import { Secret } from '../../../src/base/secret.ts';
import { createTestCertificate } from '../../../src/signing/certificate.ts';
import type { IssuedCertificate } from '../../../src/signing/certificate.ts';

const now = new Date();
const valid = {
  notBefore: new Date(now.getTime() - 86_400_000),
  notAfter: new Date(now.getTime() + 86_400_000),
};

/** A certificate that is trusted, without the key usages, which OpenSSL looks at by itself. */
async function trusted(ca: boolean): Promise<IssuedCertificate> {
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=trusted',
      keys,
      ...valid,
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      extensions: [new x509.BasicConstraintsExtension(ca, undefined, true)],
    },
    webcrypto,
  );
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const keyPem = new Secret(`-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`);
  return { certificatePem: certificate.toString('pem'), keyPem };
}

const issuedBy = (ca: IssuedCertificate) =>
  createTestCertificate({
    ...valid,
    ca,
    type: 'qsealc',
    roles: ['PSP_PI'],
    organizationIdentifier: 'PSDDE-BAFIN-1',
    organizationName: 'A TPP',
    ncaName: 'BaFin',
    ncaId: 'DE-BAFIN',
  });

it.each([
  ['an authority vouches for those that it has issued', true, undefined],
  ['a TPP that is trusted cannot make others', false, 'certificate-issuer'],
])('%s', async (_, isAuthority, rule) => {
  const one = await trusted(isAuthority);
  const certificates = new TppCertificates([new X509Certificate(one.certificatePem)]);
  const { certificatePem } = await issuedBy(one);
  expect(
    certificates.read(new X509Certificate(certificatePem).raw.toString('base64'), now).mistake?.rule,
  ).toBe(rule);
});

it('a certificate that is trusted stands for itself', async () => {
  const own = await issuedBy(await trusted(true));
  const native = new X509Certificate(own.certificatePem);
  const certificates = new TppCertificates([native]);
  expect(certificates.read(native.raw.toString('base64'), now)).toMatchObject({
    certificate: { tpp: 'PSDDE-BAFIN-1' },
  });
  expect(certificates.read(native.raw.toString('base64'), now).mistake).toBeUndefined();
});
