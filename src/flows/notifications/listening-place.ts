import { line } from '../../command-line.ts';
import { ObkError } from '../../errors.ts';
import type { NotificationPlace } from '../../ports/notifications.ts';
import { Secret } from '../../secret.ts';
import { parseUrl } from '../../url.ts';
import { isLoopback } from '../../xs2a/links.ts';
import type { Target } from '../exchange/target.ts';
import { readPassphrase } from '../exchange/key-material.ts';
import { readProfileFile } from '../profile/profile-file.ts';

/** Where a run listens for notifications, as its flags say. */
export interface WishedPlace {
  port?: number;
  address: string;
  /** By TLS, with the certificate (QWAC) of the profile. */
  https: boolean;
  /** By TLS, with this certificate. */
  tlsCertificate?: string;
  tlsKey?: string;
  tlsKeyPassphraseFrom?: string;
}

const usualPort = 8090;

/** The place to listen at: that of the flags, else of the notification address of the profile. Throws USAGE. */
export async function listeningPlace(target: Target, wish: WishedPlace): Promise<NotificationPlace> {
  const uri = parseUrl(target.profile.notification?.uri ?? '');
  const own = uri !== undefined && isLoopback(uri.hostname) ? Number(uri.port) : Number.NaN;
  const port = wish.port ?? (own > 0 ? own : usualPort);
  const tls = await tlsOf(target, wish);
  const here = isLoopback(wish.address.includes(':') ? `[${wish.address}]` : wish.address);
  if (tls === undefined && !here)
    throw new ObkError({
      code: 'USAGE',
      title: `By plain http it is listened on this machine only, not at ${wish.address}.`,
      hint: [line`obk listen --https --address ${wish.address}`],
    });
  return {
    address: wish.address,
    port,
    ...(uri !== undefined && own === port && { path: uri.pathname }),
    ...(tls && { tls }),
  };
}

async function tlsOf(target: Target, wish: WishedPlace): Promise<NotificationPlace['tls']> {
  const { ports, profile, ownBank } = target;
  const given = wish.tlsCertificate !== undefined || wish.tlsKey !== undefined;
  if (!given && !wish.https) return undefined;
  const certificate = given ? wish.tlsCertificate : (ownBank?.tlsCertificatePath ?? profile.tlsCertificate);
  const key = given ? wish.tlsKey : (ownBank?.tlsKeyPath ?? profile.tlsKey);
  if (certificate === undefined || key === undefined)
    throw new ObkError({
      code: 'USAGE',
      title: given
        ? 'Certificate and key go together.'
        : `The profile ${target.name} has no TLS certificate (QWAC) to listen with.`,
      hint: [line`obk listen --tls-certificate ${'qwac.pem'} --tls-key ${'qwac-key.pem'}`],
    });
  const from = given ? wish.tlsKeyPassphraseFrom : profile.tlsKeyPassphraseFrom;
  const passphrase = from === undefined ? undefined : await readPassphrase(ports, from);
  return {
    certificate: await readProfileFile(ports, certificate, 'CERTIFICATE_FILE', 'TLS certificate'),
    key: new Secret(await readProfileFile(ports, key, 'KEY_FILE', 'TLS key')),
    ...(passphrase && { passphrase }),
  };
}
