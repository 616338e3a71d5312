import type { Context } from '../../context.ts';
import { fingerprint } from '../../flows/refresh.ts';
import type { AccessToken } from '../../ports.ts';

/** A token as it is shown: what it is for and where it is, never itself. */
export function tokenDocument({ directories }: Context, token: AccessToken) {
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
    stored: directories.credentials,
  };
}
