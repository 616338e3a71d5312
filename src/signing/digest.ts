import { createHash, createHmac, hash } from 'node:crypto';
import { Secret } from '../base/secret.ts';

/** The two hash algorithms of the interface (guidelines 1.3.6, section 12). */
export type DigestAlgorithm = 'SHA-256' | 'SHA-512';

/** The digest of a missing body: of zero bytes, no Digest header at all, or of the two bytes `{}`. */
export type EmptyBodyRule = 'empty' | 'omit' | '{}';

/** Node's name of each algorithm. */
export const hashNames = { 'SHA-256': 'sha256', 'SHA-512': 'sha512' } as const;

/** Returns the Digest header's value over the exact bytes, such as `SHA-256=<base64>` (RFC 3230, RFC 5843). */
export function digestHeader(body: Uint8Array, algorithm: DigestAlgorithm = 'SHA-256'): string {
  return `${algorithm}=${createHash(hashNames[algorithm]).update(body).digest('base64')}`;
}

/** Returns the Digest of a request by the bank's rule for empty bodies; undefined where none is to be sent. */
export function requestDigest(
  body: Uint8Array,
  rule: { algorithm: DigestAlgorithm; emptyBody: EmptyBodyRule },
): string | undefined {
  if (body.length > 0) return digestHeader(body, rule.algorithm);
  if (rule.emptyBody === 'omit') return undefined;
  return digestHeader(rule.emptyBody === '{}' ? Buffer.from('{}') : body, rule.algorithm);
}

/**
 * Tells whether a Digest header's value belongs to the bytes: each SHA-256 or SHA-512 in it (names in any case) must
 * fit, and at least one must be there (RFC 3230, section 4.3.2).
 */
export function verifyDigest(value: string, body: Uint8Array): boolean {
  const known = value.split(',').flatMap((part) => {
    const match = /^\s*(sha-256|sha-512)=([A-Za-z0-9+/]+={0,2})\s*$/i.exec(part);
    if (match === null) return [];
    const algorithm = match[1]?.toUpperCase() === 'SHA-512' ? 'SHA-512' : 'SHA-256';
    return [digestHeader(body, algorithm) === `${algorithm}=${match[2] ?? ''}`];
  });
  return known.length > 0 && known.every(Boolean);
}

const digestOf: Readonly<Record<string, DigestAlgorithm>> = { 'sha-256': 'SHA-256', 'sha-512': 'SHA-512' };

/**
 * Returns the name of the first header of an answer that tells another digest than its bytes have, in base64 by `sum`: Digest
 * (RFC 3230) and Content-Digest (RFC 9530) are of the bytes as transferred, with their content coding, and so is Repr-Digest
 * where there is content. Undefined where none does; algorithms other than SHA-256 and SHA-512 tell nothing.
 */
export function wrongDigest(
  headers: readonly (readonly [name: string, value: string])[],
  sum: (algorithm: DigestAlgorithm) => string,
  hasContent: boolean,
): string | undefined {
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (!/^(?:digest|content-digest|repr-digest)$/.test(lower)) continue;
    if (lower === 'repr-digest' && !hasContent) continue;
    for (const part of value.split(',')) {
      const [, algorithm = '', told = ''] = /^\s*([^=\s]+)\s*=\s*([^;]*)/.exec(part) ?? [];
      const known = digestOf[algorithm.toLowerCase()];
      // RFC 9530 writes colons around it, RFC 3230 does not.
      if (known !== undefined && !sameBytes(told.replace(/^:|:\s*$/g, ''), sum(known))) return name;
    }
  }
  return undefined;
}

function sameBytes(told: string, sum: string): boolean {
  return Buffer.from(told, 'base64').equals(Buffer.from(sum, 'base64'));
}

/** Returns the SHA-256 of bytes or of a UTF-8 text in lower-case hex. */
export function sha256Hex(data: Uint8Array | string): string {
  return hash('sha256', data, 'hex');
}

/**
 * Returns a mark by which a list of texts is known again, such as `1f2e3d4c:<32 hex>`: an HMAC-SHA-256 (RFC 2104), cut to 16 bytes, behind
 * the name of its key. Without the key not even a PIN of five digits can be guessed from it.
 */
export function keyedMark(key: Secret, parts: readonly (string | null | Secret)[]): string {
  const text = JSON.stringify(parts.map((part) => (part instanceof Secret ? part.reveal() : part)));
  const mac = createHmac('sha256', key.reveal()).update(text).digest('hex').slice(0, 32);
  return `${keyName(key)}:${mac}`;
}

/** Tells whether a mark was made with another key, so that it cannot be compared with ours. */
export function isForeignMark(key: Secret, mark: string): boolean {
  return !mark.startsWith(`${keyName(key)}:`);
}

/** Returns the first eight hex digits of the SHA-256 of a token, by which two can be compared and none be guessed. */
export function secretFingerprint(token: Secret): string {
  return sha256Hex(token.reveal()).slice(0, 8);
}

const keyName = (key: Secret): string => sha256Hex(`name ${key.reveal()}`).slice(0, 8);
