import type { Environment, Profile } from '../../settings/records/profile.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';
import { declaredOrigins } from './declared-origins.ts';

/** The environment of a profile that sets none: production for a bank off this machine, since it may move money. */
export function unsaidEnvironment(profile: Pick<Profile, 'baseUrl' | 'urls' | 'origins'>): Environment {
  const here = declaredOrigins(profile).every((origin) => isLoopback(parseUrl(origin)?.hostname ?? ''));
  return here ? 'test' : 'production';
}
