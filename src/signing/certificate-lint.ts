import { defined } from '../base/defined.ts';
import { chainComplaints, leafOf } from './certificate-chain.ts';
import { inspectCertificate } from './certificate-report.ts';
import type { CertificateReport } from './certificate-report.ts';
import {
  identity,
  roleGaps,
  selfSigned,
  soon,
  statements,
  strength,
  validity,
  newOne,
  reissue,
  when,
} from './certificate-rules.ts';
import type { CertificatePurpose, Complaint, CertificateLintOptions } from './certificate-rules.ts';
import { domainToASCII } from 'node:url';
import { hasBlank, joinedIdentifier } from './organization-identifier.ts';

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

const wrongUse = (text: string, hint: string): Complaint => ({
  rule: 'wrong-use',
  text,
  hint,
  bankCode: 'CERTIFICATE_INVALID',
});

/** Policies of certificates for web sites: of PSD2, qualified with and without EV, and those of the CA/B Forum. */
const webPolicy = /^(0\.4\.0\.19495\.3\.1|0\.4\.0\.194112\.1\.[456]|2\.23\.140\.1\..*)$/;
/** Policies of signatures and seals of natural and legal persons, on a device or not. */
const signingPolicy = /^0\.4\.0\.194112\.1\.[0123]$/;
const evPolicy = '2.23.140.1.1';

const without = (list: readonly string[], pattern: RegExp) => list.filter((policy) => pattern.test(policy));

/** Says why a certificate cannot be a QWAC (ETSI EN 319 412-4). */
function asQwac(report: CertificateReport): Complaint[] {
  const { qcStatements, keyUsages, extendedKeyUsages, policies } = report;
  const { cabfOrganizationIdentifier: repeated, organizationIdentifier } = report;
  const types = qcStatements?.types ?? [];
  const foreign = without(policies, signingPolicy);
  const joined = repeated && joinedIdentifier(repeated);
  return [
    ...when(qcStatements !== undefined && !types.includes('web'), () =>
      wrongUse(
        `As a QWAC its QcType must be web; it is ${types.join(', ') || 'not stated'}.`,
        'Use the QWAC for TLS, and this one for signing.',
      ),
    ),
    ...when(foreign.length > 0, () =>
      wrongUse(
        `As a QWAC it must not have the policy of a seal or signature: ${foreign.join(', ')}.`,
        reissue,
      ),
    ),
    // RFC 5280, section 4.2.1.12: without the extension every use is allowed.
    ...when(extendedKeyUsages.length > 0 && !allows(extendedKeyUsages, 'clientAuth'), () =>
      wrongUse(
        'As a QWAC it needs the extended key usage clientAuth: TLS servers refuse it from a client.',
        reissue,
      ),
    ),
    ...when(keyUsages.length > 0 && !keyUsages.includes('digitalSignature'), () =>
      wrongUse('As a QWAC it needs the key usage digitalSignature.', reissue),
    ),
    ...when(joined !== undefined && joined !== organizationIdentifier, () => ({
      rule: 'cabf-differs',
      text: `Its cabfOrganizationIdentifier makes ${joined ?? ''}, its organizationIdentifier is ${organizationIdentifier ?? 'missing'}.`,
      hint: reissue,
      bankCode: 'CERTIFICATE_INVALID',
    })),
  ];
}

const allows = (usages: readonly string[], usage: string) =>
  usages.includes(usage) || usages.includes('anyExtendedKeyUsage');

/** Says why a certificate cannot be a QSealC (ETSI EN 319 412-3, and the key usages of EN 319 412-2 section 4.3.2). */
function asQsealc(report: CertificateReport): Complaint[] {
  const { qcStatements, keyUsages, extendedKeyUsages, policies } = report;
  const types = qcStatements?.types ?? [];
  const foreign = without(policies, webPolicy);
  return [
    ...when(qcStatements !== undefined && !types.includes('eseal'), () =>
      wrongUse(
        `As a QSealC its QcType must be eseal; it is ${types.join(', ') || 'not stated'}.`,
        'Use the QSealC for signing, and this one for TLS.',
      ),
    ),
    ...when(foreign.length > 0, () =>
      wrongUse(`As a QSealC it must not have the policy of a web site: ${foreign.join(', ')}.`, reissue),
    ),
    ...when(keyUsages.length === 0, () => ({
      rule: 'no-key-usage',
      text: 'It has no key usage; a QSealC must have nonRepudiation, alone or with others.',
      hint: reissue,
      bankCode: 'CERTIFICATE_INVALID',
    })),
    ...when(
      keyUsages.length > 0 &&
        !keyUsages.includes('digitalSignature') &&
        !keyUsages.includes('nonRepudiation'),
      () => wrongUse('As a QSealC it needs the key usage nonRepudiation or digitalSignature.', reissue),
    ),
    ...when(extendedKeyUsages.length > 0 && types.length === 0, () =>
      wrongUse(`As a QSealC it should not be limited to ${extendedKeyUsages.join(', ')}.`, reissue),
    ),
  ];
}

