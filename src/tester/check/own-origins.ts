import type { Profile } from '../../settings/records/profile.ts';
import { parseUrl } from '../../base/url.ts';

/**
 * The servers that links of a bank may lead to: those that were called, and those that its profile names. Undefined where the profile
 * says that hosts in links mean nothing, and where no server is known.
 */
export function ownOrigins(
  called: readonly (string | undefined)[],
  profile: Profile | undefined,
): ReadonlySet<string> | undefined {
  if (profile?.links?.host === 'ignore') return undefined;
  const named = [
    profile?.baseUrl,
    ...Object.values(profile?.urls?.perService ?? {}),
    ...(profile?.origins ?? []),
  ];
  const known = [...called, ...named].flatMap((address) => parseUrl(address ?? '')?.origin ?? []);
  return known.length === 0 ? undefined : new Set(known);
}
