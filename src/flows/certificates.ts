import type { Ports } from '../ports.ts';
import { readableName, readName } from '../signing/distinguished-name.ts';
import { certificateBody, spellSerial } from '../signing/key-id.ts';
import { readSigningCertificate } from '../signing/material.ts';

/** What a person recognises a certificate by; times are ISO 8601, UTC. */
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

const day = 24 * 60 * 60 * 1000;
/** serial, signature, issuer, validity, subject: RFC 5280 section 4.1. */
const subjectAt = 4;

/** Reads the certificate of a file; throws INPUT_INVALID or CERTIFICATE_FILE. */
export async function summariseCertificate(ports: Ports, path: string): Promise<CertificateSummary> {
  const pem = Buffer.from(await ports.files.read(path)).toString('utf8');
  const certificate = readSigningCertificate(pem, path);
  const subject = certificateBody(certificate.der)[subjectAt];
  return {
    path,
    subject: subject === undefined ? '' : readableName(readName(subject)),
    issuer: readableName(certificate.issuer),
    serial: spellSerial(certificate.serial, 'hex'),
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
    daysLeft: Math.floor((certificate.notAfter.getTime() - ports.clock.now().getTime()) / day),
  };
}
