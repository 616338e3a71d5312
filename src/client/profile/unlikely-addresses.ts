import { line } from '../../base/command-line.ts';
import type { Profile } from '../../settings/records/profile.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';
import { unsaidEnvironment } from './unsaid-environment.ts';

/** An address that a profile may hold, and that no real bank takes. */
interface Unlikely {
  check: 'psu-ip' | 'redirect';
  text: string;
  /** The command that mends it. */
  hint: string;
}

/**
 * The addresses of a profile that only a bank on this machine or a sandbox takes (of a private network, or in the open), and
 * redirect URIs with a state of their own.
 */
export function unlikelyAddresses(name: string, profile: Partial<Profile>): Unlikely[] {
  return [...unlikelyAtBanks(name, profile), ...ownStates(name, profile)];
}

const redirectFlags = { redirectUri: '--redirect-uri', nokRedirectUri: '--nok-redirect-uri' } as const;
const redirects = ['redirectUri', 'nokRedirectUri'] as const;

/** A state that stands in the profile is the same for every PSU, and goes before the one that obk makes. */
function ownStates(name: string, profile: Partial<Profile>): Unlikely[] {
  return redirects.flatMap((key) => {
    const uri = profile[key] ?? '';
    if (parseUrl(uri)?.searchParams.has('state') !== true) return [];
    const without = uri.replace(/([?&])state=[^&#]*&?/g, '$1').replace(/[?&]$/, '');
    return [
      {
        check: 'redirect' as const,
        text: `The redirect URI ${uri} has a state of its own, the same for every PSU: obk sets the state itself (--redirect-state query).`,
        hint: line`obk profile edit ${name} ${[redirectFlags[key], without]}`,
      },
    ];
  });
}

function unlikelyAtBanks(name: string, profile: Partial<Profile>): Unlikely[] {
  if (profile.environment === 'sandbox' || unsaidEnvironment(profile) === 'test') return [];
  const ip = profile.psu?.ipAddress;
  const isInside = ip !== undefined && isPrivate(ip);
  const found: Unlikely[] = isInside
    ? [
        {
          check: 'psu-ip',
          text: `The PSU-IP-Address ${ip} is of a private network, and banks want the one that the PSU comes from.`,
          hint: line`obk profile edit ${name} --psu-ip ADDRESS`,
        },
      ]
    : [];
  for (const key of redirects) {
    const uri = profile[key] ?? '';
    const url = parseUrl(uri);
    if (url?.protocol !== 'http:' || isLoopback(url.hostname)) continue;
    const secure = uri.replace(/^http:/i, 'https:');
    found.push({
      check: 'redirect',
      text: `The redirect URI ${uri} is http: banks take https alone, and the way back can be read and changed.`,
      hint: line`obk profile edit ${name} ${[redirectFlags[key], secure]}`,
    });
  }
  return found;
}

/** Loopback, RFC 1918, RFC 3927, RFC 6598, RFC 4193, RFC 4291 link-local, and no address at all; not the ranges of documentation. */
const privateIpv4 =
  /^(0|10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const privateIpv6 = /^(::1?$|f[cd]|fe[89ab])/;

function isPrivate(ip: string): boolean {
  if (!ip.includes(':')) return privateIpv4.test(ip);
  const short = (parseUrl(`http://[${ip}]/`)?.hostname ?? '').slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return privateIpv6.test(short);
  const bytes = [high, low].map((half) => parseInt(half, 16)).flatMap((half) => [half >> 8, half & 255]);
  return privateIpv4.test(bytes.join('.'));
}
