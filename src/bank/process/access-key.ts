import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { elsewhere, isOpenElsewhere } from '../../settings/doors/check-doors.ts';
import type { Doors } from '../../settings/doors/doors.ts';
import { ObkError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import type { AccessKey } from './entrance.ts';

/** The access key of a bank: the one that was given, or one of its own where other machines reach it. */
export async function accessKeyOf(
  doors: Doors,
  folder: string,
  read?: (reference: string) => Promise<Secret>,
): Promise<(AccessKey & { path?: string }) | undefined> {
  if (doors.accessKeyFrom !== undefined) {
    if (read === undefined) throw new Error('nothing reads the access key');
    const key = await read(doors.accessKeyFrom);
    if (!key.isEmpty) return { key, always: true };
    throw new ObkError({
      code: 'USAGE',
      title: 'The access key is empty.',
      detail: `${doors.accessKeyFrom} holds nothing, and everybody would know that key.`,
    });
  }
  if (elsewhere(doors).length === 0 || isOpenElsewhere(doors)) return undefined;
  const path = join(folder, 'access-key');
  return { key: new Secret(keptKey(path)), always: false, path };
}

/** The key in this file, made at its first use; of two processes the first one's stays. */
function keptKey(path: string): string {
  try {
    writeFileSync(path, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
