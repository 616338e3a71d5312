import { encryptPassword, readPasswordKey } from '../../signing/jwe.ts';
import type { PasswordKey } from '../../signing/jwe.ts';
import type { Secret } from '../../secret.ts';
import { readProfileFile } from '../profile/profile-file.ts';
import type { Target } from '../exchange/target.ts';

/** The bank's key for the passwords of its PSUs, from the profile or from the sandbox. Throws KEY_FILE. */
export async function passwordKey(target: Target): Promise<PasswordKey | undefined> {
  const { ports, profile, ownBank } = target;
  const setting = profile.passwordEncryption;
  if (setting === undefined) {
    return ownBank === undefined
      ? undefined
      : readPasswordKey(await ports.bank.passwordKey(), 'the bank inside');
  }
  const text = await readProfileFile(ports, setting.key, 'KEY_FILE', 'password key');
  return readPasswordKey(text, setting.key, setting.algorithm);
}

/** The password as the bank takes it: a JWE for its key. */
export function encrypted({ ports }: Target, password: Secret, key: PasswordKey): Secret {
  return encryptPassword(password, key, (bytes) => Buffer.from(ports.ids.token(bytes), 'base64url'));
}
