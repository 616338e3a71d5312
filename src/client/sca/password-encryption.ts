import { encryptPassword, readPasswordKey } from '../../signing/jwe.ts';
import type { PasswordKey } from '../../signing/jwe.ts';
import type { Secret } from '../../base/secret.ts';
import { readProfileFile } from '../profile/profile-file.ts';
import type { Target } from '../exchange/target.ts';
import { callOauth, linkRefused } from '../oauth/oauth-transport.ts';

/**
 * The bank's key for the passwords of its PSUs: from the profile, from where a link of the bank leads or its
 * description says, or from the sandbox. Throws
 * KEY_FILE, LINK_REFUSED.
 */
export async function passwordKey(target: Target, link?: string): Promise<PasswordKey | undefined> {
  const { ports, profile, ownBank } = target;
  const setting = profile.passwordEncryption;
  const place = link ?? profile.sca?.passwordEncryption?.certificatePath;
  if (setting === undefined && place !== undefined) return linkedKey(target, place);
  if (setting === undefined) {
    return ownBank === undefined
      ? undefined
      : readPasswordKey(await ports.bank.passwordKey(), 'the bank inside');
  }
  const text = await readProfileFile(ports, setting.key, 'KEY_FILE', 'password key');
  return readPasswordKey(text, setting.key, setting.algorithm ?? profile.sca?.passwordEncryption?.kind);
}

/** The key that the bank itself gives, from no other address than its own. */
async function linkedKey(target: Target, link: string): Promise<PasswordKey> {
  const { links, ownOrigins = [], profile } = target;
  const url = new URL(link, links.base);
  if (url.origin !== new URL(links.base).origin && !ownOrigins.includes(url.origin))
    throw linkRefused(url.href, 'the certificate for passwords comes from the bank alone', {});
  const response = await callOauth(
    target,
    { id: 'bankCertificate', method: 'GET', url: url.href, headers: { accept: '*/*' } },
    {},
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  const isDer = bytes[0] === 0x30;
  const pem = `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return readPasswordKey(
    isDer ? pem : bytes.toString('utf8'),
    url.href,
    profile.sca?.passwordEncryption?.kind,
  );
}

/** The password as the bank takes it: a JWE for its key. */
export function encrypted({ ports }: Target, password: Secret, key: PasswordKey): Secret {
  return encryptPassword(password, key, (bytes) => Buffer.from(ports.ids.token(bytes), 'base64url'));
}
