import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { NotificationPlace } from '../ports/notifications.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';
import type { Target } from '../exchange/target.ts';
import { listeningTls } from '../exchange/key-material.ts';
import type { GivenTls } from '../exchange/key-material.ts';

/** Where a run listens for notifications, as its flags say. */
export interface WishedPlace extends GivenTls {
  port?: number;
  address: string;
  /** By TLS, with the certificate (QWAC) of the profile, unless one is given. */
  https: boolean;
}

const usualPort = 8090;

/** The place to listen at: that of the flags, else of the notification address of the profile. Throws USAGE. */
export async function listeningPlace(target: Target, wish: WishedPlace): Promise<NotificationPlace> {
  const uri = parseUrl(target.profile.notification?.uri ?? '');
  const own = uri !== undefined && isLoopback(uri.hostname) ? Number(uri.port) : Number.NaN;
  const port = wish.port ?? (own > 0 ? own : usualPort);
  const byTls = wish.https || wish.tlsCertificate !== undefined || wish.tlsKey !== undefined;
  const tls = byTls ? await listeningTls(target, wish) : undefined;
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
