/** The parameters of the header Signature. */
export interface SignatureParameters {
  readonly keyId: string;
  readonly algorithm: string;
  readonly headers: string;
  readonly signature: string;
}

/** Reads `name="value"` pairs, each of the four once, in any order; returns what is wrong where they cannot be read. */
export function parseSignature(header: string): SignatureParameters | string {
  const found = new Map<string, string>();
  let rest = header.trim();
  while (rest !== '') {
    const match = /^([A-Za-z]+)="([^"]*)"\s*(?:,\s*|$)/.exec(rest);
    if (match?.[1] === undefined || match[2] === undefined || found.has(match[1]))
      return 'The Signature header cannot be read.';
    found.set(match[1], match[2]);
    rest = rest.slice(match[0].length);
  }
  const [keyId, algorithm, headers, signature] = names.map((name) => found.get(name) ?? '');
  if (keyId && algorithm && headers && signature) return { keyId, algorithm, headers, signature };
  const missing = names.find((name) => (found.get(name) ?? '') === '') ?? '';
  return `The Signature header has no ${missing}.`;
}

const names = ['keyId', 'algorithm', 'headers', 'signature'] as const;
