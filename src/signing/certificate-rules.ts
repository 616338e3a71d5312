import { X509Certificate } from 'node:crypto';
import { countryFault } from '../standard/xs2a/countries.ts';
import type { CertificateReport } from './certificate-report.ts';
import { weakness } from './material.ts';
import { organizationIdentifierFault } from './organization-identifier.ts';
import type { Psd2Role } from './qc-statements.ts';

/** The use of a certificate: signing requests, or mutual TLS. */
export type CertificatePurpose = 'qsealc' | 'qwac';

/** The same, or that of a TLS server, which is no TPP. */
export type CertificateRole = CertificatePurpose | 'server';

/** The purpose, the roles and the day that a certificate is checked for. */
export interface CertificateLintOptions {
  /** Told from QcType and usages where it is absent. */
  as?: CertificateRole | undefined;
  /** Roles that are needed. */
  needs: readonly Psd2Role[];
  now: Date;
  soonDays: number;
  /** Certificates (DER) of authorities that are known beside the file; a chain that ends at a root of them is whole. */
  authorities?: readonly Uint8Array[];
}

const dayMs = 86_400_000;
export const newOne = 'Order another certificate from the trust service provider.';
export const reissue = 'Ask the trust service provider to reissue it with this corrected.';

/** The finding of a rule. */
export interface Complaint {
  rule: string;
  text: string;
  hint: string;
  bankCode?: string;
}

/** A complaint where the condition holds. */
export const when = (condition: boolean, complaint: () => Complaint): Complaint[] =>
  condition ? [complaint()] : [];
const date = (time: Date) => time.toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Says that a certificate is not valid now. */
export function validity({ notBefore, notAfter }: CertificateReport, now: Date): Complaint[] {
  return [
    ...when(now > notAfter, () => ({
      rule: 'expired',
      text: `It expired on ${date(notAfter)}.`,
      hint: newOne,
      bankCode: 'CERTIFICATE_EXPIRED',
    })),
    ...when(now < notBefore, () => ({
      rule: 'not-yet-valid',
      text: `It is not valid before ${notBefore.toISOString()}.`,
      hint: 'Check the clock of this machine, or wait.',
      bankCode: 'CERTIFICATE_INVALID',
    })),
  ];
}

/** Says that a certificate expires soon. */
export function soon(
  { notAfter }: CertificateReport,
  { now, soonDays }: CertificateLintOptions,
): Complaint[] {
  const left = notAfter.getTime() - now.getTime();
  return when(left >= 0 && left <= soonDays * dayMs, () => ({
    rule: 'expires-soon',
    text: `It expires on ${date(notAfter)}, in ${Math.floor(left / dayMs)} days.`,
    hint: `${newOne} Tell the banks at which this one is registered.`,
  }));
}

/** Says that the key, or the hash of the issuer's signature, is too weak (ETSI TS 119 312). */
export function strength(
  { signatureAlgorithm, selfSigned }: CertificateReport,
  der: Uint8Array = new Uint8Array(),
): Complaint[] {
  const weak = weakness(new X509Certificate(der).publicKey);
  return [
    ...when(weak !== undefined, () => ({
      rule: 'weak-key',
      text: `It has ${weak ?? ''}; banks take RSA from 2048 bits, or EC from 256 bits on a known curve.`,
      hint: 'Make a stronger key and order a certificate for it.',
      bankCode: 'CERTIFICATE_INVALID',
    })),
    // Nobody checks how a root signed itself.
    ...when(!selfSigned && /sha1|md5/i.test(signatureAlgorithm), () => ({
      rule: 'weak-hash',
      text: `Its issuer signed it with ${signatureAlgorithm}, which can be forged.`,
      hint: newOne,
      bankCode: 'CERTIFICATE_INVALID',
    })),
  ];
}

/** Says that nobody but its holder vouches for it. */
export const selfSigned = (report: CertificateReport): Complaint[] =>
  when(report.selfSigned, () => ({
    rule: 'self-signed',
    text: 'It is self-signed; banks accept only certificates of qualified trust service providers.',
    hint: newOne,
    bankCode: 'CERTIFICATE_INVALID',
  }));

/** Says why the subject is no TPP of a trust service provider. */
export function identity(report: CertificateReport): Complaint[] {
  const fault = organizationIdentifierFault(report.organizationIdentifier);
  const foreign = report.country === undefined ? undefined : countryFault(report.country);
  return [
    ...when(report.isCa, () => ({
      rule: 'authority',
      text: 'It is the certificate of an authority, not of a TPP.',
      hint: 'Put your own certificate first in the file.',
      bankCode: 'CERTIFICATE_INVALID',
    })),
    ...when(fault !== undefined, () => ({
      rule: 'organization-identifier',
      text: fault ?? '',
      hint: `${reissue} It looks like PSDDE-BAFIN-125314.`,
      bankCode: 'CERTIFICATE_INVALID',
    })),
    ...when(foreign !== undefined, () => ({
      rule: 'unknown-country',
      text: `Its subject names ${foreign ?? ''}.`,
      hint: reissue,
      bankCode: 'CERTIFICATE_INVALID',
    })),
  ];
}

/** Says what is wrong with the QCStatements (ETSI EN 319 412-5, TS 119 495). */
export function statements({ qcStatements, odd }: CertificateReport): Complaint[] {
  const bad = (rule: string, text: string): Complaint => ({
    rule,
    text,
    hint: reissue,
    bankCode: 'CERTIFICATE_INVALID',
  });
  const malformed = odd.map((text) => bad('malformed', text));
  if (qcStatements === undefined)
    return [
      ...malformed,
      bad('qc-statements', 'It has no QCStatements, so it is not a qualified certificate.'),
    ];
  const { compliance, psd2 } = qcStatements;
  const qualified = when(!compliance, () =>
    bad('qc-compliance', 'It does not state QcCompliance, so it is not a qualified certificate.'),
  );
  if (psd2 === undefined)
    return [
      ...malformed,
      ...qualified,
      bad('psd2-statement', 'It has no PSD2 statement (0.4.0.19495.2): no roles, no authority.'),
    ];
  const { ncaName, ncaId, roles } = psd2;
  const wellFormed = /^[A-Z]{2}-[A-Z]{2,8}$/.test(ncaId);
  const foreign = countryFault(ncaId.slice(0, 2));
  return [
    ...malformed,
    ...qualified,
    ...when(roles.length === 0, () => bad('roles', 'Its PSD2 statement names no role.')),
    ...when(wellFormed && foreign !== undefined, () =>
      bad('unknown-country', `Its authority id ${JSON.stringify(ncaId)} names ${foreign ?? ''}.`),
    ),
    ...when(!wellFormed, () =>
      bad(
        'nca-id',
        `Its authority id ${JSON.stringify(ncaId)} is not written as country, -, 2 to 8 letters, such as DE-BAFIN.`,
      ),
    ),
    ...when(ncaName === '' || ncaName.length > 256, () =>
      bad('nca-name', 'The name of its authority is empty or longer than 256 characters.'),
    ),
  ];
}

/** Names the roles that are needed and missing. */
export function roleGaps({ qcStatements }: CertificateReport, needs: readonly Psd2Role[]): Complaint[] {
  const held = (qcStatements?.psd2?.roles ?? []).map(({ name }) => name);
  return needs
    .filter((role) => !held.includes(role))
    .map((role) => ({
      rule: 'role-missing',
      text: `It lacks the role ${role}${held.length === 0 ? '' : ` (it has ${held.join(', ')})`}.`,
      hint: `${newOne} The authority must have granted that role first.`,
      bankCode: 'ROLE_INVALID',
    }));
}
