import { ObkError } from '../base/errors.ts';
import { pkcs7Certificates } from './pkcs7.ts';

const block = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/g;

function refuse(detail: string): ObkError {
  return new ObkError({
    code: 'CERTIFICATE_FILE',
    title: 'This is not a certificate.',
    detail,
    hint: [
      'Give the certificate as PEM text: -----BEGIN CERTIFICATE----- ... -----END CERTIFICATE-----',
      'obk cert import FILE   # where it is PKCS#12',
    ],
  });
}

/** Only the plus signs after BEGIN and END stand for blanks; the others are base64. */
function decodePercent(text: string): string {
  return text
    .replace(/(BEGIN|END)\+/g, '$1 ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/**
 * Returns the DER of each certificate in the text, in order: PEM (RFC 7468), PEM on one line, URL-encoded PEM
 * bare base64 as in TPP-Signature-Certificate, or base64 of PEM; throws CERTIFICATE_FILE, saying `name`, where there is none.
 */
export function certificatesIn(text: string, name = 'The text'): [Uint8Array, ...Uint8Array[]] {
  const urlEncoded = /^\s*-----BEGIN(%20|\+)CERTIFICATE/.test(text);
  // Base64 of a whole PEM text, as some banks want it in a header.
  if (/^\s*LS0tLS1CRUdJTi[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text))
    return certificatesIn(Buffer.from(text, 'base64').toString('latin1'), name);
  const plain = urlEncoded ? decodePercent(text) : text;
  const labels: string[] = [];
  const certificates: Uint8Array[] = [];
  for (const [, label = '', base64 = ''] of plain.matchAll(block)) {
    labels.push(label);
    if (/^(X509 |TRUSTED )?CERTIFICATE$/.test(label)) certificates.push(Buffer.from(base64, 'base64'));
    if (/^(PKCS7|CMS)$/.test(label)) certificates.push(...pkcs7Certificates(Buffer.from(base64, 'base64')));
  }
  if (labels.length === 0 && /^\s*MI[A-Za-z0-9+/\s]+={0,2}\s*$/.test(plain))
    certificates.push(Buffer.from(plain, 'base64'));
  const [leaf, ...others] = certificates;
  if (leaf !== undefined) return [leaf, ...others];
  throw refuse(`${name} ${contentOf(plain, labels)}.`);
}

/** What a text without a certificate is, as the end of a sentence. */
function contentOf(plain: string, labels: readonly string[]): string {
  if (labels.some((label) => label.endsWith('PRIVATE KEY')))
    return 'holds a private key where the certificate should be';
  if (labels.some((label) => label.endsWith('CERTIFICATE REQUEST')))
    return 'holds a certificate request, not the certificate that the authority issued for it';
  if (plain.trim() === '') return 'is empty';
  const isCut = /-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----/.test(plain);
  return isCut ? 'begins a certificate and does not end it' : 'holds no certificate in PEM form';
}

/** Returns the text of a file: UTF-8, or UTF-16 where its byte order mark says so, as Windows writes it. */
export function textOf(bytes: Uint8Array): string {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  const name = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8';
  return new TextDecoder(name).decode(bytes);
}

/**
 * Returns the DER of a certificate as PEM text in lines of 64 characters with a newline at the end (RFC 7468).
 */
export function certificatePem(der: Uint8Array): string {
  return pemOf('CERTIFICATE', der);
}

/** Returns DER as PEM text with that label, in lines of 64 characters with a newline at the end (RFC 7468). */
export function pemOf(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/** Whether a PEM text holds a private key. */
export const holdsKey = (pem: string): boolean => /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem);

/** Whether the private key of a PEM text is encrypted: PKCS#8, or the older form of OpenSSL. */
export const isEncrypted = (pem: string): boolean =>
  /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(pem);
