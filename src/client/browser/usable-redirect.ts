import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { SavedRedirect, SavedResource } from '../../settings/records/resources.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import type { Target } from '../exchange/target.ts';
import { authModeOf } from '../oauth/auth-mode.ts';
import { clientIdOf } from '../oauth/client-id.ts';
import { newRedirect } from './return-address.ts';

/**
 * The redirect addresses of a new transaction that an operation makes. Throws PROFILE_INVALID before anything is sent where the bank
 * lets the PSU log in within each authorisation (auth.mode integrated) and that could not be led: the transaction would only lie there.
 */
export async function redirectOfNew(
  target: Target,
  operation: OperationId,
): Promise<SavedRedirect | undefined> {
  const { profile, name, run } = target;
  const isLed = authModeOf(target, operation) === 'integrated' && profile.prefer?.redirect !== false;
  if (!isLed || run.dryRun) return newRedirect(target);
  // Where replies of tokens tell the client_id, the login gets it.
  if (profile.auth?.clientId !== 'tokenReply') await clientIdOf(target);
  const redirect = await newRedirect(target);
  if (redirect !== undefined) return redirect;
  throw new ObkError({
    code: 'PROFILE_INVALID',
    title: 'OAuth2 needs an address to which the bank sends the PSU back, and the profile has none.',
    detail: 'auth.mode is integrated: each authorisation is a login at the bank. The request was not sent.',
    hint: [line`obk profile edit ${name} --redirect-uri URL   # the one that the bank has registered`],
  });
}

/** The transaction with the redirect addresses that the profile has now, where it was made without any. */
export async function withLateRedirect(target: Target, resource: SavedResource): Promise<SavedResource> {
  const { profile, run, ports } = target;
  if (resource.redirect !== undefined || profile.redirectUri === undefined || run.dryRun) return resource;
  const redirect = await newRedirect(target);
  if (redirect === undefined) return resource;
  const after = { ...resource, redirect };
  await ports.resources.save(after);
  return after;
}
