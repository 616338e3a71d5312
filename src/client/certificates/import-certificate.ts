import { defined } from '../../base/defined.ts';
import { join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { SavedProfile } from '../../settings/records/profile.ts';
import { Secret } from '../../base/secret.ts';
import { certificateFormat, readCertificateFile } from '../../signing/certificate-file.ts';
import { purposeOf } from '../../signing/certificate-lint.ts';
import type { CertificatePurpose } from '../../signing/certificate-lint.ts';
import { inspectCertificate } from '../../signing/certificate-report.ts';
import { leafOf } from '../../signing/certificate-chain.ts';
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
  /** The file of the certificates of the authorities behind it, where `file` does not hold them. */
  chain?: string | undefined;
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
  /** Undefined where there was none: it may be in a device, or be kept by the profile. */
  key: string | undefined;
  encrypted: boolean;
}

/** The certificates of a file, and the private key that came with them or was named beside them, if any. */
interface Found {
  certificates: readonly Uint8Array[];
  keyPem: Secret | undefined;
  names: { certificate: string; key: string };
  passphrase: Secret | undefined;
}

/** The files as they will be written. */
export interface PreparedImport {
  imported: Imported;
  chain: Uint8Array;
  key: Secret | undefined;
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
      imports.flatMap(({ imported: { certificate, key } }) => [
        certificate,
        ...(key === undefined ? [] : [key]),
      ]),
    );
  const how = { force, folder: true };
  for (const { imported, chain, key } of imports) {
    if (imported.key !== undefined && key !== undefined) await ports.files.write(imported.key, key, how);
    await ports.files.write(imported.certificate, chain, how);
  }
}

/**
 * Reads the certificate with its chain and its private key, whether they come as PKCS#12, DER or PEM, and puts them in order as
 * PEM; the key is encrypted with the same passphrase. Without a key the certificate is imported alone. Throws INPUT_INVALID, CERTIFICATE_FILE, KEY_FILE, KEY_PASSPHRASE,
 * KEY_MISMATCH.
 */
export async function prepareImport(ports: Ports, order: ImportOrder): Promise<PreparedImport> {
  const { certificates: given, passphrase, keyPem, names } = await found(ports, order);
  const certificates = [...given, ...(await issuersIn(ports, order.chain))];
  const input = keyPem === undefined ? undefined : { keyPem, names, ...defined({ passphrase }) };
  const own =
    input === undefined
      ? certificates[leafOf(certificates)]
      : certificates.find((der) => keyFits(der, input));
  if (own === undefined && input === undefined) throw nothing(`${order.file} holds no certificate.`);
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
  const made = { certificate: path('.pem'), key: input === undefined ? undefined : path('-key.pem') };
  const chain = chainFrom(own, certificates).map(certificatePem).join('');
  return {
    chain: Buffer.from(chain),
    key: input === undefined ? undefined : keyFile(input, passphrase),
    imported: {
      as,
      subject: report.subject,
      notAfter: report.notAfter.toISOString(),
      ...made,
      encrypted: passphrase?.isEmpty === false,
    },
  };
}

/** The certificates of authorities in a file of their own. */
async function issuersIn(ports: Ports, file: string | undefined): Promise<readonly Uint8Array[]> {
  if (file === undefined) return [];
  return (await readCertificateFile(await ports.files.read(file), file)).certificates;
}

async function found(ports: Ports, { file, key, passphrase }: ImportOrder): Promise<Found> {
  const bytes = await ports.files.read(file);
  const isPkcs12 = certificateFormat(bytes) === 'pkcs12';
  const given = isPkcs12 ? await passphrase() : undefined;
  if (isPkcs12) tellSlow(ports, bytes, file);
  const { certificates, keys } = await readCertificateFile(bytes, file, given);
  const [keyPem, another] = key === undefined ? keys : [];
  const alone = {
    certificates,
    keyPem: undefined,
    names: { certificate: file, key: file },
    passphrase: undefined,
  };
  if (another !== undefined)
    throw nothing(`${file} holds ${String(keys.length)} private keys; exactly one is needed.`);
  if (isPkcs12 && key === undefined)
    return { ...alone, keyPem, passphrase: keyPem === undefined ? undefined : given };
  const text = keyText(key === undefined ? bytes : await ports.files.read(key));
  if (key === undefined && !holdsKey(text)) return alone;
  return {
    certificates,
    keyPem: new Secret(text),
    names: { certificate: file, key: key ?? file },
    passphrase: isEncrypted(text) ? await passphrase() : undefined,
  };
}

function nothing(detail: string): ObkError {
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'There is nothing to import.',
    detail,
    hint: ['obk profile edit NAME --certificate FILE --key FILE'],
  });
}

/** The profile with the imported certificate and key; `reference` is where the key's passphrase comes from. */
export function withImported(profile: SavedProfile, imported: Imported, reference: string): SavedProfile {
  const { as, certificate, key, encrypted } = imported;
  // The key, or the device that signs, stays as it is.
  if (key === undefined)
    return { ...profile, ...(as === 'qsealc' ? { certificate } : { tlsCertificate: certificate }) };
  const { signer: _, keyPassphraseFrom, tlsKeyPassphraseFrom, ...rest } = profile;
  if (as === 'qsealc') {
    const tls = tlsKeyPassphraseFrom === undefined ? {} : { tlsKeyPassphraseFrom };
    return { ...rest, ...tls, certificate, key, ...(encrypted ? { keyPassphraseFrom: reference } : {}) };
  }
  const { signer } = profile;
  return {
    ...rest,
    ...defined({ signer, keyPassphraseFrom }),
    tlsCertificate: certificate,
    tlsKey: key,
    ...(encrypted ? { tlsKeyPassphraseFrom: reference } : {}),
  };
}
