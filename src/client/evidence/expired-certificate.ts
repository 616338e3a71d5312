import { dirname, join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import { inspectCertificate } from '../../signing/certificate-report.ts';
import type { CertificateReport } from '../../signing/certificate-report.ts';
import { localMaterial } from '../../signing/material.ts';
import type { SigningMaterial } from '../../signing/material.ts';
import { readMaterial } from '../exchange/key-material.ts';
import { authorityIn, present } from '../certificates/make-certificates.ts';
import type { Target } from '../exchange/target.ts';

const dayMs = 86_400_000;

/**
 * Signing material with an expired certificate, to see a bank refuse it: the profile's own if it has expired,
 * expired.pem and expired-key.pem beside it, or one that the test authority beside it issues now. Throws
 * PROFILE_INVALID if there is none.
 */
export async function expiredMaterial(target: Target): Promise<SigningMaterial> {
  const { ports, profile, name } = target;
  const { certificate, signer: _, keyPassphraseFrom: _passphrase, ...rest } = profile;
  if (target.signing.mode === 'none' || certificate === undefined) {
    throw none(name, 'Requests of this profile are not signed, so none carries a certificate.');
  }
  const now = ports.clock.now();
  const own = inspectCertificate(Buffer.from(await ports.files.read(certificate)).toString('utf8'));
  if (own.notAfter < now) return readMaterial(ports, profile, name, own.notAfter);
  const folder = dirname(certificate);
  const beside = { certificate: join(folder, 'expired.pem'), key: join(folder, 'expired-key.pem') };
  const found = await present(ports, beside.certificate);
  if (found !== undefined) {
    const { notAfter } = inspectCertificate(found);
    if (notAfter < now) return readMaterial(ports, { ...rest, ...beside }, name, notAfter);
  }
  return issued(target, own, folder);
}

async function issued(target: Target, own: CertificateReport, folder: string): Promise<SigningMaterial> {
  const { ports, name } = target;
  const ca = await authorityIn(ports, { ca: join(folder, 'ca.pem'), caKey: join(folder, 'ca-key.pem') });
  if (ca === undefined) {
    throw none(
      name,
      `The certificate is valid until ${own.notAfter.toISOString()}, and beside it are neither expired.pem and expired-key.pem nor a test authority.`,
    );
  }
  const { createTestCertificate } = await import('../../signing/certificate.ts');
  const now = ports.clock.now().getTime();
  const { psd2 } = own.qcStatements ?? {};
  const made = await createTestCertificate({
    ca,
    type: 'qsealc',
    keyType: own.key.type === 'ec' ? 'ec' : 'rsa',
    notBefore: new Date(now - 30 * dayMs),
    notAfter: new Date(now - dayMs),
    roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'],
    organizationIdentifier: own.organizationIdentifier ?? '',
    organizationName: own.commonName ?? 'Test TPP',
    ncaName: psd2?.ncaName ?? '',
    ncaId: psd2?.ncaId ?? '',
  });
  return localMaterial({ ...made, now: new Date(now - 2 * dayMs) });
}

function none(name: string, detail: string): ObkError {
  return new ObkError({
    code: 'PROFILE_INVALID',
    title: `The profile ${name} has no certificate that has expired.`,
    detail,
    hint: ['obk cert create --type qsealc --org-id ID --dir FOLDER   # its authority issues one'],
  });
}
