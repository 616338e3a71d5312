import type { DigestAlgorithm, EmptyBodyRule } from './digest.ts';
import type { KeyIdOptions } from './key-id.ts';

export const modes = ['cavage', 'jws', 'none'] as const;

/** The header of a cavage signature. */
export const carriers = ['Signature', 'Authorization'] as const;

/** How the path is written where it is signed: as it is sent, or with its escapes resolved. */
export const targetEncodings = ['encoded', 'raw'] as const;

/** The algorithms of a JWS; `key` is RS256 or ES256, as the key is. */
export const jwsAlgorithms = ['key', 'RS256', 'PS256', 'ES256'] as const;

/** How a JWS shows the certificate. */
export const jwsCertificates = ['x5c', 'x5t#S256'] as const;

export const orders = ['listed', 'sorted'] as const;

export const algorithms = ['SHA-256', 'SHA-512'] as const satisfies readonly DigestAlgorithm[];

export const emptyBodies = ['empty', 'omit', '{}'] as const satisfies readonly EmptyBodyRule[];

export const certificateHeaders = ['bare', 'pemOneLine', 'pemUrlEncoded', 'base64-of-pem', 'none'] as const;

export const encodings = ['der', 'ieee-p1363'] as const;

/**
 * How TPP-Signature-Certificate is written: base64 of the DER, PEM on one line, PEM URL-encoded, base64 of
 * the PEM text, or not at all.
 */
export type CertificateHeader = (typeof certificateHeaders)[number];

/** The form of an ECDSA signature: DER, as Java and OpenSSL make it, or r and s side by side. */
export type SignatureEncoding = (typeof encodings)[number];

/** How a bank wants requests signed: data of the profile; `guidelines` is the standard. */
export interface SigningOptions {
  mode: (typeof modes)[number];
  /** Names in lower case; a final `?` means "if the request has it", any other must be there. */
  headers: readonly string[];
  order: (typeof orders)[number];
  /** Adds `date` at the end of the list unless it is listed. */
  date: { sign: boolean };
  /** Adds `(request-target)` at the start of the list unless it is listed. */
  requestTarget: boolean;
  digest: { algorithm: DigestAlgorithm; emptyBody: EmptyBodyRule };
  /** The hash of the signature itself. */
  hash: DigestAlgorithm;
  /** Written instead of `rsa-sha256` and the like. */
  algorithmLabel?: string;
  keyId: KeyIdOptions;
  certificateHeader: CertificateHeader;
  signatureEncoding: SignatureEncoding;
  carrier: (typeof carriers)[number];
  targetEncoding: (typeof targetEncodings)[number];
  /** The operations that are signed; all if not given. */
  requiredFor?: readonly string[];
  jws: JwsOptions;
}

/** How a detached JWS (x-jws-signature) is made: ETSI TS 119 182-1, as the Open Banking Europe profile has it. */
export interface JwsOptions {
  alg: (typeof jwsAlgorithms)[number];
  /** The headers that are signed (sigD.pars), in lower case; a final `?` means "if the request has it". */
  pars: readonly string[];
  certificate: (typeof jwsCertificates)[number];
  /** Whether the last line of what is signed ends with a newline too. */
  trailingNewline: boolean;
  /** The seconds for which the bank takes a signature. */
  maxAgeS: number;
}
