import { certificateFormat } from './certificate-file.ts';
import { readElement, readElements, tags } from './der.ts';
import { certificatePem, pemOf } from './pem.ts';

/** Returns the text of a file with certificates: PEM as it is, one certificate in DER as PEM; other bytes as UTF-8. */
export function certificateText(bytes: Uint8Array): string {
  return certificateFormat(bytes) === 'der' ? certificatePem(bytes) : utf8(bytes);
}

/**
 * Returns the text of a file with a private key: PEM as it is; PKCS#8, PKCS#1 or SEC 1 in DER as PEM (RFC 5958, RFC 8017,
 * RFC 5915); other bytes as UTF-8, for the reader of the key to refuse.
 */
export function keyText(bytes: Uint8Array): string {
  const label = bytes[0] === tags.sequence ? keyLabel(bytes) : undefined;
  return label === undefined ? utf8(bytes) : pemOf(label, bytes);
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

const utf8 = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
