// Own code because @peculiar/x509 refuses a whole certificate for one damaged extension, and real ones have such.
import { defined } from '../base/defined.ts';
import { X509Certificate } from 'node:crypto';
import { ObkError } from '../base/errors.ts';
import type { DerElement } from './der.ts';
import { expectElement, oidText, readElement, readElements, tags } from './der.ts';
import type { DistinguishedName, NameSpelling } from './distinguished-name.ts';
import { nameAttribute, nameSpellings, readableName, readName } from './distinguished-name.ts';
import { certificateBody, keyId, keyIdFacts, spellSerial } from './key-id.ts';
import type { SerialSpelling } from './key-id.ts';
import type { CabfOrganizationIdentifier, OrganizationIdentifier } from './organization-identifier.ts';
import {
  cabfOrganizationIdentifierOid,
  organizationIdentifierOid,
  readCabfOrganizationIdentifier,
  readOrganizationIdentifier,
} from './organization-identifier.ts';
import { certificatePem, certificatesIn } from './pem.ts';
import type { QcStatements } from './qc-statements.ts';
import { qcStatementsOid, readQcStatements } from './qc-statements.ts';

/** The content of a certificate, for people and checks; names as text of other people (clean before printing). */
export interface CertificateReport {
  subject: string;
  issuer: string;
  commonName: string | undefined;
  /** Two letters, of the subject. */
  country: string | undefined;
  /** Attribute 2.5.4.97, such as PSDDE-BAFIN-125314: the TPP's registration number. */
  organizationIdentifier: string | undefined;
  /** The same taken apart; undefined where it has no known form. */
  organization: OrganizationIdentifier | undefined;
  /** The same as the extension of the CA/B Forum repeats it. */
  cabfOrganizationIdentifier: CabfOrganizationIdentifier | undefined;
  /** Lower-case hex without leading zeros. */
  serial: string;
  serialDecimal: string;
  notBefore: Date;
  notAfter: Date;
  /** `size` is the modulus in bits, `curve` OpenSSL's name of it. */
  key: { type: string; size?: number; curve?: string };
  /** How the authority signed it: sha256WithRSAEncryption and the like, or dotted text. */
  signatureAlgorithm: string;
  selfSigned: boolean;
  isCa: boolean;
  keyUsages: string[];
  /** Names such as clientAuth, or dotted text. */
  extendedKeyUsages: string[];
  policies: string[];
  alternativeNames: { type: string; value: string }[];
  /** Undefined where the certificate does not claim to be qualified. */
  qcStatements: QcStatements | undefined;
  /** Hashes of the DER, lower-case hex. */
  fingerprints: { sha256: string; sha1: string };
  /** The keyId of the guidelines' form in each spelling of the issuer that banks are known to expect. */
  keyIds: Record<NameSpelling, string>;
  /** Deviations from the standards, in words. */
  odd: string[];
  pem: string;
}

const keyUsageNames = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
];

const extendedUsageNames: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
  '1.3.6.1.5.5.7.3.3': 'codeSigning',
  '1.3.6.1.5.5.7.3.4': 'emailProtection',
  '1.3.6.1.5.5.7.3.8': 'timeStamping',
  '1.3.6.1.5.5.7.3.9': 'ocspSigning',
  '2.5.29.37.0': 'anyExtendedKeyUsage',
};

const signatureNames: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.4': 'md5WithRSAEncryption',
  '1.2.840.113549.1.1.5': 'sha1WithRSAEncryption',
  '1.2.840.113549.1.1.10': 'rsassaPss',
  '1.2.840.113549.1.1.11': 'sha256WithRSAEncryption',
  '1.2.840.113549.1.1.12': 'sha384WithRSAEncryption',
  '1.2.840.113549.1.1.13': 'sha512WithRSAEncryption',
  '1.2.840.10045.4.1': 'ecdsa-with-SHA1',
  '1.2.840.10045.4.3.2': 'ecdsa-with-SHA256',
  '1.2.840.10045.4.3.3': 'ecdsa-with-SHA384',
  '1.2.840.10045.4.3.4': 'ecdsa-with-SHA512',
};