/** Says what is remarkable, though not every bank refuses it. */
function remarks(report: CertificateReport, as: CertificatePurpose): Complaint[] {
  const { organization, organizationIdentifier = '', qcStatements } = report;
  const { ncaId = '', roles = [] } = qcStatements?.psd2 ?? {};
  const registered =
    organization?.scheme === 'PSD' ? `${organization.country}-${organization.authority ?? ''}` : ncaId;
  return [
    ...when(ncaId !== '' && registered !== ncaId, () => ({
      rule: 'nca-differs',
      text: `The organizationIdentifier names ${registered}, the PSD2 statement ${ncaId}.`,
      hint: 'Ask the trust service provider which authority is right.',
    })),
    ...when(hasBlank(organization?.number ?? '') && hasBlank(organizationIdentifier.trim()), () => ({
      rule: 'organization-identifier-blank',
      text: `The organizationIdentifier ${JSON.stringify(organizationIdentifier)} has a blank within; banks compare it with the register byte by byte.`,
      hint: 'Look the number up in the register of the authority; ask for another certificate where it has no blank there.',
    })),
    ...when(
      roles.some(({ name }) => name === 'PSP_AS'),
      () => ({
        rule: 'role-of-a-bank',
        text: 'It has the role PSP_AS, which is that of an account-keeping bank.',
        hint: 'Some banks refuse it from a TPP: use one without that role.',
      }),
    ),
    ...disclosure(report),
    ...(as === 'qwac' ? qwacRemarks(report) : sealRemarks(report)),
  ];
}

/** Says what is wrong with QcPDS, which every qualified certificate has (EN 319 412-5, sections 4.3.4 and 5). */
function disclosure({ qcStatements }: CertificateReport): Complaint[] {
  if (qcStatements === undefined) return [];
  const { pds } = qcStatements;
  const plain = pds.filter(({ url }) => !/^https:\/\//i.test(url)).map(({ url }) => url);
  return [
    ...when(pds.length === 0, () => ({
      rule: 'qc-pds-missing',
      text: 'Its QCStatements have no QcPDS: no address of the disclosure statement.',
      hint: reissue,
    })),
    ...when(plain.length > 0, () => ({
      rule: 'qc-pds-not-https',
      text: `The addresses of QcPDS must be https; this is not: ${plain.join(', ')}.`,
      hint: reissue,
    })),
    ...when(pds.length > 0 && !pds.some(({ language }) => language.toLowerCase() === 'en'), () => ({
      rule: 'qc-pds-not-english',
      text: `QcPDS must name a statement in English (en); it has ${pds.map(({ language }) => language).join(', ')}.`,
      hint: reissue,
    })),
  ];
}

function qwacRemarks(report: CertificateReport): Complaint[] {
  const { keyUsages, extendedKeyUsages, commonName } = report;
  const names = report.alternativeNames.filter(({ type }) => type === 'dns' || type === 'ip');
  const isNamed =
    commonName === undefined || names.some(({ value }) => plainHost(value) === plainHost(commonName));
  return [
    ...when(extendedKeyUsages.length > 0 && !allows(extendedKeyUsages, 'serverAuth'), () => ({
      rule: 'no-server-auth',
      text: 'ETSI EN 319 412-4 wants serverAuth in a QWAC, and it is missing.',
      hint: reissue,
    })),
    ...when(keyUsages.length === 0, () => ({
      rule: 'no-key-usage',
      text: 'It has no key usage; a QWAC should have digitalSignature.',
      hint: reissue,
    })),
    ...when(names.length === 0, () => ({
      rule: 'no-alternative-name',
      text: 'It names no host (subjectAltName), which a QWAC must: no web site and no push of a bank can use it.',
      hint: reissue,
    })),
    ...when(names.length > 0 && !isNamed, () => ({
      rule: 'common-name-outside',
      text: `Its common name ${JSON.stringify(commonName)} is none of its names: ${names.map(({ value }) => value).join(', ')}.`,
      hint: reissue,
    })),
  ];
}

/** Names are compared as DNS does: A-labels in lower case. */
function plainHost(name: string): string {
  return domainToASCII(name) || name.toLowerCase();
}

function sealRemarks({ keyUsages, extendedKeyUsages, qcStatements }: CertificateReport): Complaint[] {
  const tls = extendedKeyUsages.filter((usage) => usage === 'clientAuth' || usage === 'serverAuth');
  const types = qcStatements?.types ?? [];
  return [
    ...when(keyUsages.includes('digitalSignature') && !keyUsages.includes('nonRepudiation'), () => ({
      rule: 'no-non-repudiation',
      text: 'A QSealC has the key usage nonRepudiation (EN 319 412-2, types A, B and F), and it is missing.',
      hint: reissue,
    })),
    ...when(tls.length > 0 && types.length > 0, () => ({
      rule: 'tls-usage',
      text: `A QSealC is not for TLS, and it has the extended key usage ${tls.join(', ')}.`,
      hint: `${newOne} Never give it to a TLS connection.`,
    })),
  ];
}

/** Says what somebody may wonder about and no bank refuses. */
function notes(report: CertificateReport, as: CertificatePurpose): Complaint[] {
  const { extendedKeyUsages, policies, cabfOrganizationIdentifier, organizationIdentifier } = report;
  if (as !== 'qwac') return [];
  return [
    ...when(extendedKeyUsages.length === 0, () => ({
      rule: 'no-extended-key-usage',
      text: 'It has no extended key usage, so it may be used for TLS as client and as server.',
      hint: 'Nothing has to be done.',
    })),
    ...when(
      policies.includes(evPolicy) &&
        organizationIdentifier !== undefined &&
        cabfOrganizationIdentifier === undefined,
      () => ({
        rule: 'cabf-missing',
        text: 'It is an EV certificate without cabfOrganizationIdentifier (EV guidelines, 9.8.2).',
        hint: 'Banks read the subject; tell the trust service provider.',
      }),
    ),
  ];
}
