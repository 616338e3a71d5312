import { createPrivateKey } from 'node:crypto';
import forge from 'node-forge';
import { ObkError } from '../base/errors.ts';
import { Secret } from '../base/secret.ts';

/** The content of a PKCS#12 file: certificates as DER, and private keys as PKCS#8 PEM, in the order of the file. */
export interface Pkcs12Contents {
  certificates: Uint8Array[];
  keys: Secret[];
}

/**
 * Opens a PKCS#12 file (RFC 7292), of today's profile (PBES2, SHA-256) or of the old one (RC2, 3DES, SHA-1); throws
 * KEY_PASSPHRASE for a wrong or missing passphrase and CERTIFICATE_FILE for anything else that cannot be read.
 */
export function readPkcs12(bytes: Uint8Array, passphrase: Secret | undefined, name: string): Pkcs12Contents {
  const outer = parsed(bytes, name);
  const contents: Pkcs12Contents = { certificates: [], keys: [] };
  const { safeContents } = opened(outer, passphrase, name);
  for (const bag of safeContents.flatMap(({ safeBags }) => safeBags)) {
    if (bag.type === forge.pki.oids['certBag']) {
      const known = bag.cert as forge.pki.Certificate | null | undefined;
      contents.certificates.push(der(known ? forge.pki.certificateToAsn1(known) : bag.asn1));
    } else if (bag.type === forge.pki.oids['pkcs8ShroudedKeyBag'] || bag.type === forge.pki.oids['keyBag']) {
      const known = bag.key as forge.pki.PrivateKey | null | undefined;
      // A key that is not RSA is left as it was: PKCS#8.
      const key = known
        ? createPrivateKey({ key: der(forge.pki.privateKeyToAsn1(known)), format: 'der', type: 'pkcs1' })
        : createPrivateKey({ key: der(bag.asn1), format: 'der', type: 'pkcs8' });
      contents.keys.push(new Secret(key.export({ format: 'pem', type: 'pkcs8' }).toString()));
    }
  }
  return contents;
}

function parsed(bytes: Uint8Array, name: string): forge.asn1.Asn1 {
  try {
    return forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(bytes).toString('binary')));
  } catch (cause) {
    throw damaged(name, cause);
  }
}

function opened(
  outer: forge.asn1.Asn1,
  passphrase: Secret | undefined,
  name: string,
): forge.pkcs12.Pkcs12Pfx {
  const text = passphrase?.reveal() ?? '';
  const attempts = [{ file: outer, text }];
  // The old key derivation takes characters, that of PBES2 bytes. Files of today have both, the old one for the
  // checksum alone: it is left out where one text cannot serve both.
  if (/[^ -~]/.test(text)) {
    const parts = outer.value as forge.asn1.Asn1[];
    const file = { ...outer, value: parts.slice(0, 2) };
    attempts.push({ file, text: forge.util.encodeUtf8(text) });
  }
  let failure: unknown;
  for (const attempt of attempts) {
    try {
      return forge.pkcs12.pkcs12FromAsn1(attempt.file, attempt.text);
    } catch (error) {
      failure = error;
    }
  }
  if (!/password|decrypt|mac could not/i.test(String(failure))) throw damaged(name, failure);
  throw new ObkError({
    code: 'KEY_PASSPHRASE',
    title: 'The PKCS#12 file cannot be opened.',
    detail:
      passphrase === undefined
        ? `${name} is encrypted, and no passphrase was given.`
        : `The passphrase is wrong, or ${name} is damaged.`,
    hint: ['--passphrase-from env:NAME   # or prompt, file:PATH, cmd:COMMAND; obk help references'],
  });
}

function der(value: forge.asn1.Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(value).getBytes(), 'binary');
}

function damaged(name: string, cause: unknown): ObkError {
  return new ObkError({
    code: 'CERTIFICATE_FILE',
    title: 'The PKCS#12 file cannot be read.',
    detail: `${name} is damaged, or made in a way that obk does not know.`,
    hint: ['openssl pkcs12 -legacy -in FILE -out certificates.pem   # and give the PEM file'],
    cause,
  });
}
