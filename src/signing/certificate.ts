import { defined } from '../base/defined.ts';
import 'reflect-metadata';
import { createPrivateKey, generateKeyPair, webcrypto } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import * as x509 from '@peculiar/x509';
import { Secret } from '../base/secret.ts';
import { encodeElement, tags } from './der.ts';
import {
  cabfOrganizationIdentifierOid,
  encodeCabfOrganizationIdentifier,
  organizationIdentifierOid,
} from './organization-identifier.ts';
import { certificatePem, certificatesIn } from './pem.ts';
import type { PdsLocation, Psd2Role } from './qc-statements.ts';
import { encodeQcStatements, qcStatementsOid } from './qc-statements.ts';

/** A certificate made here with its private key (PKCS #8 PEM). */
export interface IssuedCertificate {
  certificatePem: string;
  keyPem: Secret;
}

/** The key to make: RSA (2048 bits unless `rsaBits` says more or less) or EC on P-256. */
export interface KeyChoice {
  keyType?: 'rsa' | 'ec';
  rsaBits?: number;
}

/** The validity to write, in whole seconds, and the serial number in hex (random where it is missing). */
export interface Issue {
  notBefore: Date;
  notAfter: Date;
  serial?: string;
}

/** A test authority; `subject` holds name and value pairs in certificate order (C, O, 2.5.4.97, CN ...). */
export interface TestCaOptions extends KeyChoice, Issue {
  subject?: readonly (readonly [type: string, value: string])[];
}

/** A test certificate of a TPP: QSealC for signing or QWAC for TLS, with a PSD2 statement. */
export interface TestCertificateOptions extends KeyChoice, Issue {
  type: 'qsealc' | 'qwac';
  ca: IssuedCertificate;
  roles: readonly Psd2Role[];
  organizationIdentifier: string;
  organizationName: string;
  commonName?: string;
  /** Two letters; the registration number's country where it is missing. */
  country?: string;
  ncaName: string;
  ncaId: string;
  /** The first one is the common name of a QWAC, where no other is given. */
  dnsNames?: readonly string[];
  /** Where the disclosure statements stand; a made-up one in English where none are given. */
  pds?: readonly PdsLocation[];
}

/** A TLS server's certificate; loopback names and addresses where none are given. */
export interface ServerCertificateOptions extends KeyChoice, Issue {
  ca: IssuedCertificate;
  dnsNames?: readonly string[];
  ipAddresses?: readonly string[];
}

const testMark = 'TEST ONLY - NOT QUALIFIED';
/** nsComment: the one extension that programs show as plain text. */
const commentOid = '2.16.840.1.113730.1.13';
const testPds: readonly PdsLocation[] = [{ url: 'https://obk.example/test-pds-en.pdf', language: 'en' }];
const policies = { qsealc: '0.4.0.194112.1.1', qwac: '0.4.0.19495.3.1' } as const;

const generateKey = promisify(generateKeyPair);

