import { join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import { Secret } from '../../base/secret.ts';
import type { IssuedCertificate, KeyChoice, TestCertificateOptions } from '../../signing/certificate.ts';
import { localMaterial, readSigningCertificate } from '../../signing/material.ts';
import {
  organizationIdentifierFault,
  readOrganizationIdentifier,
} from '../../signing/organization-identifier.ts';

/** A test certificate as somebody orders it. */
export interface CertificateOrder extends Pick<TestCertificateOptions, 'type' | 'roles'> {
  organizationIdentifier: string;
  organizationName: string;
  key: KeyChoice;
  days: number;
  ncaName?: string | undefined;
  dnsNames: readonly string[];
  folder: string;
  /** Replaces a certificate and its key; the authority always stays. */
  force: boolean;
}

/** The files that stand in the folder afterwards. */
export interface MadeCertificate {
  certificate: string;
  key: string;
  ca: string;
  caKey: string;
  /** False where the authority of an earlier certificate was used. */
  newAuthority: boolean;
  notAfter: string;
}

const dayMs = 86_400_000;
const authorityDays = 3650;

/**
 * Makes a test certificate of a test authority: the one in the folder, or a new one. Throws INPUT_INVALID for a
 * registration number of no TPP and for files that stand in the way.
 */
export async function makeCertificate(ports: Ports, order: CertificateOrder): Promise<MadeCertificate> {
  const fault = organizationIdentifierFault(order.organizationIdentifier);
  const organization = readOrganizationIdentifier(order.organizationIdentifier);
  if (fault !== undefined || organization === undefined) {
    throw invalid('This is not the registration number of a TPP.', fault ?? '', 'PSDDE-BAFIN-123456');
  }
  const path = (name: string) => join(ports.files.absolute(order.folder), name);
  const made = {
    certificate: path(`${order.type}.pem`),
    key: path(`${order.type}-key.pem`),
    ca: path('ca.pem'),
    caKey: path('ca-key.pem'),
  };
  if (!order.force) await refuseTaken(ports, [made.certificate, made.key]);
  const dnsNames = order.type === 'qwac' && order.dnsNames.length === 0 ? ['localhost'] : order.dnsNames;
  refuseImpossible(order, dnsNames);
  const now = ports.clock.now();
  // Clocks of bank and client differ a little.
  const notBefore = new Date(now.getTime() - 60 * 60 * 1000);
  const notAfter = new Date(now.getTime() + order.days * dayMs);
  // Heavy, and needed here only.
  const { createTestCa, createTestCertificate } = await import('../../signing/certificate.ts');
  const known = await authorityIn(ports, made);
  const ca =
    known ??
    (await createTestCa({
      ...order.key,
      notBefore,
      notAfter: new Date(now.getTime() + Math.max(authorityDays, order.days) * dayMs),
    }));
  if (known !== undefined) refuseLonger(known, made.ca, notAfter, now);
  const ncaId = `${organization.country}-${organization.authority ?? ''}`;
  const issued = await createTestCertificate({
    ...order.key,
    ca,
    notBefore,
    notAfter,
    type: order.type,
    roles: order.roles,
    organizationIdentifier: order.organizationIdentifier,
    organizationName: order.organizationName,
    ncaName: order.ncaName ?? `Test authority ${ncaId}`,
    ncaId,
    dnsNames,
  });
  if (known === undefined) {
    await write(ports, made.caKey, ca.keyPem, false);
    await write(ports, made.ca, ca.certificatePem, false);
  }
  await write(ports, made.key, issued.keyPem, order.force);
  await write(ports, made.certificate, issued.certificatePem + ca.certificatePem, order.force);
  return { ...made, newAuthority: known === undefined, notAfter: notAfter.toISOString() };
}

/** The longest names (RFC 5280, section A.1; TS 119 495, section 5.1; RFC 1035). */
const longest = { organization: 64, authority: 256, host: 253 } as const;

/** One label of a host name; a star stands alone and first. */
const hostName = /^(?:\*\.)?(?!-)[A-Za-z0-9-]{1,63}(?<!-)(?:\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*$/;

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const notText = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Throws INPUT_INVALID for what no certificate can hold. */
function refuseImpossible(order: CertificateOrder, dnsNames: readonly string[]): void {
  const { organizationName, ncaName, days } = order;
  const texts = [
    ['--name', organizationName, longest.organization],
    ['--nca-name', ncaName, longest.authority],
  ] as const;
  for (const [flag, text, most] of texts) {
    if (text === undefined) continue;
    const why =
      text.trim() === ''
        ? 'is empty'
        : notText.test(text)
          ? 'has a character that is none of a name, such as a line end'
          : [...text].length > most
            ? `has ${[...text].length} characters; a certificate takes ${most}`
            : undefined;
    if (why !== undefined)
      throw invalid('This name cannot stand in a certificate.', `${flag} ${why}.`, `${flag} "Test TPP"`);
  }
  for (const name of dnsNames) {
    if (name.length <= longest.host && hostName.test(name) && !/^[\d.]+$/.test(name)) continue;
    throw invalid(
      'This is no name of a host.',
      `--dns ${JSON.stringify(name)} is not letters, digits and hyphens between dots; names beyond ASCII are written as xn--.`,
      '--dns tpp.example.com',
    );
  }
  if (days < 1)
    throw invalid('A certificate is valid for a day at least.', `--days is ${days}.`, '--days 365');
}

/** Throws INPUT_INVALID where a certificate would outlive its authority: from that day on nobody could verify it. */
function refuseLonger(authority: IssuedCertificate, path: string, notAfter: Date, now: Date): void {
  const end = readSigningCertificate(authority.certificatePem, path).notAfter;
  if (notAfter <= end) return;
  const left = Math.floor((end.getTime() - now.getTime()) / dayMs);
  throw invalid(
    'The certificate would outlive its authority.',
    `${path} ends on ${end.toISOString().slice(0, 'YYYY-MM-DD'.length)}, the certificate on ${notAfter.toISOString().slice(0, 'YYYY-MM-DD'.length)}.`,
    ...(left < 1 ? [] : [`--days ${left}`]),
    '--dir another-folder',
  );
}

/** Throws INPUT_INVALID where one of the files is there already: of several that belong together all are written or none. */
export async function refuseTaken(ports: Ports, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if ((await present(ports, path)) === undefined) continue;
    throw invalid('A file is not overwritten.', `${path} exists already.`, '--force', '--dir another-folder');
  }
}

/** The authority of an earlier run, both halves of which must be there and fit. */
export async function authorityIn(
  ports: Ports,
  { ca, caKey }: Pick<MadeCertificate, 'ca' | 'caKey'>,
): Promise<IssuedCertificate | undefined> {
  const certificatePem = await present(ports, ca);
  const key = await present(ports, caKey);
  if (certificatePem === undefined && key === undefined) return undefined;
  if (certificatePem === undefined || key === undefined) {
    const there = key === undefined ? ca : caKey;
    throw invalid(
      'Half of the test authority is missing.',
      `${there} is there without the other.`,
      '--dir another-folder',
    );
  }
  const keyPem = new Secret(key);
  localMaterial({ certificatePem, keyPem, now: ports.clock.now(), names: { certificate: ca, key: caKey } });
  return { certificatePem, keyPem };
}

/** The text of a file, or undefined where there is none. */
export async function present(ports: Ports, path: string): Promise<string | undefined> {
  try {
    return Buffer.from(await ports.files.read(path)).toString('utf8');
  } catch (error) {
    if (error instanceof ObkError && error.code === 'INPUT_INVALID') return undefined;
    throw error;
  }
}

function write(ports: Ports, path: string, content: string | Secret, force: boolean): Promise<void> {
  return ports.files.write(path, typeof content === 'string' ? Buffer.from(content) : content, {
    force,
    folder: true,
  });
}

function invalid(title: string, detail: string, ...hint: string[]): ObkError {
  return new ObkError({ code: 'INPUT_INVALID', title, detail, hint });
}
