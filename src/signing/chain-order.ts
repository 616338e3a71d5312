import { X509Certificate } from 'node:crypto';

const same = (one: X509Certificate, other: X509Certificate) => one.raw.equals(other.raw);
/** Tells whether one certificate was issued and signed by another one. */
export const isIssued = (one: X509Certificate, by: X509Certificate): boolean =>
  !same(one, by) && one.checkIssued(by) && one.verify(by.publicKey);

/** Tells whether one of these authorities (DER) is a root that issued the certificate itself, with nothing between them. */
export function isOfRoot(own: Uint8Array, authorities: readonly Uint8Array[]): boolean {
  const certificate = new X509Certificate(own);
  return authorities.some((der) => {
    const root = new X509Certificate(der);
    return root.checkIssued(root) && root.verify(root.publicKey) && isIssued(certificate, root);
  });
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
