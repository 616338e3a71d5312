import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { SavedRedirect } from '../../settings/records/resources.ts';
import type { Header } from '../../settings/records/wire.ts';
import { headerSets } from '../../standard/xs2a/header-rows.ts';
import { declaredHeaders } from '../../standard/xs2a/headers.ts';
import { checkPsuIp } from '../../standard/xs2a/ip-address.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import { frameworkFacts } from '../../standard/xs2a/variants.ts';
import type { Target } from '../exchange/target.ts';
import { loginOf, readsAccounts } from '../oauth/tokens.ts';

/** The four PSU-ID headers, from the run or the profile; never on method selection, OTP or AIS reads. */
export function psuHeaders({ psu, token, logins, variant }: Target, id = psu.id): Header[] {
  const named = token !== undefined || loginOf(logins, id) !== undefined;
  if (named && !frameworkFacts[variant.framework].psuIdBesideLogin) return [];
  return present([
    ['PSU-ID', id],
    ['PSU-ID-Type', psu.idType],
    ['PSU-Corporate-ID', psu.corporateId],
    ['PSU-Corporate-ID-Type', psu.corporateIdType],
  ]);
}

/**
 * PSU-IP-Address, mandatory on creation calls: the address of the PSU's device, which must not be invented. Only
 * sandbox profiles fall back to loopback.
 */
export function psuIpHeader(target: Target): Header {
  const address = target.psu.ipAddress ?? (target.environment === 'sandbox' ? '127.0.0.1' : undefined);
  if (address === undefined) {
    throw new ObkError({
      code: 'USAGE',
      title: 'Missing --psu-ip.',
      detail:
        'Banks demand the IP address of the PSU (PSU-IP-Address) with every creation; obk never makes one up.',
      hint: [
        '--psu-ip ADDRESS or OBK_PSU_IP=ADDRESS',
        line`obk profile edit ${target.name} --psu-ip ADDRESS`,
      ],
    });
  }
  const checked = checkPsuIp(address);
  if (checked.ok) return ['PSU-IP-Address', checked.value];
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: `${address} cannot be sent as PSU-IP-Address.`,
    detail: checked.why,
  });
}

/** PSU-IP-Address where it is optional: sent if it is known. */
export function knownPsuIp(target: Target): Header[] {
  return target.psu.ipAddress === undefined ? [] : [psuIpHeader(target)];
}

/**
 * PSU-IP-Address where the run itself names it, on every operation that declares it. Only reads of account data say by it that the
 * PSU is there, and --psu-present alone may say so.
 */
export function namedPsuIp(target: Target, op: Operation): Header[] {
  if (target.run.psu?.ipAddress === undefined || readsAccounts(op)) return [];
  const declared = declaredHeaders(target.variant, op).some(({ name }) => name === 'PSU-IP-Address');
  return declared ? [psuIpHeader(target)] : [];
}

const contextNames = new Set(headerSets.CTX.map(({ name }) => name));

/** The facts about the PSU's device from the run or the profile, on every operation that declares them. */
export function contextHeaders({ psu, variant }: Target, op: Operation): Header[] {
  const { context } = psu;
  if (context === undefined) return [];
  return declaredHeaders(variant, op).flatMap(({ name }) => {
    // An empty value of the run takes one of the profile away.
    const value = contextNames.has(name) ? context[name] : undefined;
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
}

/** Where the PSU returns to; the same on every authorisation and on the cancellation of one transaction. */
export function redirectHeaders(redirect: SavedRedirect | undefined): Header[] {
  return present([
    ['TPP-Redirect-URI', redirect?.uri],
    ['TPP-Nok-Redirect-URI', redirect?.nokUri],
  ]);
}

/** Headers known from the profile that the operation takes, for a call outside any flow. */
export function usualHeaders(target: Target, op: Operation, psuPresent = false): Header[] {
  const { psu, profile } = target;
  const takes = (prefix: string) => op.headers.some((set) => set.startsWith(prefix));
  // With account data it says that the PSU asks for them right now.
  const says = !readsAccounts(op) || psuPresent;
  const ip = takes('IP') && says && (psu.ipAddress !== undefined || op.headers.includes('IPm'));
  const { redirectUri: uri, nokRedirectUri: nokUri } = profile;
  return [
    ...(takes('PSU4') && op.method !== 'GET' ? psuHeaders(target) : []),
    ...(ip ? [psuIpHeader(target)] : []),
    ...(takes('RED') && uri !== undefined ? redirectHeaders({ uri, ...defined({ nokUri }) }) : []),
  ];
}

function present(pairs: readonly (readonly [string, string | undefined])[]): Header[] {
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
