import { join } from 'node:path';
import { ObkError } from '../../errors.ts';
import type { Ports } from '../../ports.ts';
import type { SavedProfile } from '../../records/profile.ts';
import type { Secret } from '../../secret.ts';
import { readCertificateFile } from '../../signing/certificate-file.ts';
import { purposeOf } from '../../signing/certificate-lint.ts';
import type { CertificatePurpose } from '../../signing/certificate-lint.ts';
import { inspectCertificate } from '../../signing/certificate-report.ts';
import { keyFile, keyFits } from '../../signing/material.ts';
import { certificatePem } from '../../signing/pem.ts';
import { refuseTaken } from './make-certificates.ts';

/** Where the contents of a PKCS#12 file should go. */
export interface ImportOrder {
  file: string;
  as?: CertificatePurpose | undefined;
  folder: string;
  /** Begins the names of the files. */
  name: string;
  passphrase: Secret | undefined;
  force: boolean;
}

/** The files that were written. */
export interface Imported {
  as: CertificatePurpose;
  subject: string;
  notAfter: string;
  certificate: string;
  key: string;
  encrypted: boolean;
}

/**
 * Writes the certificate with its chain and the private key of a PKCS#12 file as PEM; the key is encrypted with the
 * same passphrase. Throws INPUT_INVALID, CERTIFICATE_FILE, KEY_PASSPHRASE, KEY_MISMATCH.
 */
export async function importCertificate(ports: Ports, order: ImportOrder): Promise<Imported> {
  const { file, passphrase, force } = order;
  const contents = await readCertificateFile(await ports.files.read(file), file, passphrase);
  const [keyPem, another] = contents.keys;
  if (contents.format !== 'pkcs12' || keyPem === undefined || another !== undefined) {
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'There is nothing to import.',
      detail:
        contents.format === 'pkcs12'
          ? `${file} holds ${contents.keys.length} private keys; exactly one is needed.`
          : `${file} is no PKCS#12 file; a profile takes PEM as it is.`,
      hint: ['obk profile edit NAME --certificate FILE --key FILE'],
    });
  }
  const names = { certificate: file, key: file };
  const own = contents.certificates.find((der) => keyFits(der, { keyPem, names }));
  if (own === undefined) {
    throw new ObkError({
      code: 'KEY_MISMATCH',
      title: 'The private key of the file belongs to none of its certificates.',
      detail: `${file} has ${contents.certificates.length} certificates.`,
    });
  }
  const report = inspectCertificate(own);
  const as = order.as ?? purposeOf(report);
  const path = (end: string) => join(ports.files.absolute(order.folder), `${order.name}-${as}${end}`);
  const made = { certificate: path('.pem'), key: path('-key.pem') };
  const chain = [own, ...contents.certificates.filter((der) => der !== own)].map(certificatePem).join('');
  if (!force) await refuseTaken(ports, [made.certificate, made.key]);
  const how = { force, folder: true };
  await ports.files.write(made.key, keyFile({ keyPem, names }, passphrase), how);
  await ports.files.write(made.certificate, Buffer.from(chain), how);
  return {
    as,
    subject: report.subject,
    notAfter: report.notAfter.toISOString(),
    ...made,
    encrypted: passphrase?.isEmpty === false,
  };
}

/** The profile with the imported certificate and key; `reference` is where the key's passphrase comes from. */
export function withImported(profile: SavedProfile, imported: Imported, reference: string): SavedProfile {
  const { as, certificate, key, encrypted } = imported;
  const { signer: _, keyPassphraseFrom, tlsKeyPassphraseFrom, ...rest } = profile;
  if (as === 'qsealc') {
    const tls = tlsKeyPassphraseFrom === undefined ? {} : { tlsKeyPassphraseFrom };
    return { ...rest, ...tls, certificate, key, ...(encrypted ? { keyPassphraseFrom: reference } : {}) };
  }
  const { signer } = profile;
  return {
    ...rest,
    ...(signer === undefined ? {} : { signer }),
    ...(keyPassphraseFrom === undefined ? {} : { keyPassphraseFrom }),
    tlsCertificate: certificate,
    tlsKey: key,
    ...(encrypted ? { tlsKeyPassphraseFrom: reference } : {}),
  };
}
