import { createHash } from 'node:crypto';
import type { HttpAnswer } from '../../client/ports/http.ts';
import type { Header } from '../../settings/records/wire.ts';

/** Hashes the bytes of an answer as they come, where a header says what they should be. */
export interface Sums {
  update(chunk: Uint8Array): void;
  sums: NonNullable<HttpAnswer['sums']>;
}

const named = /^(?:digest|content-digest|repr-digest)$/i;

/** Undefined for an answer that names no digest: most do not, and hashing takes its time. */
export function sumsOf(headers: readonly Header[]): Sums | undefined {
  if (!headers.some(([name]) => named.test(name))) return undefined;
  const hashes = { 'SHA-256': createHash('sha256'), 'SHA-512': createHash('sha512') };
  return {
    update(chunk) {
      for (const hash of Object.values(hashes)) hash.update(chunk);
    },
    // A copy: who asks twice gets the same.
    sums: (algorithm) => hashes[algorithm].copy().digest('base64'),
  };
}

/** Whether nothing but the end of the connection says where the body ends (RFC 9112, section 6.3). */
export function endsByClose(status: number, headers: readonly Header[]): boolean {
  if (status === 204 || status === 304) return false;
  return !headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
}
