import { defined } from '../../base/defined.ts';
import { isFailure, ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { Profile } from '../../settings/records/profile.ts';
import type { Secret } from '../../base/secret.ts';
import { certificateFormat, readCertificateFile } from '../../signing/certificate-file.ts';
import type { CertificateFormat } from '../../signing/certificate-file.ts';
import { inspectCertificate } from '../../signing/certificate-report.ts';
import type { CertificateReport } from '../../signing/certificate-report.ts';
import { certificateText } from '../../signing/file-text.ts';
import { readableName, readName } from '../../signing/distinguished-name.ts';
import { certificateBody, spellSerial } from '../../signing/key-id.ts';
import { readSigningCertificate } from '../../signing/material.ts';
import { pkcs12Rounds } from '../../signing/pkcs12-rounds.ts';

/** Facts by which a person recognises a certificate; times are ISO 8601, UTC. */
export interface CertificateSummary {
  path: string;
  subject: string;
  issuer: string;
  serial: string;
  notBefore: string;
  notAfter: string;
  /** Whole days left; negative when it has expired. */
  daysLeft: number;
}

/** The use of a certificate in a profile: signing (QSealC), TLS (QWAC), or an authority to trust. */
export type CertificateUse = 'qsealc' | 'qwac' | 'ca';

/** The certificates of one file, server or setting of a profile, and the keys that came with them. */
export interface CertificateSet {
  /** A path, or host:port. */
  source: string;
  /** Known where a profile says it. */
  use?: CertificateUse;
  format: CertificateFormat | 'tls';
  certificates: readonly Uint8Array[];
  keys: readonly Secret[];
  /** The key file that the profile names for it. */
  keyPath?: string;
}

/** Where certificates are to be read from. */
export type CertificateSource =
  | { file: string }
  | { host: string; port: number }
  | { profile: Profile; ownBank?: { certificatePath: string; keyPath: string } | undefined };

/** One certificate as it is shown; what it does not say is null. */
export interface CertificateView {
  source: string;
  use: CertificateUse | null;
  format: CertificateSet['format'];
  /** Its place among those of the source, from 1. */
  position: number;
  of: number;
  subject: string;
  issuer: string;
  organizationIdentifier: string | null;
  organization: CertificateReport['organization'] | null;
  /** The same once more in the extension of the CA/B Forum. */
  cabfOrganizationIdentifier: NonNullable<CertificateReport['cabfOrganizationIdentifier']> | null;
  serial: string;
  serialDecimal: string;
  notBefore: string;
  notAfter: string;
  daysLeft: number;
  key: CertificateReport['key'];
  signatureAlgorithm: string;
  selfSigned: boolean;
  isCa: boolean;
  keyUsages: readonly string[];
  extendedKeyUsages: readonly string[];
  policies: readonly string[];
  alternativeNames: CertificateReport['alternativeNames'];
  qcStatements: Omit<NonNullable<CertificateReport['qcStatements']>, 'odd'> | null;
  fingerprints: CertificateReport['fingerprints'];
  keyIds: Readonly<Record<string, string>>;
  odd: readonly string[];
  pem: string;
}

const day = 24 * 60 * 60 * 1000;
/** serial, signature, issuer, validity, subject: RFC 5280 section 4.1. */
const subjectAt = 4;

/** Whole days from now to a time; negative after it. */
function daysUntil(time: Date, now: Date): number {
  return Math.floor((time.getTime() - now.getTime()) / day);
}

/** Reads the certificate of a file; throws INPUT_INVALID or CERTIFICATE_FILE. */
export async function summariseCertificate(ports: Ports, path: string): Promise<CertificateSummary> {
  const pem = certificateText(await ports.files.read(path));
  const certificate = readSigningCertificate(pem, path);
  const subject = certificateBody(certificate.der)[subjectAt];
  return {
    path,
    subject: subject === undefined ? '' : readableName(readName(subject)),
    issuer: readableName(certificate.issuer),
    serial: spellSerial(certificate.serial, 'hex'),
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
    daysLeft: daysUntil(certificate.notAfter, ports.clock.now()),
  };
}

/**
 * Reads all certificates of a source; `passphrase` is asked for only where a file is a PKCS#12. Throws INPUT_INVALID,
 * CERTIFICATE_FILE, KEY_PASSPHRASE, NOT_SENT, and PROFILE_INVALID for a profile without any.
 */
export async function readCertificates(
  ports: Ports,
  source: CertificateSource,
  passphrase: () => Promise<Secret | undefined>,
  signal?: AbortSignal,
): Promise<CertificateSet[]> {
  if ('file' in source) return [await readFileSet(ports, source.file, passphrase)];
  if ('host' in source) {
    const certificates = await ports.tlsPeers.chain(source.host, source.port, signal);
    return [{ source: `${source.host}:${String(source.port)}`, format: 'tls', certificates, keys: [] }];
  }
  const sets: CertificateSet[] = [];
  for (const { use, path, keyPath } of certificatePaths(source.profile, source.ownBank)) {
    const set = await readFileSet(ports, path, passphrase);
    sets.push({ ...set, use, ...defined({ keyPath }) });
  }
  if (sets.length > 0) return sets;
  throw new ObkError({
    code: 'PROFILE_INVALID',
    title: 'The profile has no certificate.',
    hint: ['obk profile edit NAME --certificate FILE --key FILE', 'obk cert inspect FILE'],
  });
}

/** The files with certificates that a profile names. */
export function certificatePaths(
  profile: Partial<Profile>,
  ownBank?: { certificatePath: string; keyPath: string },
): { use: CertificateUse; path: string; keyPath?: string }[] {
  const certificate = ownBank?.certificatePath ?? profile.certificate;
  const key = ownBank?.keyPath ?? profile.key;
  const entry = (use: CertificateUse, path?: string, keyPath?: string) =>
    path === undefined ? [] : [{ use, path, ...defined({ keyPath }) }];
  return [
    ...entry('qsealc', certificate, key),
    ...entry('qwac', profile.tlsCertificate, profile.tlsKey),
    ...entry('ca', profile.caCertificates),
  ];
}

/** From here on a file takes a second or more. */
const manyRounds = 50_000;

/** Says before a PKCS#12 file is opened that it will take a while, since nothing can be said meanwhile. */
export function tellSlow({ notices }: Pick<Ports, 'notices'>, bytes: Uint8Array, path: string): void {
  const rounds = pkcs12Rounds(bytes);
  if (rounds >= manyRounds)
    notices.say(`Opening ${path}: its passphrase goes through ${rounds} rounds, which takes a while ...`);
}

async function readFileSet(
  ports: Ports,
  path: string,
  passphrase: () => Promise<Secret | undefined>,
): Promise<CertificateSet> {
  const bytes = await ports.files.read(path);
  const isPkcs12 = certificateFormat(bytes) === 'pkcs12';
  const given = isPkcs12 ? await passphrase() : undefined;
  if (isPkcs12) tellSlow(ports, bytes, path);
  return { source: path, ...(await readCertificateFile(bytes, path, given)) };
}

/** Shows each certificate of a set; throws CERTIFICATE_FILE. */
export function viewCertificates(set: CertificateSet, now: Date): CertificateView[] {
  return set.certificates.map((der, at) => {
    const { organizationIdentifier, organization, notBefore, notAfter, qcStatements, ...report } =
      inspectCertificate(der);
    const { commonName: _, country: __, cabfOrganizationIdentifier, ...rest } = report;
    return {
      source: set.source,
      use: set.use ?? null,
      format: set.format,
      position: at + 1,
      of: set.certificates.length,
      ...rest,
      organizationIdentifier: organizationIdentifier ?? null,
      organization: organization ?? null,
      cabfOrganizationIdentifier: cabfOrganizationIdentifier ?? null,
      notBefore: notBefore.toISOString(),
      notAfter: notAfter.toISOString(),
      daysLeft: daysUntil(notAfter, now),
      qcStatements: qcStatements === undefined ? null : withoutOdd(qcStatements),
    };
  });
}

function withoutOdd({ odd: _, ...statements }: NonNullable<CertificateReport['qcStatements']>) {
  return statements;
}

/** How long a certificate of a profile is still good; one that cannot be read is listed with the reason. */
export interface CertificateExpiry {
  profile: string;
  use: CertificateUse;
  path: string;
  state: 'ok' | 'soon' | 'expired' | 'not-yet-valid' | 'unreadable';
  subject: string | null;
  notBefore: string | null;
  notAfter: string | null;
  daysLeft: number | null;
  error: string | null;
}

/** A profile whose certificates are listed. */
interface NamedProfile {
  name: string;
  profile: Partial<Profile>;
  ownBank?: { certificatePath: string; keyPath: string } | undefined;
}

/** Lists every certificate that a profile names, those of a chain each on its own. */
export async function expiryOf(
  ports: Ports,
  { name: profile, profile: settings, ownBank }: NamedProfile,
  withinDays: number,
): Promise<CertificateExpiry[]> {
  const now = ports.clock.now();
  const lists = certificatePaths(settings, ownBank).map(async ({ use, path }) => {
    try {
      const set = await readFileSet(ports, path, () => Promise.resolve(undefined));
      return viewCertificates(set, now).map((view): CertificateExpiry => {
        const { subject, notBefore, notAfter, daysLeft } = view;
        const state = stateOf(view, now, withinDays);
        return { profile, use, path, state, subject, notBefore, notAfter, daysLeft, error: null };
      });
    } catch (error) {
      if (!isFailure(error)) throw error;
      const why = [error.title, error.detail].filter((part) => part !== undefined).join(' ');
      const nothing = { subject: null, notBefore: null, notAfter: null, daysLeft: null };
      return [{ profile, use, path, state: 'unreadable' as const, ...nothing, error: why }];
    }
  });
  return (await Promise.all(lists)).flat();
}

function stateOf(
  { notBefore, notAfter, daysLeft }: CertificateView,
  now: Date,
  withinDays: number,
): CertificateExpiry['state'] {
  if (now > new Date(notAfter)) return 'expired';
  if (now < new Date(notBefore)) return 'not-yet-valid';
  return daysLeft <= withinDays ? 'soon' : 'ok';
}
