import { createPublicKey, generateKeyPairSync, webcrypto } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { encryptPassword, readPasswordKey } from '../../../src/signing/jwe.ts';
import { sealCertificate, vectorCa } from './fixtures.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = String(publicKey.export({ type: 'spki', format: 'pem' }));
const jwk = publicKey.export({ format: 'jwk' });
const random = (bytes: number) => webcrypto.getRandomValues(new Uint8Array(bytes));
const password = 'gehe"im \\ ü€𝄞';

/** Another implementation (Web Crypto) reads the JWE as RFC 7516, section 5.2, tells to. */
async function decrypt(jwe: string): Promise<{ header: Record<string, unknown>; text: string; iv: string }> {
  const parts = jwe.split('.');
  expect(parts).toHaveLength(5);
  const [head = '', wrapped, iv, cipherText, tag] = parts;
  for (const part of parts) expect(part).toMatch(/^[A-Za-z0-9_-]+$/);
  const bytes = (text: string | undefined) => new Uint8Array(Buffer.from(text ?? '', 'base64url'));
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>;
  const hash = header['alg'] === 'RSA-OAEP-256' ? 'SHA-256' : 'SHA-1';
  const pkcs8 = new Uint8Array(privateKey.export({ type: 'pkcs8', format: 'der' }));
  const rsa = await webcrypto.subtle.importKey('pkcs8', pkcs8, { name: 'RSA-OAEP', hash }, false, [
    'decrypt',
  ]);
  const contentKey = await webcrypto.subtle.decrypt({ name: 'RSA-OAEP' }, rsa, bytes(wrapped));
  expect(contentKey.byteLength).toBe(32);
  expect(bytes(iv)).toHaveLength(12);
  expect(bytes(tag)).toHaveLength(16);
  const aes = await webcrypto.subtle.importKey('raw', contentKey, 'AES-GCM', false, ['decrypt']);
  const plain = await webcrypto.subtle.decrypt(
    { name: 'AES-GCM', iv: bytes(iv), additionalData: new TextEncoder().encode(head), tagLength: 128 },
    aes,
    new Uint8Array([...bytes(cipherText), ...bytes(tag)]),
  );
  return { header, text: Buffer.from(plain).toString('utf8'), iv: iv ?? '' };
}

describe('a JWE in compact form', () => {
  it.each(['RSA-OAEP-256', 'RSA-OAEP'] as const)(
    'is read by another implementation, made by %s',
    async (alg) => {
      const jwe = encryptPassword(new Secret(password), readPasswordKey(pem, 'bank.pem', alg), random);
      const { header, text } = await decrypt(jwe.reveal());
      expect(header).toEqual({ alg, enc: 'A256GCM' });
      expect(text).toBe(password);
    },
  );

  it('is another one each time', async () => {
    const key = readPasswordKey(pem, 'bank.pem');
    const both = [1, 2].map(() => encryptPassword(new Secret(password), key, random).reveal());
    expect(both[0]).not.toBe(both[1]);
    const [one, two] = await Promise.all(both.map(decrypt));
    expect(one?.iv).not.toBe(two?.iv);
  });

  it('is a secret itself', () => {
    expect(String(encryptPassword(new Secret(password), readPasswordKey(pem, 'x'), random))).toBe('[secret]');
  });

  it('cannot be changed', async () => {
    const jwe = encryptPassword(new Secret(password), readPasswordKey(pem, 'x'), random).reveal();
    const parts = jwe.split('.');
    parts[0] = Buffer.from(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', x: 1 })).toString(
      'base64url',
    );
    await expect(decrypt(parts.join('.'))).rejects.toThrow();
  });
});

describe('the encryption key of a bank', () => {
  it('is named by the kid and algorithm of its JWK', () => {
    const text = JSON.stringify({ ...jwk, kid: 'k1', alg: 'RSA-OAEP', use: 'enc' });
    const read = readPasswordKey(text, 'bank.jwk');
    expect(read).toMatchObject({ algorithm: 'RSA-OAEP', header: { kid: 'k1' } });
    expect(read.key.equals(publicKey)).toBe(true);
    expect(readPasswordKey(text, 'bank.jwk', 'RSA-OAEP-256').algorithm).toBe('RSA-OAEP-256');
  });

  it('is the one for encryption of a set', () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
    const text = JSON.stringify({ keys: [{ ...other, use: 'sig' }, { kty: 'EC' }, { ...jwk, kid: 'k2' }] });
    const read = readPasswordKey(text, 'bank.jwks');
    expect(read.header).toEqual({ kid: 'k2' });
    expect(read.key.equals(publicKey)).toBe(true);
  });

  it('may be in a certificate, which then goes along', async () => {
    const { certificatePem } = await sealCertificate(await vectorCa(), { keyType: 'rsa' });
    const { header, key } = readPasswordKey(certificatePem, 'bank.pem');
    const [der = ''] = header.x5c ?? [];
    expect(certificatePem.replaceAll(/\s/g, '')).toContain(der);
    expect(key.equals(createPublicKey(certificatePem))).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['something else', 'hello'],
    ['JSON that is no key', '{"keys":[]}'],
    ['null', 'null'],
    [
      'an EC key',
      String(
        generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }),
      ),
    ],
    [
      'a short key',
      String(
        generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ type: 'spki', format: 'pem' }),
      ),
    ],
  ])('is refused: %s', (_, text) => {
    expect(() => readPasswordKey(text, 'bank.pem')).toThrow(
      expect.objectContaining({
        code: 'KEY_FILE',
        exit: 3,
        title: expect.stringContaining('bank.pem') as string,
      }),
    );
  });
});
