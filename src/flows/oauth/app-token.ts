import { line } from '../../command-line.ts';
import type { Secret } from '../../secret.ts';
import type { Operation } from '../../xs2a/operations.ts';
import type { Target } from '../exchange/target.ts';
import { clientGrant, metadataOf, readServer } from './oauth-grants.ts';
import type { Granted } from './oauth-grants.ts';

const got = new WeakMap<Target['state'], Granted>();

/**
 * The token of the TPP itself (client credentials) where the bank wants one for an operation; undefined where it does not. One
 * is got in a run and kept by none: it costs one call. Throws AUTH_NEEDED, LINK_REFUSED, PROFILE_INVALID.
 */
export async function appTokenFor(target: Target, op: Operation): Promise<Secret | undefined> {
  const { profile, run, ports, state } = target;
  const mode = profile.auth?.operations?.[op.id] ?? profile.auth?.mode;
  if (mode !== 'clientCredentials' || run.dryRun) return undefined;
  const known = got.get(state);
  const now = ports.clock.now().getTime();
  if (known !== undefined && (known.expiresAt === undefined || Date.parse(known.expiresAt) - now > 10_000))
    return known.token;
  const { metadata, issuer } = profile.oauth ?? {};
  const url = metadata ?? (issuer === undefined ? '' : metadataOf(issuer));
  const purpose = { about: {}, again: [line`obk bank explain ${op.id}`] };
  const server = await readServer(target, url, purpose);
  const granted = await clientGrant(target, server, profile.auth?.scope?.app, purpose);
  got.set(state, granted);
  return granted.token;
}
