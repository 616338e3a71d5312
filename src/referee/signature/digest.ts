import { createHash, timingSafeEqual } from 'node:crypto';
import type { SignatureRules } from './signature-rules.ts';

const hashes: Readonly<Record<string, string>> = { 'SHA-256': 'sha256', 'SHA-512': 'sha512' };
const hashBytes: Readonly<Record<string, number>> = { sha256: 32, sha512: 64 };

/** The bytes that this bank hashes for a body. */
const hashed = (body: Uint8Array, { emptyBody }: SignatureRules) =>
  body.length === 0 ? Buffer.from(emptyBody === 'omit' ? '' : emptyBody) : body;

/** The header Digest that would be right, with the algorithm of the one that was sent. */
export function rightDigest(digest: string | null, body: Uint8Array, rules: SignatureRules): string {
  const name = rules.digest ?? (/^SHA-512=/i.test(digest ?? '') ? 'SHA-512' : 'SHA-256');
  const hash = createHash(hashes[name] ?? 'sha256').update(hashed(body, rules));
  return `${name}=${hash.digest('base64')}`;
}

/** What is wrong with the header Digest; without the body only its form is judged. */
export function digestMistake(
  digest: string | null,
  body: Uint8Array | undefined,
  rules: SignatureRules,
): { rule: 'digest-missing' | 'digest-form' | 'digest-wrong'; text: string } | undefined {
  if (digest === null && rules.emptyBody === 'omit' && body?.length === 0) return undefined;
  if (digest === null) return { rule: 'digest-missing', text: 'The request has no Digest.' };
  const pattern =
    rules.mode === 'strict'
      ? /^(SHA-256|SHA-512)=([A-Za-z0-9+/]+={0,2})$/
      : /^(SHA-256|SHA-512)=([A-Za-z0-9+/]+={0,2})$/i;
  const match = pattern.exec(digest.trim());
  const hash = hashes[match?.[1]?.toUpperCase() ?? ''];
  if (match?.[2] === undefined || hash === undefined)
    return { rule: 'digest-form', text: 'Digest is not SHA-256=... or SHA-512=...' };
  if (rules.digest !== undefined && hashes[rules.digest] !== hash)
    return { rule: 'digest-form', text: `Digest is not ${rules.digest}=...` };
  const sent = Buffer.from(match[2], 'base64');
  if (sent.length !== hashBytes[hash])
    return {
      rule: 'digest-form',
      text: `Digest holds ${String(sent.length)} bytes in base64, and ${match[1]?.toUpperCase() ?? ''} has ${String(hashBytes[hash])}${/^[0-9a-f]+$/i.test(match[2]) ? ': it is in hexadecimal' : ''}.`,
    };
  if (body === undefined) return undefined;
  const right = createHash(hash).update(hashed(body, rules)).digest();
  if (timingSafeEqual(sent, right)) return undefined;
  return { rule: 'digest-wrong', text: 'Digest is not that of the body received.' };
}
