import type { DerElement } from './der.ts';
import { readElement, readElements, tags } from './der.ts';

const constructed = 0x20;
/** A file nests about ten levels; a hostile one is not followed further. */
const deepest = 20;

/**
 * Tells through how many rounds of key derivation the passphrase of a PKCS#12 file goes at most (RFC 7292 section 4, RFC 8018
 * section A.2); 0 where it is not DER.
 */
export function pkcs12Rounds(bytes: Uint8Array): number {
  const file = readable(() => [readElement(bytes)]);
  return Math.max(0, ...file.map((element) => roundsIn(element, 0)));
}

/** A salt is followed by the rounds: in MacData, in PBKDF2 and in the old PBE alike. */
function roundsIn({ tag, content }: DerElement, depth: number): number {
  const isWrapper = tag === tags.octetString;
  if (depth > deepest || ((tag & constructed) === 0 && !isWrapper)) return 0;
  const parts = readable(() => readElements(content));
  const own = parts.map((part, at) =>
    part.tag === tags.integer && parts[at - 1]?.tag === tags.octetString && part.content.length <= 5
      ? Number(`0x${Buffer.from(part.content).toString('hex')}`)
      : 0,
  );
  return Math.max(0, ...own, ...parts.map((part) => roundsIn(part, depth + 1)));
}

function readable(read: () => DerElement[]): DerElement[] {
  try {
    return read();
  } catch {
    return [];
  }
}
