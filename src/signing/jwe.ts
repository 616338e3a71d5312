import { X509Certificate, constants, createCipheriv, createPublicKey, publicEncrypt } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { ObkError } from '../base/errors.ts';
import { Secret } from '../base/secret.ts';

/** How the key of a JWE is wrapped (RFC 7518, section 4.3); the content is always encrypted by A256GCM. */
const passwordAlgorithms = ['RSA-OAEP-256', 'RSA-OAEP'] as const;

/** One of `passwordAlgorithms`. */
export type PasswordAlgorithm = (typeof passwordAlgorithms)[number];

/** The public key of a bank for the passwords of its PSUs, and what the header of a JWE says of it. */
export interface PasswordKey {
  key: KeyObject;
  algorithm: PasswordAlgorithm;
  header: { kid?: string; x5c?: readonly string[] };
}

const hashes = { 'RSA-OAEP-256': 'sha256', 'RSA-OAEP': 'sha1' } as const;
const leastBits = 2048;

/**
 * Reads the public RSA key of a bank from the text of a PEM certificate, a PEM public key, a JWK or a JWK set (RFC 7517).
 * Throws KEY_FILE, naming `name`. Without an algorithm that of the JWK stands, else RSA-OAEP-256.
 */
export function readPasswordKey(text: string, name: string, algorithm?: PasswordAlgorithm): PasswordKey {
  const { key, header, alg } = parse(text, name);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < leastBits) {
    throw unusable(name, `It is not an RSA key of at least ${leastBits} bits.`);
  }
  const own = passwordAlgorithms.find((known) => known === alg);
  return { key, header, algorithm: algorithm ?? own ?? 'RSA-OAEP-256' };
}

/**
 * Encrypts a password (as UTF-8) as a JWE in compact form: RSA-OAEP wraps a fresh key, A256GCM encrypts (RFC 7516,
 * section 3.1). `random` returns the requested number of random bytes.
 */
export function encryptPassword(
  password: Secret,
  { key, algorithm, header }: PasswordKey,
  random: (bytes: number) => Uint8Array,
): Secret {
  const head = base64url(JSON.stringify({ alg: algorithm, enc: 'A256GCM', ...header }));
  const contentKey = random(32);
  const iv = random(12);
  const wrapped = publicEncrypt(
    { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: hashes[algorithm] },
    contentKey,
  );
  const cipher = createCipheriv('aes-256-gcm', contentKey, iv);
  cipher.setAAD(Buffer.from(head, 'ascii'));
  const cipherText = Buffer.concat([cipher.update(password.reveal(), 'utf8'), cipher.final()]);
  return new Secret([head, ...[wrapped, iv, cipherText, cipher.getAuthTag()].map(base64url)].join('.'));
}

const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url');

interface Parsed {
  key: KeyObject;
  header: PasswordKey['header'];
  alg?: unknown;
}

function parse(text: string, name: string): Parsed {
  try {
    if (text.includes('-----BEGIN CERTIFICATE-----')) {
      const certificate = new X509Certificate(text);
      // The certificate tells the bank which of its keys was used.
      return { key: certificate.publicKey, header: { x5c: [certificate.raw.toString('base64')] } };
    }
    if (text.includes('-----BEGIN')) return { key: createPublicKey(text), header: {} };
    const jwk = oneOf(JSON.parse(text));
    const kid = typeof jwk.kid === 'string' ? { kid: jwk.kid } : {};
    return { key: createPublicKey({ key: jwk, format: 'jwk' }), header: kid, alg: jwk.alg };
  } catch {
    throw unusable(name, 'It holds no PEM certificate, PEM public key or JWK.');
  }
}

type Jwk = JsonWebKey & { kid?: unknown; use?: unknown; alg?: unknown };

/** Returns the key, or the first RSA key of a set that is not for signatures. */
function oneOf(json: unknown): Jwk {
  const { keys } = json as { keys?: readonly Jwk[] };
  const found =
    keys === undefined ? (json as Jwk) : keys.find((one) => one.kty === 'RSA' && one.use !== 'sig');
  if (found === undefined) throw new Error('no key');
  return found;
}

function unusable(name: string, detail: string): ObkError {
  return new ObkError({
    code: 'KEY_FILE',
    title: `The key for passwords in ${name} cannot be used.`,
    detail,
    hint: [
      'obk profile edit NAME --psu-password-key FILE   # PEM certificate, public key or JWK of the bank',
    ],
  });
}
