import type { Context } from '../../context.ts';
import { fingerprint } from '../../../client/oauth/refresh.ts';
import type { CredentialStore } from '../../../client/ports/credentials.ts';
import type { AccessToken } from '../../../settings/records/credentials.ts';

/** Where a token is: in credentials.json, in the keyring, or in the database with the state. */
type TokenPlace = Awaited<ReturnType<CredentialStore['tokenStore']>>;

/** A token as it is shown: what it is for and where it is, never itself. */
export function tokenDocument({ directories }: Context, token: AccessToken, store: TokenPlace) {
  const { resource, noun, authorisationId, psuId, scope, expiresAt, refreshToken, refreshSentAt } = token;
  return {
    kind: resource === undefined ? 'pre-step' : (noun ?? 'resource'),
    resource: resource ?? null,
    authorisationId: authorisationId ?? null,
    psuId: psuId ?? null,
    scope: scope ?? null,
    expiresAt: expiresAt ?? null,
    refreshable: refreshToken !== undefined && refreshSentAt === undefined,
    sha256: fingerprint(token),
    stored: store === 'file' ? directories.credentials : store,
  };
}

/** A token that this run has got. */
export async function newTokenDocument(context: Context, profile: string, token: AccessToken) {
  return tokenDocument(context, token, await context.ports.credentials.tokenStore(profile));
}
