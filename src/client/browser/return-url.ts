import { cleanLine } from '../../base/clean.ts';
import type { Return } from '../ports/browser.ts';
import type { SavedRedirect } from '../../settings/records/resources.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import { Secret } from '../../base/secret.ts';
import { sha256Hex } from '../../signing/digest.ts';
import { parseUrl } from '../../base/url.ts';

/** The parameters with which the PSU's browser came back. */
export interface PsuReturn {
  outcome: Return['outcome'];
  /** A confirmation code, or the code of OAuth. */
  code?: Secret;
  /** The word of an OAuth error, cleaned. */
  error?: string;
}

/** The values to check a return against: the state that was sent and, with OAuth, the request. */
export type ExpectedReturn = Pick<Conversation, 'returnState' | 'oauth' | 'standing'> & {
  /** The bank always gives a code to confirm with, whether its answer has said so or not (sca.confirmationCode). */
  confirms?: boolean;
};

/** The content of a redirected URL, or why it is not used. */
export type JudgedReturn = PsuReturn | { outcome: 'foreign'; why: string };

/**
 * Judges a redirected URL: its address is one of this transaction, and where a state was sent the same state comes back,
 * once; of OAuth the issuer too (RFC 6749 section 10.12, RFC 9207). A return is never a proof: the bank is read after it.
 */
export function judgeReturn(
  address: string | Secret,
  redirect: SavedRedirect | undefined,
  { returnState, oauth, standing, confirms = false }: ExpectedReturn,
): JudgedReturn {
  const url = parseUrl((address instanceof Secret ? address.reveal() : address).trim());
  const own = url && ownAddress(url, redirect, oauth?.redirectUri);
  if (url === undefined || own === undefined) {
    const uri = oauth?.redirectUri ?? redirect?.uri;
    if (uri === undefined)
      return foreign('no redirect URI was sent, so the PSU returns to no address of ours');
    return foreign(`it is not the address of the return, which begins with ${uri.replace(/\?.*/, '')}`);
  }
  const parameters = responseOf(url, own.uri);
  const error = cleanLine(parameters.get('error') ?? '', 200);
  if (returnState !== undefined) {
    const states = parameters.getAll('state');
    const carried = error === '' ? '' : ` (it says ${error}, which is not believed)`;
    if (states.length === 0) return foreign(`it lacks the state that was sent${carried}`);
    if (states.length > 1 || !isSame(states[0] ?? '', returnState)) {
      return foreign(`its state is not that of this authorisation, perhaps that of another tab${carried}`);
    }
  }
  if (oauth !== undefined) {
    const issuers = parameters.getAll('iss');
    const wrong = issuers.length > 1 || (issuers.length === 1 && issuers[0] !== oauth.issuer);
    if (wrong) return foreign('it comes from another OAuth server than that of this authorisation');
    if (issuers.length === 0 && oauth.namesIssuer) return foreign('it does not name the OAuth server (iss)');
  }
  if (own.outcome === 'nok' || error !== '') return { outcome: 'nok', ...(error !== '' && { error }) };
  const wanted =
    oauth !== undefined
      ? 'code'
      : standing.confirmation === undefined && !confirms
        ? undefined
        : 'confirmationCode';
  const codes = [...parameters].filter(([name]) => name.toLowerCase() === wanted?.toLowerCase());
  if (codes.length > 1) return foreign('it has more than one code');
  const code = codes[0]?.[1] ?? '';
  return { outcome: 'ok', ...(code !== '' && { code: new Secret(code) }) };
}

/** By their hashes, so that the time of comparing tells nothing. */
const isSame = (a: string, b: string): boolean => sha256Hex(a) === sha256Hex(b);

const foreign = (why: string): JudgedReturn => ({ outcome: 'foreign', why });

/** Which of our addresses a URL is at. */
function ownAddress(
  url: URL,
  redirect: SavedRedirect | undefined,
  oauthUri: string | undefined,
): { uri: string; outcome: Return['outcome'] } | undefined {
  const isAt = (uri: string): boolean =>
    url.origin === new URL(uri).origin && url.pathname === new URL(uri).pathname;
  const nok = redirect?.nokUri;
  if (nok !== undefined && isAt(nok)) return { uri: nok, outcome: 'nok' };
  const uri = oauthUri ?? redirect?.uri;
  // Without a redirect URI no address is one that the PSU returns to.
  if (uri === undefined) return undefined;
  return isAt(uri) ? { uri, outcome: 'ok' } : undefined;
}

/** The parameters added by the bank, without our own query before them (RFC 6749 section 3.1.2). */
function responseOf(url: URL, ownUri: string): URLSearchParams {
  const own = [...new URL(ownUri).searchParams];
  const added = [...url.searchParams].filter(([name, value]) => {
    const at = own.findIndex((pair) => pair[0] === name && pair[1] === value);
    if (at >= 0) own.splice(at, 1);
    return at < 0;
  });
  return new URLSearchParams(added);
}
