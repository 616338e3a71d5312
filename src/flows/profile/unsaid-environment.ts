import type { Environment, Profile } from '../../records/profile.ts';
import { parseUrl } from '../../url.ts';
import { isLoopback } from '../../xs2a/links.ts';
import { declaredOrigins } from './declared-origins.ts';

/** What a profile counts as whose environment nobody has said: a bank off this machine may move money. */
export function unsaidEnvironment(profile: Pick<Profile, 'baseUrl' | 'urls' | 'origins'>): Environment {
  const here = declaredOrigins(profile).every((origin) => isLoopback(parseUrl(origin)?.hostname ?? ''));
  return here ? 'test' : 'production';
}
