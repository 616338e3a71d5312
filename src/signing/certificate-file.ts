import { ObkError } from '../base/errors.ts';
import type { Secret } from '../base/secret.ts';
import { tags } from './der.ts';
import { certificatesIn, textOf } from './pem.ts';
import { beginsPkcs7, pkcs7Certificates } from './pkcs7.ts';
import type { Pkcs12Contents } from './pkcs12.ts';

/** The form of a file with certificates; `base64` is the DER without marks, as headers carry it. */
export type CertificateFormat = 'pem' | 'base64' | 'der' | 'pkcs7' | 'pkcs12';

/** The certificates of a file in their order, and its private keys where it is one that holds keys too. */
export interface CertificateFile extends Pkcs12Contents {
  format: CertificateFormat;
}

const pkcs12Version = Uint8Array.of(tags.integer, 1, 3);

/** Tells the form of a file by its beginning: PKCS#12 has its version, PKCS#7 its type, a certificate its body. */
export function certificateFormat(bytes: Uint8Array): CertificateFormat {
  if (bytes[0] !== tags.sequence)
    return /^\s*-----BEGIN|-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----/.test(textOf(bytes))
      ? 'pem'
      : 'base64';
  const [, length = 0] = bytes;
  const start = length < 0x80 ? 2 : 2 + (length & 0x7f);
  if (beginsPkcs7(bytes.subarray(start))) return 'pkcs7';
  return Buffer.from(bytes.subarray(start, start + 3)).equals(pkcs12Version) ? 'pkcs12' : 'der';
}

/**
 * Reads certificates from PEM (several, one line, URL-encoded), bare base64, DER, PKCS#7 or PKCS#12; throws CERTIFICATE_FILE
 * naming the file, and KEY_PASSPHRASE.
 */
export async function readCertificateFile(
  bytes: Uint8Array,
  name: string,
  passphrase?: Secret,
): Promise<CertificateFile> {
  const format = certificateFormat(bytes);
  if (format === 'der') return { format, certificates: [bytes], keys: [] };
  if (format === 'pkcs7') return { format, certificates: pkcs7Certificates(bytes), keys: [] };
  if (format !== 'pkcs12') return { format, certificates: certificatesIn(textOf(bytes), name), keys: [] };
  // Heavy, and needed for such files only.
  const { readPkcs12 } = await import('./pkcs12.ts');
  const contents = readPkcs12(bytes, passphrase, name);
  if (contents.certificates.length > 0) return { format, ...contents };
  throw new ObkError({
    code: 'CERTIFICATE_FILE',
    title: 'There is no certificate in the file.',
    detail: `${name} holds keys only.`,
  });
}
