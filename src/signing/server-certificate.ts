import { X509Certificate } from 'node:crypto';

/**
 * Tells whether a certificate (DER) is valid at a time, names the host (a name, or an address without brackets), and was issued
 * by one of these authorities (DER) itself; false for bytes that are none. Source: RFC 5280, RFC 6125.
 */
export function isServerCertificate(
  der: Uint8Array,
  host: string,
  authorities: readonly Uint8Array[],
  now: Date,
): boolean {
  try {
    const certificate = new X509Certificate(der);
    const named = certificate.checkHost(host) ?? certificate.checkIP(host);
    const time = now.getTime();
    if (
      named === undefined ||
      time < Date.parse(certificate.validFrom) ||
      time > Date.parse(certificate.validTo)
    )
      return false;
    return authorities.some((authority) => {
      const issuer = new X509Certificate(authority);
      return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
    });
  } catch {
    return false;
  }
}
