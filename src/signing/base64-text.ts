/** The base64 of a signature as somebody wrote it (RFC 4648, section 4). */
export interface Base64Text {
  bytes: Uint8Array;
  /** What must be done before it is base64, in words; empty where it is. */
  mends: readonly string[];
}

/** What is often wrong with base64: how it is seen, what mends it, and the mended text. */
const faults: readonly (readonly [RegExp, string, (text: string) => string])[] = [
  [/%[0-9A-Fa-f]{2}/, 'is not percent-encoded', (text) => text.replace(/%([0-9A-Fa-f]{2})/g, unescaped)],
  [/\s|\\[rn]/, 'is on one line', (text) => text.replace(/\s|\\[rn]/g, '')],
  [/[-_]/, 'is in the standard alphabet', (text) => text.replaceAll('-', '+').replaceAll('_', '/')],
];

/** Reads base64 in whatever spelling; undefined for what is none. */
export function readBase64(text: string): Base64Text | undefined {
  const mends: string[] = [];
  let mended = text;
  for (const [fault, mend, by] of faults)
    if (fault.test(mended)) {
      mends.push(mend);
      mended = by(mended);
    }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(mended)) return undefined;
  if (mended.length % 4 !== 0) mends.push('has its padding (=)');
  return { bytes: Buffer.from(mended, 'base64'), mends };
}

const unescaped = (_: string, hex: string): string => String.fromCharCode(parseInt(hex, 16));
