import { ObkError } from '../../base/errors.ts';
import type { OauthRequest } from '../../standard/sca/state.ts';
import type { Secret } from '../../base/secret.ts';
import { exchangeCode } from './oauth-grants.ts';
import type { OauthPurpose, Granted } from './oauth-grants.ts';
import { guardIssuer } from './own-issuer.ts';
import type { Target } from '../exchange/target.ts';
import { takeVerifier, keepVerifier } from './tokens.ts';

/** Exchanges a code that came with the right state for a token; its verifier is used once, whatever the outcome. */
export async function redeem(
  target: Target,
  request: OauthRequest,
  { state, code }: { state: string; code: Secret },
  purpose: OauthPurpose,
): Promise<Granted> {
  guardIssuer(target, request.issuer, 'The code');
  const verifier = await takeVerifier(target, state);
  if (verifier === undefined) {
    throw new ObkError({
      code: 'RETURN_REFUSED',
      title: 'The code of this return was used before, or is being used by another process; nothing is sent.',
      hint: purpose.again,
      resource: purpose.about,
    });
  }
  try {
    return await exchangeCode(target, request, { state, code, verifier }, purpose);
  } catch (error) {
    // Nothing has left, so the code is as good as before.
    if (error instanceof ObkError && error.code === 'NOT_SENT') await keepVerifier(target, state, verifier);
    throw error;
  }
}
