import { X509Certificate } from 'node:crypto';
import { inspectCertificate } from './certificate-report.ts';
import type { CertificateReport } from './certificate-report.ts';
import {
  asQsealc,
  asQwac,
  identity,
  remarks,
  roleGaps,
  soon,
  statements,
  strength,
  validity,
  when,
} from './certificate-rules.ts';
import type {
  CertificatePurpose,
  CertificateRole,
  Complaint,
  CertificateLintOptions,
} from './certificate-rules.ts';

export type { CertificatePurpose, CertificateRole } from './certificate-rules.ts';

/** One thing that a bank would refuse (error) or that is remarkable (warning), with what to do about it. */
export interface CertificateFinding {
  rule: string;
  severity: 'error' | 'warning';
  text: string;
  hint: string;
  /** The code with which a bank would refuse, where there is one (guidelines, section 14.11). */
  bankCode?: string;
  /** The place of the certificate in its file, from 1. */
  certificate: number;
}

/** Tells what a certificate is made for: by its QcType, else by its usages (ETSI EN 319 412-5 section 4.2.3). */
export function purposeOf(report: CertificateReport): CertificatePurpose {
  const { types = [] } = report.qcStatements ?? {};
  if (types.includes('web')) return 'qwac';
  if (types.includes('eseal')) return 'qsealc';
  return report.extendedKeyUsages.length > 0 ? 'qwac' : 'qsealc';
}

/** Lists what is wrong with the first certificate of a file and with the chain after it; throws CERTIFICATE_FILE. */
export function lintCertificates(
  ders: readonly Uint8Array[],
  wish: CertificateLintOptions,
): CertificateFinding[] {
  const [leaf, ...issuers] = ders.map((der) => inspectCertificate(der));
  if (leaf === undefined) return [];
  const as = wish.as ?? purposeOf(leaf);
  const errors = [...validity(leaf, wish.now), ...strength(leaf, ders[0])];
  if (as !== 'server') {
    errors.push(...identity(leaf), ...statements(leaf), ...roleGaps(leaf, wish.needs));
    errors.push(...(as === 'qwac' ? asQwac(leaf) : asQsealc(leaf)));
  }
  const found = finding(1, 'error', errors);
  found.push(...finding(1, 'warning', [...soon(leaf, wish), ...(as === 'server' ? [] : remarks(leaf, as))]));
  found.push(...chain(ders, [leaf, ...issuers], as));
  issuers.forEach((issuer, at) => {
    found.push(
      ...finding(at + 2, 'error', [...validity(issuer, wish.now), ...strength(issuer, ders[at + 1])]),
    );
  });
  return found;
}

function finding(
  certificate: number,
  severity: 'error' | 'warning',
  complaints: readonly Complaint[],
): CertificateFinding[] {
  return complaints.map(({ rule, text, hint, bankCode }) => ({
    rule,
    severity,
    text,
    hint,
    ...(bankCode === undefined ? {} : { bankCode }),
    certificate,
  }));
}

/**
 * Finds certificates that are not followed by their issuer; the last one's issuer may be an authority that the bank
 * knows.
 */
function chain(
  ders: readonly Uint8Array[],
  reports: readonly CertificateReport[],
  as: CertificateRole,
): CertificateFinding[] {
  const certificates = ders.map((der) => new X509Certificate(der));
  return certificates.flatMap((certificate, at) => {
    const next = certificates[at + 1];
    const report = reports[at];
    const issuer = report?.issuer ?? '';
    if (next === undefined) {
      // A signing certificate is sent without its chain; a TLS client sends the chain.
      const alone = at === 0 && as !== 'qsealc' && report?.selfSigned !== true;
      return finding(
        at + 1,
        'warning',
        when(alone, () => ({
          rule: 'chain-missing',
          text: `Its issuer ${issuer} is not in the file; a bank that knows only the root cannot check it.`,
          hint: 'Append the certificates of the intermediate authorities to the file.',
        })),
      );
    }
    const named = certificate.checkIssued(next);
    return finding(
      at + 1,
      'error',
      when(!named || !certificate.verify(next.publicKey), () => ({
        rule: 'chain-gap',
        text: named
          ? `It was not signed with the key of ${reports[at + 1]?.subject ?? ''}, which follows it.`
          : `Its issuer ${issuer} does not follow it in the file.`,
        hint: 'Put the file in order: your certificate, its issuer, the issuer of that, and so on.',
      })),
    );
  });
}
