import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  privateDecrypt,
  randomBytes,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Database } from '../books/database.ts';
import type { Ledger } from '../books/ledger.ts';

/**
 * The encryption of passwords, as at the banks that require it: JWE compact, RSA-OAEP-256 or dir, A256GCM (RFC 7516,
 * 7518).
 */
const encryption = { enc: 'A256GCM', asymmetric: 'RSA-OAEP-256', symmetric: 'dir' } as const;
const metaKey = 'passwordKey';
const certificateKey = 'passwordCertificate';
/** The hash of OAEP by the name of the algorithm (RFC 7518 4.3). */
const hashes = { 'RSA-OAEP-256': 'sha256', 'RSA-OAEP': 'sha1' } as const;

export type PasswordAlgorithm = keyof typeof hashes;

/** The key of the bank, generated at the first use, since generating an RSA key takes long. */
function privateKey(database: Database): KeyObject {
  const find = () => database.one<{ value: string }>('SELECT value FROM meta WHERE key = ?', metaKey)?.value;
  const pem =
    find() ??
    database.atomically(() => {
      const { privateKey: made } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      database.run(
        'INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)',
        metaKey,
        String(made.export({ type: 'pkcs8', format: 'pem' })),
      );
      return find() ?? '';
    });
  return createPrivateKey(pem);
}

/** The public key of the bank as a JWK (RFC 7517), for those who encrypt passwords. */
export function passwordKey({ main }: Pick<Ledger, 'main'>): object {
  const jwk = createPublicKey(privateKey(main)).export({ format: 'jwk' });
  return { ...jwk, alg: encryption.asymmetric, use: 'enc', kid: 'psu-passwords' };
}

/** The certificate of the bank's key (PEM), for a bank that shows one in place of a JWK; made with the key at the first use. */
export async function passwordCertificate({ main }: Pick<Ledger, 'main'>, now: Date): Promise<string> {
  const find = () =>
    main.one<{ value: string }>('SELECT value FROM meta WHERE key = ?', certificateKey)?.value;
  const known = find();
  if (known !== undefined) return known;
  const { createTestCa } = await import('../../signing/certificate.ts');
  const { certificatePem, keyPem } = await createTestCa({
    keyType: 'rsa',
    subject: [['CN', 'Passwords of the PSUs of the bank inside']],
    notBefore: now,
    notAfter: new Date(now.getTime() + 3650 * 86_400_000),
  });
  return main.atomically(() => {
    const meanwhile = find();
    if (meanwhile !== undefined) return meanwhile;
    for (const [key, value] of [
      [metaKey, keyPem.reveal()],
      [certificateKey, certificatePem],
    ] as const)
      main.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value);
    return certificatePem;
  });
}

/** The password in a JWE, or undefined where it was not made for this bank by that algorithm. */
export function decryptPassword(
  ledger: Pick<Ledger, 'main' | 'pageKey'>,
  jwe: string,
  algorithm: PasswordAlgorithm = encryption.asymmetric,
): string | undefined {
  const [head = '', wrapped = '', iv = '', cipherText = '', tag = '', ...more] = jwe.split('.');
  try {
    const { alg, enc } = JSON.parse(decode(head).toString('utf8')) as { alg?: unknown; enc?: unknown };
    if (enc !== encryption.enc || more.length > 0) return undefined;
    const key =
      alg === encryption.symmetric
        ? sharedKey(ledger)
        : alg === algorithm
          ? privateDecrypt(
              {
                key: privateKey(ledger.main),
                padding: constants.RSA_PKCS1_OAEP_PADDING,
                oaepHash: hashes[algorithm],
              },
              decode(wrapped),
            )
          : undefined;
    if (key === undefined) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key, decode(iv), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(head, 'ascii')).setAuthTag(decode(tag));
    return Buffer.concat([decipher.update(decode(cipherText)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** A password encrypted ready for use, as a script would get it from the PSU's own device. */
export function encryptedForTests(ledger: Pick<Ledger, 'pageKey'>, password: string): string {
  const head = encode(JSON.stringify({ alg: encryption.symmetric, enc: encryption.enc }));
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sharedKey(ledger), iv);
  cipher.setAAD(Buffer.from(head, 'ascii'));
  const cipherText = Buffer.concat([cipher.update(password, 'utf8'), cipher.final()]);
  return [head, '', encode(iv), encode(cipherText), encode(cipher.getAuthTag())].join('.');
}

const sharedKey = ({ pageKey }: Pick<Ledger, 'pageKey'>) => Buffer.from(pageKey, 'base64url');
const decode = (text: string) => Buffer.from(text, 'base64url');
const encode = (data: string | Buffer) => Buffer.from(data).toString('base64url');
