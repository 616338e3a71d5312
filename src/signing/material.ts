import { constants, createPrivateKey, sign, X509Certificate } from 'node:crypto';
import type { KeyObject, SignKeyObjectInput } from 'node:crypto';
import { promisify } from 'node:util';
import { ObkError } from '../base/errors.ts';
import { Secret } from '../base/secret.ts';
import { hashNames } from './digest.ts';
import type { DigestAlgorithm } from './digest.ts';
import { keyIdFacts } from './key-id.ts';
import type { KeyIdFacts } from './key-id.ts';
import { certificatesIn, isEncrypted } from './pem.ts';
import type { SignatureEncoding } from './signing-options.ts';

/** The facts of a certificate that the signer needs: DER, facts of its keyId, public key, validity. */
export interface SigningCertificate extends KeyIdFacts {
  der: Uint8Array;
  publicKey: KeyObject;
  keyType: 'rsa' | 'ec';
  notBefore: Date;
  notAfter: Date;
}

/** One signature algorithm; RSA is PKCS #1 v1.5 unless it is PSS, `encoding` matters for EC keys only. */
export interface SignatureAlgorithm {
  hash: DigestAlgorithm;
  encoding: SignatureEncoding;
  /** RSASSA-PSS with a salt as long as the hash (PS256). */
  padding?: 'pss';
}

/** A certificate and whatever signs with its key: a key in memory here, an external signer elsewhere. */
export interface SigningMaterial {
  certificate: SigningCertificate;
  /** The key is in memory and was compared with the certificate. */
  isLocal?: true;
  sign(algorithm: SignatureAlgorithm, bytes: Uint8Array): Promise<Uint8Array>;
}

/** Where certificate and key came from, for messages: file names or the like. */
export interface MaterialNames {
  certificate: string;
  key: string;
}

/** Makes signing material of a certificate whose key is elsewhere; throws CERTIFICATE_FILE, CERTIFICATE_EXPIRED, CERTIFICATE_WEAK. */
export function remoteMaterial(
  certificatePem: string,
  now: Date,
  name: string,
  sign: SigningMaterial['sign'],
): SigningMaterial {
  const certificate = readSigningCertificate(certificatePem, name);
  checkSigningCertificate(certificate, now, name);
  return { certificate, sign };
}

/** The input of `localMaterial`: PEM texts, the passphrase of an encrypted key, and the present time. */
export interface LocalMaterialInput {
  certificatePem: string;
  keyPem: Secret;
  passphrase?: Secret;
  now: Date;
  names?: MaterialNames;
}

/** A private key as it is stored. */
export type KeyInput = Pick<LocalMaterialInput, 'keyPem' | 'passphrase' | 'names'>;

const standardNames: MaterialNames = { certificate: 'The certificate', key: 'The private key' };
const curves = /^(prime256v1|secp384r1|secp521r1|brainpoolP(256|384|512)[rt]1)$/;
const signAsync = promisify(sign);

/** Most runs sign less often: to start threads would take longer than their signatures do. */
const signedHere = 8;

/** Signs on threads where one key makes many signatures, which are then made beside each other. */
function signer(): (hash: string, bytes: Uint8Array, key: SignKeyObjectInput) => Promise<Uint8Array> {
  let signatures = 0;
  return async (...of) => {
    signatures += 1;
    return signatures > signedHere ? signAsync(...of) : sign(...of);
  };
}

function parse(der: Uint8Array, name: string): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch (cause) {
    throw new ObkError({
      code: 'CERTIFICATE_FILE',
      title: 'The certificate cannot be read.',
      detail: `${name} is damaged: it is not an X.509 certificate.`,
      cause,
    });
  }
}

