import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import { Secret } from '../../base/secret.ts';
import { leafOf } from '../../signing/certificate-chain.ts';
import { lintCertificates, purposeOf } from '../../signing/certificate-lint.ts';
import type {
  CertificateFinding,
  CertificatePurpose,
  CertificateRole,
} from '../../signing/certificate-lint.ts';
import { inspectCertificate } from '../../signing/certificate-report.ts';
import { keyText } from '../../signing/file-text.ts';
import { keyFits } from '../../signing/material.ts';
import { psd2RoleOids } from '../../signing/qc-statements.ts';
import type { Psd2Role } from '../../signing/qc-statements.ts';
import type { CertificateSet } from './read-certificates.ts';

export type { Psd2Role } from '../../signing/qc-statements.ts';

/** The four roles by their names. */
export const psd2Roles = Object.keys(psd2RoleOids) as Psd2Role[];

/** Things to check besides the certificates themselves. */
export interface LintOptions {
  as?: CertificatePurpose | undefined;
  needs: readonly Psd2Role[];
  soonDays: number;
  /** The private key that should belong to it; the one of the set or of the profile where it is absent. */
  keyPath?: string | undefined;
  passphrase: () => Promise<Secret | undefined>;
  /** Every warning is an error. */
  strict: boolean;
  /** Certificates of authorities that are known beside the sets. */
  authorities?: readonly Uint8Array[];
}

/** The findings over all sources. */
export interface CertificateLint {
  certificates: { source: string; as: CertificateRole; subject: string }[];
  errors: number;
  warnings: number;
  findings: (CertificateFinding & { source: string })[];
}

/** Checks what a bank would refuse of each set; a set of authorities to trust is not one of a TPP and is left out. */
export async function lintSets(
  ports: Ports,
  sets: readonly CertificateSet[],
  options: LintOptions,
): Promise<CertificateLint> {
  const trusted = sets.filter(({ use }) => use === 'ca').flatMap(({ certificates }) => certificates);
  const authorities = [...trusted, ...(options.authorities ?? [])];
  const result: CertificateLint = { certificates: [], errors: 0, warnings: 0, findings: [] };
  for (const set of sets.filter(({ use }) => use !== 'ca')) {
    const leaf = set.certificates[leafOf(set.certificates)];
    if (leaf === undefined) continue;
    const report = inspectCertificate(leaf);
    const known = set.format === 'tls' ? 'server' : set.use === 'ca' ? undefined : set.use;
    const as = options.as ?? known ?? purposeOf(report);
    const { needs, soonDays } = options;
    const found = [
      ...lintCertificates(set.certificates, { as, needs, soonDays, now: ports.clock.now(), authorities }),
      ...(await keyFindings(ports, set, leaf, options)),
    ];
    result.certificates.push({ source: set.source, as, subject: report.subject });
    result.findings.push(
      ...found.map((finding) => ({
        ...finding,
        ...(options.strict && finding.severity === 'warning' ? { severity: 'error' as const } : {}),
        source: set.source,
      })),
    );
  }
  result.errors = result.findings.filter(({ severity }) => severity === 'error').length;
  result.warnings = result.findings.filter(({ severity }) => severity === 'warning').length;
  return result;
}

async function keyFindings(
  ports: Ports,
  set: CertificateSet,
  leaf: Uint8Array,
  options: LintOptions,
): Promise<CertificateFinding[]> {
  const path = options.keyPath ?? set.keyPath;
  const found: CertificateFinding[] = [];
  const keys = [...set.keys];
  if (path !== undefined) keys.splice(0, Infinity, new Secret(keyText(await ports.files.read(path))));
  const [keyPem] = keys;
  if (keyPem === undefined) return found;
  const names = { certificate: set.source, key: path ?? set.source };
  const fits = await fitting(leaf, { keyPem, names }, options);
  if (fits === false) {
    found.push({
      rule: 'key-mismatch',
      severity: 'error',
      text: `The private key ${names.key} does not belong to it.`,
      hint: 'Give the key that the certificate was ordered for.',
      bankCode: 'SIGNATURE_INVALID',
      certificate: 1,
    });
  }
  if (fits === undefined) {
    found.push({
      rule: 'key-not-checked',
      severity: 'warning',
      text: `The private key ${names.key} is encrypted, so whether it belongs to it was not checked.`,
      hint: '--passphrase-from REF',
      certificate: 1,
    });
  }
  return found;
}

/** Undefined where the key stays closed for want of a passphrase. */
async function fitting(
  leaf: Uint8Array,
  key: { keyPem: Secret; names: { certificate: string; key: string } },
  { passphrase }: LintOptions,
): Promise<boolean | undefined> {
  try {
    return keyFits(leaf, key);
  } catch (error) {
    if (!(error instanceof ObkError) || error.code !== 'KEY_PASSPHRASE') throw error;
    const given = await passphrase();
    return given === undefined ? undefined : keyFits(leaf, { ...key, passphrase: given });
  }
}
