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

/** The password in a JWE, or undefined where it was not made for this bank. */
export function decryptPassword(ledger: Pick<Ledger, 'main' | 'pageKey'>, jwe: string): string | undefined {
  const [head = '', wrapped = '', iv = '', cipherText = '', tag = '', ...more] = jwe.split('.');
  try {
    const { alg, enc } = JSON.parse(decode(head).toString('utf8')) as { alg?: unknown; enc?: unknown };
    if (enc !== encryption.enc || more.length > 0) return undefined;
    const key =
      alg === encryption.symmetric
        ? sharedKey(ledger)
        : alg === encryption.asymmetric
          ? privateDecrypt(
              { key: privateKey(ledger.main), padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
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
