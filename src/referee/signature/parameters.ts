/** The parameters of the header Signature. */
export interface SignatureParameters {
  readonly keyId: string;
  readonly algorithm: string;
  readonly headers: string;
  readonly signature: string;
}

/** Why a Signature header cannot be read; `lacksKeyId` where all but keyId is there. */
interface Unreadable {
  readonly why: string;
  readonly lacksKeyId: boolean;
}

/** Reads `name="value"` pairs, each of the four once, in any order; returns what is wrong where they cannot be read. */
export function parseSignature(header: string): SignatureParameters | Unreadable {
  const found = new Map<string, string>();
  let rest = header.trim();
  while (rest !== '') {
    const match = /^([A-Za-z]+)="([^"]*)"\s*(?:,\s*|$)/.exec(rest);
    if (match?.[1] === undefined || match[2] === undefined || found.has(match[1]))
      return { why: 'The Signature header cannot be read.', lacksKeyId: false };
    found.set(match[1], match[2]);
    rest = rest.slice(match[0].length);
  }
  const [keyId, algorithm, headers, signature] = names.map((name) => found.get(name) ?? '');
  if (keyId && algorithm && headers && signature) return { keyId, algorithm, headers, signature };
  const missing = names.filter((name) => (found.get(name) ?? '') === '');
  return {
    why: `The Signature header has no ${missing[0] ?? ''}.`,
    lacksKeyId: missing.length === 1 && missing[0] === 'keyId',
  };
}

const names = ['keyId', 'algorithm', 'headers', 'signature'] as const;
