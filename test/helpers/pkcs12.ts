import forge from 'node-forge';
import { createTestCa } from '../../src/signing/certificate.ts';

/** A certificate and its key as trust services hand them out. */
export async function pkcs12(passphrase: string): Promise<Buffer> {
  const day = 86_400_000;
  const dates = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + 400 * day) };
  const { certificatePem, keyPem } = await createTestCa({ keyType: 'rsa', ...dates });
  const { asn1, pkcs12: file, pki } = forge;
  const made = file.toPkcs12Asn1(
    pki.privateKeyFromPem(keyPem.reveal()),
    [pki.certificateFromPem(certificatePem)],
    passphrase,
  );
  return Buffer.from(asn1.toDer(made).getBytes(), 'binary');
}
