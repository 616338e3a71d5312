import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { parseUrl } from '../../base/url.ts';
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

/** The well-known address of the metadata of an issuer (RFC 8414 section 3.1). */
export function metadataOf(issuer: string): string {
  const { origin, pathname } = new URL(issuer);
  return `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`;
}

/** The error of a profile that does not say where its OAuth server is. */
export function serverUnknown({ name }: Pick<Target, 'name'>, detail: string): ObkError {
  return new ObkError({
    code: 'PROFILE_INVALID',
    title: `The address of the OAuth server of the profile ${name} is not known.`,
    detail,
    hint: [
      line`obk profile edit ${name} --oauth-metadata URL`,
      line`obk profile edit ${name} --oauth-issuer URL`,
    ],
  });
}

/** The issuer that a well-known address stands for (RFC 8414 section 3.1, OpenID Connect Discovery section 4). */
export function issuerOf(url: string): URL | undefined {
  const { origin, pathname } = new URL(url);
  const inserted = /^\/\.well-known\/oauth-authorization-server(\/.*)?$/.exec(pathname);
  if (inserted !== null) return new URL(origin + (inserted[1] ?? ''));
  const appended = /^(.*)\/\.well-known\/openid-configuration$/.exec(pathname);
  return appended === null ? undefined : new URL(origin + (appended[1] ?? ''));
}

/** A well-known address stands for its issuer without a slash at its end, and for the one with it (RFC 8414 section 3.1). */
export async function asWritten(issuer: URL, response: Response): Promise<URL> {
  const told = (await response.json().catch(() => null)) as { issuer?: unknown } | null;
  const withSlash = new URL(`${issuer.href.replace(/\/$/, '')}/`);
  return told?.issuer === withSlash.href ? withSlash : issuer;
}
