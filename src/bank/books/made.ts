import { createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

const seedKey = 'seed';
/** The seed where nobody gave one. */
export const usualSeed = 'obk';

/** Has ids and secrets of this ledger made from a seed: those of the n-th thing of a kind are then always the same. */
export function remember(database: Database, seed: string): void {
  database.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', seedKey, seed);
}

/** Returns 32 bytes in base64url that follow from a seed and the name of what they are for. */
export function madeFrom(seed: string, what: string): string {
  return createHmac('sha256', seed).update(what).digest('base64url');
}

/** The seed that the ledger remembers. */
export const seedOf = (database: Database): string | undefined =>
  database.one<{ value: string }>('SELECT value FROM meta WHERE key = ?', seedKey)?.value;

/** Returns the bytes for something new: from the seed of the ledger where it has one, else at random. */
function bytesFor(database: Database, what: string, size: number): Buffer {
  const seed = seedOf(database);
  if (seed === undefined) return randomBytes(size);
  return createHmac('sha256', seed).update(what).digest().subarray(0, size);
}

const hasSeed = (database: Database): boolean => seedOf(database) !== undefined;

/** Returns the bytes for the next thing of a kind. */
function nextBytes(database: Database, kind: string, size: number): Buffer {
  const row = database.one<{ value: string }>(
    `INSERT INTO meta (key, value) VALUES (?, '1')
     ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1 RETURNING value`,
    `last ${kind}`,
  );
  return bytesFor(database, `${kind} ${row?.value ?? ''}`, size);
}

/** Returns a UUID (RFC 9562, version 4) for the next thing of a kind, such as a payment. */
export function nextId(database: Database, kind: string): string {
  if (!hasSeed(database)) return randomUUID();
  const bytes = nextBytes(database, kind, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns 18 bytes in base64url for the next link of a kind. */
export function nextToken(database: Database, kind: string): string {
  return (hasSeed(database) ? nextBytes(database, kind, 18) : randomBytes(18)).toString('base64url');
}

/** Returns a password for a PSU of this ledger; test data. */
export function newPassword(database: Database, psuId: string, which = 'password'): string {
  return bytesFor(database, `${which} of ${psuId}`, 9).toString('base64url');
}

/** Returns a six-digit one-time password that stays valid, so that tests can use it. */
export function newOtp(database: Database, psuId: string): string {
  const number = hasSeed(database)
    ? bytesFor(database, `otp of ${psuId}`, 6).readUIntBE(0, 6) % 1_000_000
    : randomInt(0, 1_000_000);
  return String(number).padStart(6, '0');
}
