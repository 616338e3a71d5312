import { defined } from '../base/defined.ts';
import { chainComplaints, leafOf } from './certificate-chain.ts';
import { inspectCertificate } from './certificate-report.ts';
import type { CertificateReport } from './certificate-report.ts';
import { identity, roleGaps, selfSigned, soon, statements, strength, validity } from './certificate-rules.ts';
import type { CertificatePurpose, Complaint, CertificateLintOptions } from './certificate-rules.ts';
import { asQsealc, asQwac, notes, remarks } from './certificate-use-rules.ts';

export type { CertificatePurpose, CertificateRole } from './certificate-rules.ts';

/**
 * One thing that a bank would refuse (error), that is remarkable (warning), or that is right and may surprise (note), with what
 * to do about it.
 */
export interface CertificateFinding {
  rule: string;
  severity: 'error' | 'warning' | 'note';
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

/**
 * Lists what is wrong with the certificate that a file is about, and with the chain beside it; what is wrong with the order
 * comes first. Throws CERTIFICATE_FILE.
 */
export function lintCertificates(
  ders: readonly Uint8Array[],
  wish: CertificateLintOptions,
): CertificateFinding[] {
  const reports = ders.map((der) => inspectCertificate(der));
  const at = leafOf(ders);
  const leaf = reports[at];
  if (leaf === undefined) return [];
  const as = wish.as ?? purposeOf(leaf);
  const chain = chainComplaints(ders, reports, at, { as, authorities: wish.authorities }).flatMap(
    ({ at: place, severity, ...complaint }) => finding(place + 1, severity, [complaint]),
  );
  const isOrder = ({ rule }: CertificateFinding) => rule === 'chain-order';
  const errors = [...validity(leaf, wish.now), ...strength(leaf, ders[at])];
  if (as !== 'server') {
    errors.push(...selfSigned(leaf), ...identity(leaf), ...statements(leaf), ...roleGaps(leaf, wish.needs));
    errors.push(...(as === 'qwac' ? asQwac(leaf) : asQsealc(leaf)));
  }
  const authorities = reports.flatMap((issuer, place) =>
    place === at || !isFirst(ders, place)
      ? []
      : finding(place + 1, 'error', [...datesOfIssuer(issuer, wish.now), ...strength(issuer, ders[place])]),
  );
  return [
    ...chain.filter(isOrder),
    ...finding(at + 1, 'error', errors),
    ...finding(at + 1, 'warning', [
      ...soon(leaf, wish),
      ...(as === 'server' ? selfSigned(leaf) : remarks(leaf, as)),
    ]),
    ...finding(at + 1, 'note', as === 'server' ? [] : notes(leaf, as)),
    ...chain.filter((one) => !isOrder(one)),
    ...authorities,
  ];
}

/** Authorities are named, since another certificate of them mends it and not one of the TPP. */
const datesOfIssuer = (issuer: CertificateReport, now: Date): Complaint[] =>
  validity(issuer, now).map(({ rule, text, ...complaint }) => ({
    ...complaint,
    rule: `chain-${rule}`,
    text: `${issuer.subject} in its chain: ${text.replace(/^It/, 'it')}`,
    hint: 'Take the chain anew from the trust service provider.',
  }));

/** False for a certificate that stood in the file before. */
function isFirst(ders: readonly Uint8Array[], place: number): boolean {
  const own = Buffer.from(ders[place] ?? []);
  return ders.findIndex((der) => own.equals(der)) === place;
}

function finding(
  certificate: number,
  severity: CertificateFinding['severity'],
  complaints: readonly Complaint[],
): CertificateFinding[] {
  return complaints.map(({ rule, text, hint, bankCode }) => ({
    rule,
    severity,
    text,
    hint,
    ...defined({ bankCode }),
    certificate,
  }));
}
