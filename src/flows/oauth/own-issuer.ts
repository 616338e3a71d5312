import { line } from '../../command-line.ts';
import { ObkError } from '../../errors.ts';
import { parseUrl } from '../../url.ts';
import type { Target } from '../exchange/target.ts';

/**
 * Whether a token, or an authorization request, is of another OAuth server than the one that the profile names. A profile
 * that names none has whichever its bank leads to; a token without an issuer was put there by hand, or by an earlier obk.
 */
export function isOfOtherIssuer(wanted: string | undefined, from: string | undefined): from is string {
  return wanted !== undefined && from !== undefined && spelt(wanted) !== spelt(from);
}

const spelt = (issuer: string): string => parseUrl(issuer)?.href ?? issuer;

/** Throws CREDENTIALS_ELSEWHERE before what came from one issuer is used, refreshed or taken back for another. */
export function guardIssuer(
  { profile, name, psu }: Pick<Target, 'profile' | 'name' | 'psu'>,
  from: string | undefined,
  what = 'The access token',
): void {
  if (from === undefined) return;
  const wanted = profile.oauth?.issuer;
  if (wanted === undefined || !isOfOtherIssuer(wanted, from)) return;
  throw new ObkError({
    code: 'CREDENTIALS_ELSEWHERE',
    title: `${what} of the profile ${name} belongs to the OAuth server ${from}; the profile names ${wanted}.`,
    detail: 'Nothing was sent with it.',
    hint: [
      line`obk profile edit ${name} --oauth-issuer ${wanted} --credentials drop   # forget what came from the other one`,
      line`obk profile edit ${name} --oauth-issuer ${from}   # if that is the server of the bank`,
      line`obk auth login --profile ${name}${psu.id === undefined ? [] : ['--psu-id', psu.id]}   # get a new one`,
    ],
  });
}
