import { line } from '../../base/command-line.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import type { Target } from '../exchange/target.ts';
import { authModeOf, scopeOfService } from './auth-mode.ts';
import { clientGrant, readServer } from './oauth-grants.ts';
import { metadataOf, serverUnknown } from './own-issuer.ts';
import type { Granted } from './oauth-grants.ts';

const got = new WeakMap<Target['state'], Map<string, Granted>>();

/**
 * The token of the TPP itself (client credentials) where the bank wants one for an operation; undefined where it does not. One
 * for each scope is got in a run and kept by none: it costs one call. Throws AUTH_NEEDED, LINK_REFUSED, PROFILE_INVALID.
 */
export async function appTokenFor(target: Target, op: Operation): Promise<Granted | undefined> {
  const { profile, run, ports, state } = target;
  if (authModeOf(target, op.id) !== 'clientCredentials' || run.dryRun) return undefined;
  const scope = profile.auth?.scope?.app ?? scopeOfService(target, op.id);
  const tokens = got.get(state) ?? new Map<string, Granted>();
  const known = tokens.get(scope ?? '');
  const now = ports.clock.now().getTime();
  if (known !== undefined && (known.expiresAt === undefined || Date.parse(known.expiresAt) - now > 10_000))
    return known;
  const { metadata, issuer } = profile.oauth ?? {};
  const url = metadata ?? (issuer === undefined ? profile.auth?.tokenUrl : metadataOf(issuer));
  if (url === undefined)
    throw serverUnknown(
      target,
      `The bank wants a token of the TPP itself with ${op.id} (auth.mode, auth.operations); the request was not sent.`,
    );
  const purpose = { about: {}, again: [line`obk bank explain ${op.id}`] };
  const server = await readServer(target, url, purpose);
  const granted = await clientGrant(target, server, scope, purpose);
  got.set(state, tokens.set(scope ?? '', granted));
  return granted;
}
