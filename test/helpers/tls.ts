import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** A certificate and its key, both PEM, and the pair that signs others. */
export interface Pair {
  certificate: string;
  key: string;
  pair: CryptoKeyPair;
  subject: string;
}

type CryptoKeyPair = webcrypto.CryptoKeyPair;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** What nobody should take any more. */
const rsa1024 = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 1024,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
};
let serial = 1;

/** Makes a certificate: of a CA when there is no `issuer`, otherwise of a server or client with these names. */
export async function makeCertificate(options: {
  subject: string;
  issuer?: Pair;
  names?: readonly string[];
  notBefore?: Date;
  notAfter?: Date;
  weak?: 'rsa-1024' | 'sha-1';
  /** An authority below the issuer. */
  authority?: boolean;
  keyUsage?: 'keyCertSign' | 'digitalSignature';
}): Promise<Pair> {
  x509.cryptoProvider.set(webcrypto as never);
  const pair = await webcrypto.subtle.generateKey(options.weak === 'rsa-1024' ? rsa1024 : algorithm, true, [
    'sign',
    'verify',
  ]);
  const { subject, issuer, names = [] } = options;
  const isServer = issuer !== undefined && options.authority !== true;
  const usage = options.keyUsage;
  const extensions = isServer
    ? [
        new x509.SubjectAlternativeNameExtension(
          names.map((name) => ({
            type: /^[\d.]+$|:/.test(name) ? ('ip' as const) : ('dns' as const),
            value: name,
          })),
        ),
      ]
    : [
        new x509.BasicConstraintsExtension(true, undefined, true),
        ...(usage === undefined ? [] : [new x509.KeyUsagesExtension(x509.KeyUsageFlags[usage], true)]),
      ];
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: (serial++).toString(16).padStart(2, '0'),
    subject,
    issuer: issuer?.subject ?? subject,
    notBefore: options.notBefore ?? new Date(Date.now() - 86_400_000),
    notAfter: options.notAfter ?? new Date(Date.now() + 86_400_000),
    signingAlgorithm:
      options.weak === 'sha-1'
        ? { ...algorithm, hash: 'SHA-1' }
        : issuer
          ? algorithm
          : pair.privateKey.algorithm,
    publicKey: pair.publicKey as never,
    signingKey: (issuer?.pair ?? pair).privateKey as never,
    extensions,
  });
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', pair.privateKey));
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    certificate: certificate.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`,
    pair,
    subject,
  };
}
