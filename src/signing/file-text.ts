import { certificateFormat } from './certificate-file.ts';
import { pkcs7Certificates } from './pkcs7.ts';
import { readElement, readElements, tags } from './der.ts';
import { certificatePem, pemOf, textOf } from './pem.ts';

/** Returns the text of a file with certificates: PEM as it is, DER and PKCS#7 as PEM; other bytes as text. */
export function certificateText(bytes: Uint8Array): string {
  const format = certificateFormat(bytes);
  if (format === 'pkcs7') return pkcs7Certificates(bytes).map(certificatePem).join('');
  return format === 'der' ? certificatePem(bytes) : textOf(bytes);
}

/**
 * Returns the text of a file with a private key: PEM as it is; PKCS#8, PKCS#1 or SEC 1 in DER as PEM (RFC 5958, RFC 8017,
 * RFC 5915); other bytes as text, for the reader of the key to refuse.
 */
export function keyText(bytes: Uint8Array): string {
  const label = bytes[0] === tags.sequence ? keyLabel(bytes) : undefined;
  return label === undefined ? textOf(bytes) : pemOf(label, bytes);
}

/** The label of a key by the first two members of its structure. */
function keyLabel(der: Uint8Array): string | undefined {
  try {
    const [first, second] = readElements(readElement(der).content);
    if (first?.tag === tags.sequence && second?.tag === tags.octetString) return 'ENCRYPTED PRIVATE KEY';
    if (first?.tag !== tags.integer) return undefined;
    if (second?.tag === tags.sequence) return 'PRIVATE KEY';
    if (second?.tag === tags.integer) return 'RSA PRIVATE KEY';
    return second?.tag === tags.octetString ? 'EC PRIVATE KEY' : undefined;
  } catch {
    return undefined;
  }
}
