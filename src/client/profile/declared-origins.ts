import type { Profile } from '../../settings/records/profile.ts';
import { parseUrl } from '../../base/url.ts';

/** The origins that a profile declares: of the bank, of its services, and the further ones of --origin. */
export function declaredOrigins(profile: Pick<Profile, 'baseUrl' | 'urls' | 'origins'>): string[] {
  const { baseUrl, origins = [] } = profile;
  const addresses = [...(baseUrl === undefined ? [] : [baseUrl]), ...serviceAddresses(profile), ...origins];
  return [...new Set(addresses.flatMap((address) => parseUrl(address)?.origin ?? []))];
}

/** The addresses that a profile names besides the one of the bank. */
export function serviceAddresses({ urls }: Pick<Profile, 'urls'>): string[] {
  return Object.values(urls?.perService ?? {});
}