/** Makes a self-signed test authority, plainly marked as one. */
export async function createTestCa(options: TestCaOptions): Promise<IssuedCertificate> {
  const subject = options.subject ?? [
    ['C', 'DE'],
    ['O', 'obk test trust service'],
    ['OU', testMark],
    [organizationIdentifierOid, 'VATDE-000000000'],
    ['CN', 'obk test CA'],
  ];
  return issue(options, subject, [
    new x509.BasicConstraintsExtension(true, 0, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
  ]);
}

/** Makes a test QSealC or QWAC with QCStatements as ETSI TS 119 495 wants them, plainly marked as a test. */
export async function createTestCertificate(options: TestCertificateOptions): Promise<IssuedCertificate> {
  const { type, roles, ncaName, ncaId, organizationIdentifier, organizationName, dnsNames = [] } = options;
  const { pds = testPds } = options;
  // RFC 5280, section A.1: a common name has 64 characters at most.
  const host = type === 'qwac' ? dnsNames.find((name) => name.length <= 64) : undefined;
  const subject = [
    ['C', options.country ?? organizationIdentifier.slice(3, 5)],
    ['O', organizationName],
    ['OU', testMark],
    [organizationIdentifierOid, organizationIdentifier],
    ['CN', options.commonName ?? host ?? organizationName],
  ] as const;
  const { clientAuth, serverAuth } = x509.ExtendedKeyUsage;
  let usages = x509.KeyUsageFlags.digitalSignature;
  if (type === 'qsealc') usages |= x509.KeyUsageFlags.nonRepudiation;
  return issue(options, subject, [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(usages, true),
    ...(type === 'qwac' ? [new x509.ExtendedKeyUsageExtension([clientAuth, serverAuth])] : []),
    new x509.CertificatePolicyExtension([policies[type]]),
    ...alternativeNames(dnsNames, []),
    new x509.Extension(
      qcStatementsOid,
      false,
      encodeQcStatements({ type: type === 'qsealc' ? 'eseal' : 'web', roles, ncaName, ncaId, pds }),
    ),
    ...(type === 'qwac' ? repeated(organizationIdentifier) : []),
  ]);
}

/** The organizationIdentifier once more, as a QWAC has it. */
function repeated(organizationIdentifier: string): x509.Extension[] {
  const [, scheme, country, reference] = /^([A-Z]{3})([A-Z]{2})-(.+)$/.exec(organizationIdentifier) ?? [];
  if (scheme === undefined || country === undefined || reference === undefined) return [];
  const value = encodeCabfOrganizationIdentifier({ scheme, country, reference });
  return [new x509.Extension(cabfOrganizationIdentifierOid, false, value)];
}

/** Makes a TLS certificate for a test server on this machine, which it may also show as a client (guide 1.0 of the notification service, 3). */
export async function createServerCertificate(options: ServerCertificateOptions): Promise<IssuedCertificate> {
  const { dnsNames = ['localhost'], ipAddresses = ['127.0.0.1', '::1'] } = options;
  const subject = [
    ['OU', testMark],
    ['CN', dnsNames[0] ?? ipAddresses[0] ?? 'localhost'],
  ] as const;
  return issue(options, subject, [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
    ...alternativeNames(dnsNames, ipAddresses),
  ]);
}

function alternativeNames(dnsNames: readonly string[], ipAddresses: readonly string[]): x509.Extension[] {
  const names = [
    ...dnsNames.map((value) => ({ type: 'dns', value }) as const),
    ...ipAddresses.map((value) => ({ type: 'ip', value }) as const),
  ];
  return names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)];
}

async function newKey({ keyType = 'ec', rsaBits = 2048 }: KeyChoice) {
  return keyType === 'rsa'
    ? generateKey('rsa', { modulusLength: rsaBits })
    : generateKey('ec', { namedCurve: 'prime256v1' });
}

async function signingKey(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const pkcs8 = key.export({ format: 'der', type: 'pkcs8' });
  const algorithm =
    key.asymmetricKeyType === 'rsa'
      ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
      : { name: 'ECDSA', namedCurve: 'P-256' };
  return webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
}

/** Countries are PrintableString by RFC 5280, all else UTF8String as trust service providers write it. */
function nameOf(subject: readonly (readonly [string, string])[]): x509.Name {
  return new x509.Name(
    subject.map(([type, value]): Record<string, x509.JsonAttributeObject[]> => ({
      [type]: [type === 'C' ? { printableString: value } : { utf8String: value }],
    })),
  );
}

/** Makes a key and its certificate; without an authority it is signed with its own key. */
async function issue(
  { notBefore, notAfter, serial, ca, ...choice }: Issue & KeyChoice & { ca?: IssuedCertificate },
  subject: readonly (readonly [string, string])[],
  extensions: x509.Extension[],
): Promise<IssuedCertificate> {
  const { publicKey, privateKey } = await newKey(choice);
  const spki = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }));
  const authority =
    ca === undefined
      ? undefined
      : new x509.X509Certificate(new Uint8Array(certificatesIn(ca.certificatePem)[0]));
  const caKey = ca === undefined ? privateKey : createPrivateKey(ca.keyPem.reveal());
  const name = nameOf(subject);
  const comment = encodeElement(
    tags.ia5String,
    Buffer.from('Test certificate made by obk; not qualified.', 'ascii'),
  );
  const certificate = await x509.X509CertificateGenerator.create({
    ...defined({ serialNumber: serial }),
    subject: name,
    issuer: authority?.subjectName ?? name,
    notBefore,
    notAfter,
    publicKey: spki,
    signingKey: await signingKey(caKey),
    extensions: [
      ...extensions,
      await x509.SubjectKeyIdentifierExtension.create(spki),
      await x509.AuthorityKeyIdentifierExtension.create(authority?.publicKey ?? spki),
      new x509.Extension(commentOid, false, comment),
    ],
  });
  const keyPem = privateKey.export({ format: 'pem', type: 'pkcs8' });
  return {
    certificatePem: certificatePem(new Uint8Array(certificate.rawData)),
    keyPem: new Secret(keyPem.toString()),
  };
}
