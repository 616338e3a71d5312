import { isFailure } from '../../base/errors.ts';
import type { AccessToken } from '../../settings/records/credentials.ts';
import type { Target } from '../exchange/target.ts';
import { guardIssuer } from './own-issuer.ts';
import { eraseTokens } from './refresh.ts';
import { isSamePlace, loginOf } from './tokens.ts';

/** How many logins were erased here, and how many of them the bank's OAuth server has taken back (RFC 7009). */
export interface LoggedOut {
  erased: number;
  revoked: number;
}

/**
 * Logs the PSU of this run out (`all`: everybody, with the tokens of resources). What was erased here stays erased
 * whatever the server says: a revocation that fails is a warning. Throws CREDENTIALS_ELSEWHERE before anything is erased
 * where the profile names another issuer than that of a token.
 */
export async function logOut(target: Target, all: boolean): Promise<LoggedOut> {
  const { credentials } = target.ports;
  const { tokens = [] } = await credentials.read(target.name);
  const own = loginOf(tokens, target.psu.id);
  const gone = tokens.filter((one) => all || one === own);
  // A token that could not be revoked is not erased either; its owner decides first.
  for (const { server } of gone) guardIssuer(target, server?.issuer);
  await credentials.update(target.name, (before) => {
    const { token: byHand, logins = [], verifiers = [], ...rest } = before;
    const over = logins.filter(({ psuId }) => all || psuId === target.psu.id);
    const left = logins.filter((one) => !over.includes(one));
    const open = verifiers.filter(({ state }) => !all && !over.some((one) => one.state === state));
    return {
      ...rest,
      ...(byHand !== undefined && !all && { token: byHand }),
      ...(left.length > 0 && { logins: left }),
      ...(open.length > 0 && { verifiers: open }),
    };
  });
  await eraseTokens(target, (one) => all || (own !== undefined && isSamePlace(one, own)));
  let revoked = 0;
  for (const token of gone) if (await revoke(target, token)) revoked += 1;
  return { erased: gone.length, revoked };
}

/** The refresh token, where there is one: the server then ends the access tokens with it (RFC 7009 section 2.1). */
async function revoke(target: Target, { server, refreshToken, token }: AccessToken): Promise<boolean> {
  if (server?.revocationEndpoint === undefined) return false;
  const { revokeToken } = await import('./oauth-grants.ts');
  try {
    const done = await revokeToken(target, server, refreshToken ?? token);
    if (!done) target.ports.notices.warn('The OAuth server of the bank did not revoke the token.');
    return done;
  } catch (error) {
    if (!isFailure(error)) throw error;
    target.ports.notices.warn(`The OAuth server of the bank did not revoke the token: ${error.title}`);
    return false;
  }
}
