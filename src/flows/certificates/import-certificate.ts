import { join } from 'node:path';
import { line } from '../../command-line.ts';
import { ObkError } from '../../errors.ts';
import type { Ports } from '../../ports.ts';
import type { SavedProfile } from '../../records/profile.ts';
import { Secret } from '../../secret.ts';
import { certificateFormat, readCertificateFile } from '../../signing/certificate-file.ts';
import { purposeOf } from '../../signing/certificate-lint.ts';
import type { CertificatePurpose } from '../../signing/certificate-lint.ts';
import { inspectCertificate } from '../../signing/certificate-report.ts';
import { chainFrom } from '../../signing/chain-order.ts';
import { keyText } from '../../signing/file-text.ts';
import { keyFile, keyFits } from '../../signing/material.ts';
import { certificatePem, holdsKey, isEncrypted } from '../../signing/pem.ts';
import { refuseTaken } from './make-certificates.ts';
import { tellSlow } from './read-certificates.ts';

/** Where the contents of a file with certificates should go. */
export interface ImportOrder {
  file: string;
  /** The file of the private key, where `file` does not hold it. */
  key?: string | undefined;
  as?: CertificatePurpose | undefined;
  folder: string;
  /** Begins the names of the files. */
  name: string;
  /** Asked for only where the file, or its key, is encrypted. */
  passphrase: () => Promise<Secret | undefined>;
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

/** The certificates of a file, and the private key that came with them or was named beside them. */
interface Found {
  certificates: readonly Uint8Array[];
  keyPem: Secret;
  names: { certificate: string; key: string };
  passphrase: Secret | undefined;
}

/** The files as they will be written. */
export interface PreparedImport {
  imported: Imported;
  chain: Uint8Array;
  key: Secret;
}

/** As `prepareImport`, and writes the files; throws INPUT_INVALID where one stands there already. */
export async function importCertificate(ports: Ports, order: ImportOrder): Promise<Imported> {
  const prepared = await prepareImport(ports, order);
  await writeImports(ports, [prepared], order.force);
  return prepared.imported;
}

/** Writes the files of imports, or none where one is in the way and not to be replaced. */
export async function writeImports(
  ports: Ports,
  imports: readonly PreparedImport[],
  force: boolean,
): Promise<void> {
  if (!force)
    await refuseTaken(
      ports,
      imports.flatMap(({ imported: { certificate, key } }) => [certificate, key]),
    );
  const how = { force, folder: true };
  for (const { imported, chain, key } of imports) {
    await ports.files.write(imported.key, key, how);
    await ports.files.write(imported.certificate, chain, how);
  }
}

/**
 * Reads the certificate with its chain and its private key, whether they come as PKCS#12, DER or PEM, and puts them in order as
 * PEM; the key is encrypted with the same passphrase. Throws INPUT_INVALID, CERTIFICATE_FILE, KEY_FILE, KEY_PASSPHRASE,
 * KEY_MISMATCH.
 */
export async function prepareImport(ports: Ports, order: ImportOrder): Promise<PreparedImport> {
  const { certificates, passphrase, ...key } = await found(ports, order);
  const input = { ...key, ...(passphrase === undefined ? {} : { passphrase }) };
  const own = certificates.find((der) => keyFits(der, input));
  if (own === undefined) {
    throw new ObkError({
      code: 'KEY_MISMATCH',
      title: 'The private key of the file belongs to none of its certificates.',
      detail: `${order.file} has ${certificates.length} certificates.`,
    });
  }
  const report = inspectCertificate(own);
  const as = order.as ?? purposeOf(report);
  const path = (end: string) => join(ports.files.absolute(order.folder), `${order.name}-${as}${end}`);
  const made = { certificate: path('.pem'), key: path('-key.pem') };
  const chain = chainFrom(own, certificates).map(certificatePem).join('');
  return {
    chain: Buffer.from(chain),
    key: keyFile(input, passphrase),
    imported: {
      as,
      subject: report.subject,
      notAfter: report.notAfter.toISOString(),
      ...made,
      encrypted: passphrase?.isEmpty === false,
    },
  };
}

async function found(ports: Ports, { file, key, passphrase }: ImportOrder): Promise<Found> {
  const bytes = await ports.files.read(file);
  const isPkcs12 = certificateFormat(bytes) === 'pkcs12';
  const given = isPkcs12 ? await passphrase() : undefined;
  if (isPkcs12) tellSlow(ports, bytes, file);
  const { certificates, keys } = await readCertificateFile(bytes, file, given);
  const [keyPem, another] = keys;
  if (isPkcs12 && keyPem !== undefined && another === undefined)
    return { certificates, keyPem, names: { certificate: file, key: file }, passphrase: given };
  if (isPkcs12) throw nothing(`${file} holds ${String(keys.length)} private keys; exactly one is needed.`);
  const text = keyText(key === undefined ? bytes : await ports.files.read(key));
  if (key === undefined && !holdsKey(text))
    throw nothing(`${file} holds no private key.`, line`obk cert import ${file} --key FILE`);
  return {
    certificates,
    keyPem: new Secret(text),
    names: { certificate: file, key: key ?? file },
    passphrase: isEncrypted(text) ? await passphrase() : undefined,
  };
}

function nothing(detail: string, ...hint: readonly string[]): ObkError {
  const take = 'obk profile edit NAME --certificate FILE --key FILE';
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'There is nothing to import.',
    detail,
    hint: hint.length > 0 ? hint : [take],
  });
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
