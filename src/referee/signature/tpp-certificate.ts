import { createHash, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { dotted, elements, tag } from './der.ts';
import type { Der } from './der.ts';
import { nameAttributes, nameSet, nameText } from './x500-names.ts';
import type { NameSet } from './x500-names.ts';
import type { SignatureMistake } from './mistake.ts';

/** The facts of a TPP's certificate that the bank needs. */
export interface TppCertificate {
  /** The organizationIdentifier: who the TPP is. */
  tpp: string;
  serial: bigint;
  issuer: NameSet;
  /** In the form of RFC 2253. */
  issuerText: string;
  /** PSP_AS, PSP_PI, PSP_AI, PSP_IC as the PSD2 statement names them. */
  roles: ReadonlySet<string>;
  /** The uses in QcType: eseal, web (ETSI EN 319 412-5). */
  types: ReadonlySet<string>;
  /** SHA-256 of the DER in base64url: x5t#S256 of RFC 8705. */
  thumbprint: string;
  publicKey: KeyObject;
  /** The names of CN and subjectAltName, wildcards and addresses as they stand there. */
  names: readonly string[];
  notBefore: number;
  notAfter: number;
  /** Spellings of keyId that were found to name it. */
  keyIds: Set<string>;
}

const organizationIdentifier = '2.5.4.97';
const qcStatements = '1.3.6.1.5.5.7.1.3';
const typeStatement = '0.4.0.1862.1.6';
const typeNames: Readonly<Record<string, string>> = {
  '0.4.0.1862.1.6.2': 'eseal',
  '0.4.0.1862.1.6.3': 'web',
};
const psd2Statement = '0.4.0.19495.2';
const roleNames: Readonly<Record<string, string>> = {
  '0.4.0.19495.1.1': 'PSP_AS',
  '0.4.0.19495.1.2': 'PSP_PI',
  '0.4.0.19495.1.3': 'PSP_AI',
  '0.4.0.19495.1.4': 'PSP_IC',
};

/** A certificate that was read, and what is wrong with it; one that cannot be read is not there. */
export interface CertificateRead {
  readonly certificate?: TppCertificate;
  readonly mistake?: Pick<SignatureMistake, 'rule' | 'code' | 'text'>;
}

const invalid = (
  rule: 'certificate-form' | 'certificate-issuer' | 'certificate-not-yet-valid' | 'certificate-use',
  text: string,
) => ({ rule, code: 'CERTIFICATE_INVALID', text });

/** Reads certificates from headers and remembers those that it has read. */
export class TppCertificates {
  readonly #trusted: readonly X509Certificate[] | undefined;
  readonly #held: readonly X509Certificate[];
  readonly #known = new Map<string, TppCertificate>();

  /** Without `trusted` the issuer is not judged; `held` are known beforehand, as those that are trusted by themselves are. */
  constructor(trusted: readonly X509Certificate[] | undefined, held: readonly X509Certificate[] = []) {
    this.#trusted = trusted;
    this.#held = [...held, ...(trusted ?? []).filter(({ ca }) => !ca)];
  }

  /** The certificates that need not be shown, since TPPs have registered them. */
  held(now: Date): readonly CertificateRead[] {
    return this.#held.map((native) => this.read(native.raw.toString('base64'), now));
  }

  /** Reads bare base64, one-line PEM, URL-encoded PEM or base64 of PEM and checks issuer and validity. */
  read(header: string, now: Date): CertificateRead {
    const known = this.#known.get(header);
    if (known !== undefined) return inTime(known, now);
    const native = parse(header);
    if (native === undefined)
      return { mistake: invalid('certificate-form', 'TPP-Signature-Certificate holds no certificate.') };
    return this.#learn(header, native, now);
  }

  /** Checks the certificate of a TLS connection in the same way; one that says that it is for seals is none for TLS. */
  readPeer(peer: X509Certificate, now: Date): CertificateRead {
    const known = this.#known.get(peer.fingerprint512);
    const read = known === undefined ? this.#learn(peer.fingerprint512, peer, now) : inTime(known, now);
    if (read.mistake?.rule === 'certificate-issuer') return read;
    const types = read.certificate?.types;
    if (types?.has('eseal') !== true || types.has('web')) return read;
    return {
      ...read,
      mistake: invalid('certificate-use', 'The client certificate is a QSealC; TLS takes a QWAC.'),
    };
  }

  #learn(name: string, native: X509Certificate, now: Date): CertificateRead {
    const issued = this.#trusted?.some((one) => vouchesFor(one, native));
    const certificate = facts(native);
    if (issued === false)
      return {
        ...(certificate && { certificate }),
        mistake: invalid('certificate-issuer', 'The certificate is of an unknown issuer.'),
      };
    if (certificate === undefined)
      return {
        mistake: invalid(
          'certificate-form',
          'The certificate has no organizationIdentifier or PSD2 statement.',
        ),
      };
    if (this.#known.size >= 100) this.#known.clear();
    this.#known.set(name, certificate);
    return inTime(certificate, now);
  }
}

/** A trusted certificate stands for itself, and for those that it has issued where it may issue any. */
function vouchesFor(trusted: X509Certificate, native: X509Certificate): boolean {
  if (trusted.fingerprint512 === native.fingerprint512) return true;
  return trusted.ca && native.checkIssued(trusted) && native.verify(trusted.publicKey);
}

function inTime(certificate: TppCertificate, now: Date): CertificateRead {
  if (now.getTime() < certificate.notBefore)
    return {
      certificate,
      mistake: invalid('certificate-not-yet-valid', 'The certificate is not valid yet.'),
    };
  if (now.getTime() <= certificate.notAfter) return { certificate };
  return {
    certificate,
    mistake: {
      rule: 'certificate-expired',
      code: 'CERTIFICATE_EXPIRED',
      text: 'The certificate has expired.',
    },
  };
}

function parse(header: string): X509Certificate | undefined {
  try {
    const text = header.includes('%') ? decodeURIComponent(header) : header;
    const plain = /^LS0tLS1CRUdJTi/.test(text) ? Buffer.from(text, 'base64').toString('latin1') : text;
    const base64 = plain.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
    return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}

/** Walks the DER of the certificate (RFC 5280) and of its PSD2 statement (ETSI TS 119 495); undefined where it is none of PSD2. */
function facts(native: X509Certificate): TppCertificate | undefined {
  try {
    const [certificate] = elements(native.raw);
    const [tbs] = within(certificate);
    const fields = within(tbs).filter((field) => field.tag !== 0xa0);
    const issuer = fields[2]?.content ?? new Uint8Array();
    const subject = nameAttributes(fields[4]?.content ?? new Uint8Array());
    const tpp = subject.find(({ oid }) => oid === organizationIdentifier)?.value;
    const { roles, types } = readStatements(fields.find((field) => field.tag === 0xa3)?.content);
    if (tpp === undefined || roles === undefined) return undefined;
    return {
      tpp,
      serial: BigInt(`0x${native.serialNumber}`),
      issuer: nameSet(issuer),
      issuerText: nameText(issuer),
      roles,
      types,
      thumbprint: createHash('sha256').update(native.raw).digest('base64url'),
      publicKey: native.publicKey,
      names: namesOf(native, subject),
      notBefore: Date.parse(native.validFrom),
      notAfter: Date.parse(native.validTo),
      keyIds: new Set(),
    };
  } catch {
    return undefined;
  }
}

const commonName = '2.5.4.3';

function namesOf(native: X509Certificate, subject: readonly { oid: string; value: string }[]): string[] {
  const alternatives = (native.subjectAltName ?? '').split(', ').flatMap((name) => {
    const [, value] = /^(?:DNS|IP Address):([^"]+)$/.exec(name) ?? [];
    return value ?? [];
  });
  return [...subject.flatMap(({ oid, value }) => (oid === commonName ? [value] : [])), ...alternatives];
}

const nothing = new Uint8Array();
/** The elements within one; none where it is not there. */
const within = (element: Der | undefined): Der[] => elements(element?.content ?? nothing);
const nameOf = (element: Der | undefined): string => dotted(element?.content ?? nothing);

function readStatements(extensions: Uint8Array | undefined): { roles?: Set<string>; types: Set<string> } {
  const found: { roles?: Set<string>; types: Set<string> } = { types: new Set() };
  const [list] = elements(extensions ?? nothing);
  for (const extension of within(list)) {
    const parts = within(extension);
    if (nameOf(parts[0]) !== qcStatements) continue;
    const [statements] = within(parts.find((part) => part.tag === tag.octets));
    for (const statement of within(statements)) {
      const [id, info] = within(statement);
      const kind = nameOf(id);
      const content = within(info);
      if (kind === psd2Statement) found.roles = new Set(within(content[0]).map(roleName));
      if (kind === typeStatement) found.types = new Set(content.map((type) => typeNames[nameOf(type)] ?? ''));
    }
  }
  return found;
}

function roleName(role: Der): string {
  const [oid] = within(role);
  const id = nameOf(oid);
  return roleNames[id] ?? id;
}
