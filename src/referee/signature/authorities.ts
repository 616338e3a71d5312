import { X509Certificate } from 'node:crypto';

/** Reads the certificates of a PEM file; undefined where it holds none, or one that cannot be read. */
export function certificatesIn(pem: Uint8Array): X509Certificate[] | undefined {
  const text = Buffer.from(pem).toString('latin1');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) return undefined;
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    return undefined;
  }
}
