import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { ObkError } from '../../base/errors.ts';
import type { Codec, SealedPlace } from '../../client/ports/engine.ts';
import type { Secret } from '../../base/secret.ts';

/** Seals what leaves this process for the database, and opens it. */
export interface Vault extends Codec {
  seal(place: SealedPlace, record: object): Buffer;
  tags(purpose: string, text: string): readonly [Buffer, ...Buffer[]];
  /** The key that seals, by the name that stands in each sealed value. */
  readonly keyId: string;
  /** All keys that open, by their names. */
  readonly keyIds: readonly string[];
  /** The id of the key that has sealed it, where this run does not have that one; undefined where nothing of obk stands there. */
  foreignKey(sealed: Uint8Array): string | undefined;
}

interface Key {
  id: Buffer;
  seal: Buffer;
  tag: Buffer;
}

const format = 1;
const idBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + idBytes + nonceBytes + tagBytes;

/**
 * AES-256-GCM with a random nonce of 96 bits. A sealed value is a byte for the format, the id of its key, nonce, tag and
 * ciphertext; format, key, profile, kind and row are authenticated. The first of the secrets seals; the others only open what was
 * sealed before a change of keys. Throws SECRET_REFERENCE unless each is 32 bytes in hex or base64.
 */
export function createVault(secrets: readonly [Secret, ...Secret[]]): Vault {
  const keys = secrets.map(keyOf) as [Key, ...Key[]];
  const [own] = keys;

  return {
    keyId: own.id.toString('hex'),
    keyIds: keys.map(({ id }) => id.toString('hex')),

    seal: (place, record) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', own.seal, nonce);
      cipher.setAAD(boundTo(own, place));
      const text = Buffer.concat([cipher.update(JSON.stringify(record), 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(format), own.id, nonce, cipher.getAuthTag(), text]);
    },

    open: (place, sealed) => {
      const bytes = Buffer.from(sealed);
      const keyId = keyIdIn(bytes);
      const key = keys.find(({ id }) => keyId?.equals(id));
      if (key === undefined) return undefined;
      const nonceAt = 1 + idBytes;
      const tagAt = nonceAt + nonceBytes;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key.seal, bytes.subarray(nonceAt, tagAt), {
          authTagLength: tagBytes,
        });
        decipher.setAAD(boundTo(key, place));
        decipher.setAuthTag(bytes.subarray(tagAt, headBytes));
        const text = Buffer.concat([decipher.update(bytes.subarray(headBytes)), decipher.final()]);
        return JSON.parse(text.toString('utf8')) as object;
      } catch {
        return undefined;
      }
    },

    foreignKey: (sealed) => {
      const keyId = keyIdIn(Buffer.from(sealed));
      return keys.some(({ id }) => keyId?.equals(id)) ? undefined : keyId?.toString('hex');
    },

    tags: (purpose, text) => {
      const tagOf = ({ tag }: Key): Buffer =>
        createHmac('sha256', tag)
          .update(JSON.stringify([purpose, text]))
          .digest();
      return [tagOf(own), ...keys.slice(1).map(tagOf)];
    },
  };
}

/** The id of the key in a sealed value; undefined where it has not the form of one. */
function keyIdIn(bytes: Buffer): Buffer | undefined {
  if (bytes.length < headBytes || bytes[0] !== format) return undefined;
  return bytes.subarray(1, 1 + idBytes);
}

function boundTo({ id }: Key, { profile, kind, row }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([format, id.toString('hex'), profile, kind, row]));
}

function keyOf(secret: Secret): Key {
  const text = secret.reveal();
  const bytes = /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : /^[\w+/-]{43}=?$/.test(text)
      ? Buffer.from(text, 'base64')
      : undefined;
  if (bytes?.length !== 32)
    throw new ObkError({
      code: 'SECRET_REFERENCE',
      title: 'The key of the shared state is not usable.',
      detail: 'It has to be 32 random bytes in hex or base64.',
      hint: ['openssl rand -hex 32   # makes one'],
    });
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', bytes, '', `state of obk: ${purpose}`, length));
  return { id: derive('id', idBytes), seal: derive('seal', 32), tag: derive('tag', 32) };
}