/** GeneralName by its context tag (RFC 5280 section 4.2.1.6); others are left out. */
const nameKinds: Readonly<Record<number, string>> = { 0x81: 'email', 0x82: 'dns', 0x86: 'url', 0x87: 'ip' };

/** How each spelling of the issuer is usually joined with one of the serial number. */
const serialBeside: Readonly<Partial<Record<NameSpelling, SerialSpelling>>> = {
  dotnet: 'HEX-signed',
  'dotnet-linux': 'HEX-signed',
  'openssl-rfc2253': 'HEX',
  openssl: 'HEX',
  'certificate-order': 'HEX',
};

/**
 * Tells what a certificate says, from PEM, one-line PEM, URL-encoded PEM, bare base64 or DER (the first of
 * several); throws CERTIFICATE_FILE (RFC 5280, ETSI EN 319 412, ETSI TS 119 495).
 */
export function inspectCertificate(certificate: string | Uint8Array): CertificateReport {
  const der = typeof certificate === 'string' ? certificatesIn(certificate)[0] : certificate;
  try {
    return report(der);
  } catch (cause) {
    if (cause instanceof ObkError) throw cause;
    throw new ObkError({ code: 'CERTIFICATE_FILE', title: 'The certificate cannot be read.', cause });
  }
}

function report(der: Uint8Array): CertificateReport {
  const native = new X509Certificate(der);
  const body = certificateBody(der);
  const facts = keyIdFacts(der);
  const subject = readName(expectElement(body, 4, tags.sequence));
  const { modulusLength, namedCurve } = native.publicKey.asymmetricKeyDetails ?? {};
  const organizationIdentifier = nameAttribute(subject, organizationIdentifierOid);
  const { odd, ...extensions } = readExtensions(body);
  const plain = (fingerprint: string) => fingerprint.replaceAll(':', '').toLowerCase();
  const spelled = nameSpellings.map((issuer): [string, string] => {
    const serial = serialBeside[issuer] ?? 'hex';
    return [issuer, keyId(facts, { template: 'SN={serial},CA={issuer}', serial, issuer })];
  });
  return {
    subject: readableName(subject),
    issuer: readableName(facts.issuer),
    commonName: nameAttribute(subject, '2.5.4.3'),
    country: nameAttribute(subject, '2.5.4.6'),
    organizationIdentifier,
    organization:
      organizationIdentifier === undefined ? undefined : readOrganizationIdentifier(organizationIdentifier),
    serial: spellSerial(facts.serial, 'hex'),
    serialDecimal: spellSerial(facts.serial, 'dec'),
    notBefore: new Date(native.validFrom),
    notAfter: new Date(native.validTo),
    key: {
      type: native.publicKey.asymmetricKeyType ?? 'unknown',
      ...defined({ size: modulusLength, curve: namedCurve }),
    },
    signatureAlgorithm: signatureAlgorithm(der),
    selfSigned: native.subject === native.issuer && native.checkIssued(native),
    ...extensions,
    fingerprints: { sha256: plain(native.fingerprint256), sha1: plain(native.fingerprint) },
    keyIds: Object.fromEntries(spelled) as Record<NameSpelling, string>,
    odd: [...odd, ...twice(subject), ...(extensions.qcStatements?.odd ?? [])],
    pem: certificatePem(der),
  };
}

/** What a subject may have once only, because a bank reads the first or the last of them. */
const single: readonly (readonly [oid: string, name: string])[] = [
  [organizationIdentifierOid, 'organizationIdentifier'],
  ['2.5.4.6', 'country'],
  ['2.5.4.3', 'common name'],
];

function twice(subject: DistinguishedName): string[] {
  return single.flatMap(([oid, name]) => {
    const times = subject.flat().filter((attribute) => attribute.oid === oid).length;
    return times > 1 ? [`The subject has ${times} attributes ${name}.`] : [];
  });
}