function facts(parsed: X509Certificate, name: string): SigningCertificate {
  const { publicKey } = parsed;
  const keyType = publicKey.asymmetricKeyType;
  if (keyType !== 'rsa' && keyType !== 'ec')
    throw new ObkError({
      code: 'CERTIFICATE_FILE',
      title: `A key of type ${keyType ?? 'unknown'} cannot sign requests.`,
      detail: `${name} must have an RSA or an EC key.`,
    });
  return {
    der: parsed.raw,
    ...keyIdFacts(parsed.raw),
    publicKey,
    keyType,
    notBefore: new Date(parsed.validFrom),
    notAfter: new Date(parsed.validTo),
  };
}

/** Reads the first certificate of a PEM text; throws CERTIFICATE_FILE. */
export function readCertificate(pem: string, name: string): X509Certificate {
  return parse(certificatesIn(pem, name)[0], name);
}

/** Reads the first certificate of a PEM text for signing; throws CERTIFICATE_FILE. */
export function readSigningCertificate(pem: string, name = standardNames.certificate): SigningCertificate {
  return facts(readCertificate(pem, name), name);
}

/** Says in which way a key is weaker than RSA 2048 or EC 256 on a known curve; undefined where it is not (ETSI TS 119 312). */
export function weakness({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): string | undefined {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails;
  if (asymmetricKeyType === 'rsa')
    return modulusLength >= 2048 ? undefined : `an RSA key of ${modulusLength} bits`;
  if (asymmetricKeyType === 'ec') return curves.test(namedCurve) ? undefined : `an EC key on ${namedCurve}`;
  return `a key of type ${asymmetricKeyType ?? 'unknown'}`;
}

/** Refuses a certificate that is not valid at `now` (CERTIFICATE_EXPIRED); `what` is its use, in words. */
export function checkDates(
  { validFrom, validTo }: Pick<X509Certificate, 'validFrom' | 'validTo'>,
  now: Date,
  name: string,
  what: string,
): void {
  const [notBefore, notAfter] = [new Date(validFrom), new Date(validTo)];
  if (now >= notBefore && now <= notAfter) return;
  throw new ObkError({
    code: 'CERTIFICATE_EXPIRED',
    title: now > notAfter ? `The ${what} has expired.` : `The ${what} is not valid yet.`,
    detail:
      `${name} is valid from ${notBefore.toISOString()} to ${notAfter.toISOString()}; ` +
      `now it is ${now.toISOString()}.`,
    hint: [
      now > notAfter
        ? 'Get a new certificate from your trust service provider and set it: obk profile edit'
        : 'Check the clock of this machine, or wait until the certificate is valid.',
    ],
  });
}

/**
 * Refuses a certificate that is not valid at `now` (CERTIFICATE_EXPIRED) or whose key is weaker than RSA 2048
 * or EC 256 (CERTIFICATE_WEAK; ETSI TS 119 312).
 */
export function checkSigningCertificate(
  certificate: SigningCertificate,
  now: Date,
  name = standardNames.certificate,
): void {
  const { notBefore, notAfter, publicKey } = certificate;
  const dates = { validFrom: notBefore.toISOString(), validTo: notAfter.toISOString() };
  checkDates(dates, now, name, 'signing certificate');
  const found = weakness(publicKey);
  if (found === undefined) return;
  throw new ObkError({
    code: 'CERTIFICATE_WEAK',
    title: 'The key of the signing certificate is too weak.',
    detail: `${name} has ${found}; banks take RSA from 2048 bits or EC from 256 bits.`,
    hint: ['Get a certificate with a stronger key and set it: obk profile edit'],
  });
}

/** What a text without a private key is. */
function instead(text: string): string {
  if (text.includes('-----BEGIN CERTIFICATE-----')) return 'a certificate where the private key should be';
  if (/-----BEGIN (RSA )?PUBLIC KEY-----/.test(text)) return 'a public key where the private key should be';
  return 'no private key in PEM form';
}

function readKey({ keyPem, passphrase, names = standardNames }: KeyInput): KeyObject {
  const text = keyPem.reveal();
  const refuse = (
    code: 'KEY_FILE' | 'KEY_PASSPHRASE',
    title: string,
    detail: string,
    cause?: unknown,
  ): ObkError => new ObkError({ code, title, detail, cause });
  const label = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----/.exec(text)?.[1];
  if (label === undefined)
    throw refuse('KEY_FILE', 'This is not a private key.', `${names.key} holds ${instead(text)}.`);
  const encrypted = isEncrypted(text);
  if (encrypted && passphrase === undefined)
    throw refuse('KEY_PASSPHRASE', 'The private key needs a passphrase.', `${names.key} is encrypted.`);
  try {
    return createPrivateKey({ key: text, ...(encrypted ? { passphrase: passphrase?.reveal() } : {}) });
  } catch (cause) {
    // The code of an outdated cipher; a wrong passphrase that decrypts by chance leads to ERR_OSSL_UNSUPPORTED.
    const outdated = (cause as NodeJS.ErrnoException).code === 'ERR_OSSL_EVP_UNSUPPORTED';
    if (encrypted && !outdated)
      throw refuse(
        'KEY_PASSPHRASE',
        'The private key cannot be decrypted.',
        `The passphrase is wrong, or ${names.key} is damaged.`,
        cause,
      );
    throw refuse(
      'KEY_FILE',
      'The private key cannot be read.',
      outdated
        ? `${names.key} is encrypted in an outdated way; convert it with: openssl pkcs8 -topk8`
        : label === 'OPENSSH '
          ? `${names.key} is a key of OpenSSH, which certificates do not use; convert a copy with: ssh-keygen -p -m PKCS8 -f COPY`
          : `${names.key} is damaged.`,
      cause,
    );
  }
}

/** Tells whether a private key (PEM) belongs to a certificate (DER); throws CERTIFICATE_FILE, KEY_FILE, KEY_PASSPHRASE. */
export function keyFits(certificate: Uint8Array, key: KeyInput): boolean {
  return parse(certificate, key.names?.certificate ?? standardNames.certificate).checkPrivateKey(
    readKey(key),
  );
}

/** Returns a private key as PKCS#8 PEM, encrypted with AES-256 where there is a passphrase; throws KEY_FILE, KEY_PASSPHRASE. */
export function keyFile(key: KeyInput, passphrase: Secret | undefined): Secret {
  const form = { format: 'pem', type: 'pkcs8' } as const;
  const secret = passphrase?.reveal() ?? '';
  const how = secret === '' ? form : { ...form, cipher: 'aes-256-cbc', passphrase: secret };
  return new Secret(readKey(key).export(how).toString());
}

/**
 * Makes signing material from PEM texts: takes the certificate of the chain that belongs to the key, and
 * refuses an expired or weak one; throws CERTIFICATE_FILE, CERTIFICATE_EXPIRED, CERTIFICATE_WEAK, KEY_FILE,
 * KEY_PASSPHRASE, KEY_MISMATCH.
 */
export function localMaterial(input: LocalMaterialInput): SigningMaterial {
  const names = input.names ?? standardNames;
  const chain = certificatesIn(input.certificatePem, names.certificate).map((der) =>
    parse(der, names.certificate),
  );
  const key = readKey(input);
  const own = chain.find((candidate) => candidate.checkPrivateKey(key));
  if (own === undefined)
    throw new ObkError({
      code: 'KEY_MISMATCH',
      title: 'The private key does not belong to the certificate.',
      detail: `${names.key} has another public key than ${names.certificate}.`,
      hint: ['Set a certificate and a key that were made for each other: obk profile edit'],
    });
  const certificate = facts(own, names.certificate);
  checkSigningCertificate(certificate, input.now, names.certificate);
  const signed = signer();
  return {
    certificate,
    isLocal: true,
    sign: ({ hash, encoding, padding }, bytes) =>
      signed(hashNames[hash], bytes, {
        key,
        dsaEncoding: encoding,
        ...(padding === undefined ? {} : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }),
      }),
  };
}
