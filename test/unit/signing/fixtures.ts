import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssuedCertificate, TestCertificateOptions } from '../../../src/signing/certificate.ts';
import { createTestCa, createTestCertificate } from '../../../src/signing/certificate.ts';
import { hasPrograms } from '../../helpers/programs.ts';

export const notBefore = new Date('2026-01-01T00:00:00Z');
export const notAfter = new Date('2028-01-01T00:00:00Z');
export const now = new Date('2026-06-15T12:00:00Z');

export const ncaName = 'Bundesanstalt fuer Finanzdienstleistungsaufsicht';

export async function vectorCa(): Promise<IssuedCertificate> {
  return createTestCa({
    notBefore,
    notAfter,
    subject: [
      ['C', 'DE'],
      ['O', 'Test Bank Trust GmbH'],
      ['2.5.4.97', 'VATDE-123456789'],
      ['CN', 'Test QTSP CA 1'],
    ],
  });
}

export async function sealCertificate(
  ca: IssuedCertificate,
  changes: Partial<TestCertificateOptions> = {},
): Promise<IssuedCertificate> {
  return createTestCertificate({
    ca,
    type: 'qsealc',
    roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'],
    organizationIdentifier: 'PSDDE-BAFIN-125314',
    organizationName: 'Example TPP GmbH',
    ncaName,
    ncaId: 'DE-BAFIN',
    serial: '0a1b2c3d4e',
    notBefore,
    notAfter,
    ...changes,
  });
}

/** False where the machine has no openssl: nothing is compared with it then. */
export const hasOpenssl = hasPrograms('openssl');

/** Runs openssl on files with these contents; `@name` in the arguments is the file's path. */
export function openssl(args: string[], files: Record<string, string | Uint8Array>): string {
  const folder = mkdtempSync(join(tmpdir(), 'obk-openssl-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const real = args.map((arg) => (arg.startsWith('@') ? join(folder, arg.slice(1)) : arg));
    return execFileSync('openssl', real, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