function signatureAlgorithm(der: Uint8Array): string {
  const parts = readElements(expectElement([readElement(der)], 0, tags.sequence).content);
  const algorithm = readElements(expectElement(parts, 1, tags.sequence).content);
  const oid = oidText(expectElement(algorithm, 0, tags.oid).content);
  return signatureNames[oid] ?? oid;
}

type Extensions = Pick<
  CertificateReport,
  | 'isCa'
  | 'keyUsages'
  | 'extendedKeyUsages'
  | 'policies'
  | 'alternativeNames'
  | 'cabfOrganizationIdentifier'
  | 'qcStatements'
  | 'odd'
>;

/** Readers of the known extensions, each from the DER value (RFC 5280 section 4.2.1). */
const readers: Readonly<Record<string, (value: Uint8Array) => Partial<Extensions>>> = {
  '2.5.29.15': (value) => {
    const [, first = 0, second = 0] = expectElement([readElement(value)], 0, tags.bitString).content;
    const bits = (first << 8) | second;
    return { keyUsages: keyUsageNames.filter((_, bit) => (bits & (0x8000 >> bit)) !== 0) };
  },
  '2.5.29.19': (value) => ({
    isCa: listed(value)[0]?.tag === tags.boolean && listed(value)[0]?.content[0] !== 0,
  }),
  '2.5.29.37': (value) => ({
    extendedKeyUsages: listed(value).map(({ content }) => {
      const oid = oidText(content);
      return extendedUsageNames[oid] ?? oid;
    }),
  }),
  '2.5.29.32': (value) => ({
    policies: listed(value).map(({ content }) =>
      oidText(expectElement(readElements(content), 0, tags.oid).content),
    ),
  }),
  '2.5.29.17': (value) => ({
    alternativeNames: listed(value).flatMap(({ tag, content }) => {
      const type = nameKinds[tag];
      return type === undefined ? [] : [{ type, value: type === 'ip' ? address(content) : ascii(content) }];
    }),
  }),
  [cabfOrganizationIdentifierOid]: (value) => ({
    cabfOrganizationIdentifier: readCabfOrganizationIdentifier(value),
  }),
  [qcStatementsOid]: (value) => ({ qcStatements: readQcStatements(value) }),
};

function readExtensions(body: readonly DerElement[]): Extensions {
  const found: Extensions = {
    isCa: false,
    keyUsages: [],
    extendedKeyUsages: [],
    policies: [],
    alternativeNames: [],
    cabfOrganizationIdentifier: undefined,
    qcStatements: undefined,
    odd: [],
  };
  const seen = new Set<string>();
  const field = body.find(({ tag }) => tag === 0xa3);
  for (const { content } of field === undefined ? [] : listed(field.content)) {
    const parts = readElements(content);
    const oid = oidText(expectElement(parts, 0, tags.oid).content);
    const value = parts.find(({ tag }) => tag === tags.octetString)?.content;
    // RFC 5280, section 4.2: the first counts, and programs differ in what they make of it.
    if (seen.has(oid)) {
      found.odd.push(`The extension ${oid} is there more than once.`);
      continue;
    }
    seen.add(oid);
    try {
      if (value !== undefined) Object.assign(found, readers[oid]?.(value));
    } catch {
      found.odd.push(`The extension ${oid} is damaged.`);
    }
  }
  return found;
}

/** The elements of a SEQUENCE that is the whole of the value. */
function listed(value: Uint8Array): DerElement[] {
  return readElements(expectElement([readElement(value)], 0, tags.sequence).content);
}

function ascii(content: Uint8Array): string {
  return Buffer.from(content).toString('latin1');
}

function address(content: Uint8Array): string {
  if (content.length === 4) return content.join('.');
  const groups = Buffer.from(content).toString('hex').match(/.{4}/g) ?? [];
  return groups.map((group) => group.replace(/^0{1,3}/, '')).join(':');
}
