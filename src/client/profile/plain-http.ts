import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Profile, SavedProfile, Settings } from '../../settings/records/profile.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';
import { resolved, savedAs } from './inheritance.ts';

/** One address of a profile, by its setting. */
interface Address {
  setting: string;
  address: string;
  /** True for an address of the OAuth server, which is never called over plain http. */
  oauth: boolean;
}

/** Whether a call to an address would leave this machine for anybody on the way to read. */
function leavesInTheOpen(address: string): boolean {
  const url = parseUrl(address);
  return url?.protocol === 'http:' && !isLoopback(url.hostname);
}

function addressesOf(profile: Partial<Profile>): Address[] {
  const { baseUrl, origins = [], oauth = {}, urls } = profile;
  const named = (setting: string, address: string | undefined, oauth = false) =>
    address === undefined ? [] : [{ setting, address, oauth }];
  return [
    ...named('baseUrl', baseUrl),
    ...Object.entries(urls?.perService ?? {}).flatMap(([key, url]) => named(`urls.perService.${key}`, url)),
    ...origins.flatMap((origin, index) => named(`origins[${String(index)}]`, origin)),
    ...named('oauth.metadata', oauth.metadata, true),
    ...named('oauth.issuer', oauth.issuer, true),
  ];
}

/** Throws CONNECTION_INSECURE for an address that is plain http and not on this machine, unless the profile allows it. */
export function checkPlain(
  profile: Pick<Profile, 'allowHttp'>,
  name: string,
  address: string,
  hint?: readonly string[],
): void {
  if (profile.allowHttp === true || !leavesInTheOpen(address)) return;
  throw sentInTheOpen(name, new URL(address), hint);
}

function sentInTheOpen(name: string, url: URL, hint?: readonly string[]): ObkError {
  return new ObkError({
    code: 'CONNECTION_INSECURE',
    title: `The profile ${name} would send credentials over plain http to ${url.host}.`,
    detail: 'Plain http is used for addresses of this machine only.',
    hint: hint ?? [
      line`obk profile edit ${name} --base-url https://${url.host}${url.pathname}`,
      line`obk profile edit ${name} --allow-http yes   # a sandbox; never with a token, a password or an OTP`,
    ],
  });
}

/**
 * Throws CONNECTION_INSECURE before a profile is saved with an address that every call would refuse. An address that it
 * already had does not stop other changes.
 */
export function needSafeAddresses(settings: Settings, name: string, own: SavedProfile): void {
  const after = resolved(settings, name, own);
  const before = addressesOf(savedAs(settings, name));
  const isNew = ({ setting, address }: Address) =>
    !before.some((one) => one.setting === setting && one.address === address);
  const [first] = openAddresses(after).filter(isNew);
  if (first === undefined) return;
  const { setting, address, oauth } = first;
  const url = new URL(address);
  const allow = '--allow-http yes   # a sandbox; never with a token, a password or an OTP';
  throw sentInTheOpen(name, url, [
    `${setting}: https://${url.host}${url.pathname}`,
    ...(oauth || after.allowHttp === true ? [] : [allow]),
  ]);
}

/** The addresses of a profile, as it is saved, to which every call is refused. */
export function openAddresses(profile: Partial<Profile>): Address[] {
  const allowed = profile.allowHttp === true && profile.environment !== 'production';
  return addressesOf(profile).filter(({ address, oauth }) => leavesInTheOpen(address) && (oauth || !allowed));
}
