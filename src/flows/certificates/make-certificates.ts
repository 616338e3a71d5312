import { join } from 'node:path';
import { ObkError } from '../../errors.ts';
import type { Ports } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import type { IssuedCertificate, KeyChoice, TestCertificateOptions } from '../../signing/certificate.ts';
import { localMaterial } from '../../signing/material.ts';
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
    dnsNames: order.dnsNames,
  });
  if (known === undefined) {
    await write(ports, made.caKey, ca.keyPem, false);
    await write(ports, made.ca, ca.certificatePem, false);
  }
  await write(ports, made.key, issued.keyPem, order.force);
  await write(ports, made.certificate, issued.certificatePem + ca.certificatePem, order.force);
  return { ...made, newAuthority: known === undefined, notAfter: notAfter.toISOString() };
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
