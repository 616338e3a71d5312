import { X509Certificate } from 'node:crypto';

const same = (one: X509Certificate, other: X509Certificate) => one.raw.equals(other.raw);
/** Tells whether one certificate was issued and signed by another one. */
export const isIssued = (one: X509Certificate, by: X509Certificate): boolean =>
  !same(one, by) && one.checkIssued(by) && one.verify(by.publicKey);

/** Tells whether one of these authorities (DER) is a root that issued the certificate itself, with nothing between them. */
export function isOfRoot(own: Uint8Array, authorities: readonly Uint8Array[]): boolean {
  return issuersOf(own, authorities).some(isRoot);
}

/** Tells whether one of these authorities (DER) issued the certificate itself, and none of those that did is a root. */
export function isOfIntermediate(own: Uint8Array, authorities: readonly Uint8Array[]): boolean {
  const issuers = issuersOf(own, authorities);
  return issuers.length > 0 && !issuers.some(isRoot);
}

const isRoot = (one: X509Certificate): boolean => one.checkIssued(one) && one.verify(one.publicKey);

function issuersOf(own: Uint8Array, authorities: readonly Uint8Array[]): X509Certificate[] {
  const certificate = new X509Certificate(own);
  return authorities.map((der) => new X509Certificate(der)).filter((one) => isIssued(certificate, one));
}

/**
 * Tells whether an issuer stands before a certificate (DER) that it issued: TLS wants each certificate before its issuer
 * (RFC 8446 section 4.4.2).
 */
export function isReversed(ders: readonly Uint8Array[]): boolean {
  const chain = ders.map((der) => new X509Certificate(der));
  return chain.some((certificate, at) =>
    chain.slice(0, at).some((earlier) => isIssued(certificate, earlier)),
  );
}

/** Returns a certificate (DER) and its issuers in order, as far as they are among `ders`; each once, and no others. */
export function chainFrom(own: Uint8Array, ders: readonly Uint8Array[]): Uint8Array[] {
  const all = ders.map((der) => new X509Certificate(der));
  const chain = [new X509Certificate(own)];
  for (let next = chain[0]; next !== undefined;) {
    const last: X509Certificate = next;
    next = all.find((one) => isIssued(last, one) && !chain.some((earlier) => same(earlier, one)));
    if (next !== undefined) chain.push(next);
  }
  return chain.map(({ raw }) => raw);
}
