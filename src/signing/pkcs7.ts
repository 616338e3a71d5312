import { X509Certificate } from 'node:crypto';
import { damaged, readElement, readElements, tags } from './der.ts';
import { chainFrom, isIssued } from './chain-order.ts';

/** The object identifier of SignedData, as DER: 1.2.840.113549.1.7.2 (RFC 5652 section 5.1). */
const signedData = Uint8Array.of(tags.oid, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2);
/** `certificates [0] IMPLICIT CertificateSet`, and `content [0] EXPLICIT`. */
const zero = 0xa0;

/** Tells whether bytes that begin at the content of a sequence are PKCS#7. */
export const beginsPkcs7 = (content: Uint8Array): boolean =>
  Buffer.from(content.subarray(0, signedData.length)).equals(signedData);

/**
 * Returns the certificates (DER) of a PKCS#7 file, as a trust service sends a chain: a set without an order, so the one that
 * issued no other comes first, then its issuers, then the rest. Throws CERTIFICATE_FILE (RFC 5652 section 5.1).
 */
export function pkcs7Certificates(der: Uint8Array): Uint8Array[] {
  const [, content] = readElements(readElement(der).content);
  if (content?.tag !== zero) throw damaged('The PKCS#7 file has no content.');
  const members = readElements(readElement(content.content).content);
  const set = members.find(({ tag }) => tag === zero);
  const ders = set === undefined ? [] : readElements(set.content).map(({ whole }) => whole);
  const all = ders.map((one) => new X509Certificate(one));
  const leaf = all.findIndex((one) => !all.some((other) => isIssued(other, one)));
  const own = ders[leaf];
  if (own === undefined) return ders;
  const chain = chainFrom(own, ders);
  return [...chain, ...ders.filter((one) => !chain.some((part) => Buffer.from(part).equals(one)))];
}
