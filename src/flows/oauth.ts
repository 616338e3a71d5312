import * as oauth from 'oauth4webapi';
import { ObkError } from '../errors.ts';
import type { SavedResource } from '../ports.ts';
import { expectReturn, redeemed } from '../sca/state.ts';
import type { Conversation, OauthRequest } from '../sca/state.ts';
import { Secret } from '../secret.ts';
import { checkBrowserUrl, isLoopback } from '../xs2a/links.ts';
import { clientIdOf } from './client-id.ts';
import { callOauth, linkRefused } from './oauth-transport.ts';
import { redactText } from './redact.ts';
import { nounOf, resourceOf } from './sca-operations.ts';
import { psuIdOf } from './sca-send.ts';
import type { Target } from './target.ts';
import { keepToken, keepVerifier, takeVerifier } from './tokens.ts';
import { liveUrl } from './visit.ts';

/**
 * Reads the metadata of the bank's OAuth server (RFC 8414) and makes the authorization request for one authorisation
 * (RFC 6749 4.1.1, PKCE S256). The verifier goes to the credentials, all else into the conversation, so that any process
 * can redeem the code. Throws LINK_REFUSED, PROFILE_INVALID, ANSWER_UNREADABLE.
 */
export async function startOauth(
  target: Target,
  resource: SavedResource,
  conversation: Conversation,
  metadataUrl: string,
): Promise<Conversation> {
  const about = resourceOf(conversation);
  const redirectUri = resource.redirect?.uri;
  if (redirectUri === undefined) {
    throw new ObkError({
      code: 'PROFILE_INVALID',
      title: 'OAuth2 needs an address to which the bank sends the PSU back, and this transaction has none.',
      hint: [
        `obk profile edit ${target.name} --redirect-uri URL   # for transactions that start from now on`,
      ],
      resource: about,
    });
  }
  const server = await readMetadata(target, liveUrl(target, metadataUrl), about);
  const endpoint = checkedEndpoint(server.authorization_endpoint, 'authorization_endpoint', about);
  const alias = target.profile.tlsCertificate === undefined ? undefined : server.mtls_endpoint_aliases;
  const clientId = await clientIdOf(target);
  const { ids } = target.ports;
  const state = ids.token(24);
  // RFC 7636 4.1: 32 random octets in base64url are a verifier of 43 characters.
  const verifier = new Secret(ids.token(32));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    scope: scopeOf(target, conversation),
    state,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier.reveal()),
    code_challenge_method: 'S256',
  });
  // Blanks as %20: not every server reads + in a query as one.
  const text = query.toString().replaceAll('+', '%20');
  const request: OauthRequest = {
    url: `${endpoint}${endpoint.includes('?') ? '&' : '?'}${text}`,
    issuer: server.issuer,
    tokenEndpoint: checkedEndpoint(alias?.token_endpoint ?? server.token_endpoint, 'token_endpoint', about),
    namesIssuer: server.authorization_response_iss_parameter_supported === true,
    clientId,
    redirectUri,
  };
  await keepVerifier(target, state, verifier);
  return expectReturn(conversation, state, request);
}

/** What the verifier was kept for: a code that came with the right state. Used once, whatever becomes of it. */
export async function redeemCode(
  target: Target,
  conversation: Conversation,
  request: OauthRequest,
  code: Secret,
): Promise<Conversation> {
  const about = resourceOf(conversation);
  const { returnState: state = '', authorisationId, parent } = conversation;
  const verifier = await takeVerifier(target, state);
  if (verifier === undefined) {
    throw new ObkError({
      code: 'RETURN_REFUSED',
      title: 'The code of this return was used before, or is being used by another process; nothing is sent.',
      hint: again(conversation),
      resource: about,
    });
  }
  const tokenEndpoint = liveUrl(target, request.tokenEndpoint);
  const server: oauth.AuthorizationServer = {
    issuer: request.issuer,
    token_endpoint: tokenEndpoint,
    authorization_response_iss_parameter_supported: request.namesIssuer,
  };
  const client: oauth.Client = { client_id: request.clientId };
  const answered = { code: code.reveal(), state, ...(request.namesIssuer && { iss: request.issuer }) };
  const callback = oauth.validateAuthResponse(server, client, new URLSearchParams(answered), state);
  try {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.TlsClientAuth(),
      callback,
      request.redirectUri,
      verifier.reveal(),
      {
        // The link policy has been asked: plain http is for this machine only.
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- the bank inside speaks it
        [oauth.allowInsecureRequests]: isLoopback(new URL(tokenEndpoint).hostname),
        [oauth.customFetch]: (url, { headers, body }) =>
          callOauth(target, { id: 'oauthToken', method: 'POST', url, headers, form: body }, about),
      },
    );
    const token = await oauth.processAuthorizationCodeResponse(server, client, response);
    if (token.token_type !== 'bearer') throw new oauth.UnsupportedOperationError(token.token_type);
    const now = target.ports.clock.now().getTime();
    const psuId = psuIdOf(target, conversation);
    await keepToken(target, {
      resource: parent.id,
      token: new Secret(token.access_token),
      ...(authorisationId !== undefined && { authorisationId }),
      ...(psuId !== undefined && { psuId }),
      ...(token.refresh_token !== undefined && { refreshToken: new Secret(token.refresh_token) }),
      ...(token.expires_in !== undefined && {
        expiresAt: new Date(now + token.expires_in * 1000).toISOString(),
      }),
    });
  } catch (error) {
    // Nothing has left, so the code is as good as before.
    if (error instanceof ObkError && error.code === 'NOT_SENT') await keepVerifier(target, state, verifier);
    throw refusalOf(error, conversation);
  }
  return redeemed(conversation);
}

async function readMetadata(
  target: Target,
  url: string,
  about: ReturnType<typeof resourceOf>,
): Promise<oauth.AuthorizationServer> {
  const response = await callOauth(target, { id: 'oauthMetadata', method: 'GET', url }, about);
  try {
    const expected = issuerOf(url) ?? new URL(await issuerIn(response.clone()));
    return await oauth.processDiscoveryResponse(expected, response);
  } catch (cause) {
    throw new ObkError({
      code: 'ANSWER_UNREADABLE',
      title: `The metadata of the OAuth server ${new URL(url).host} cannot be used.`,
      detail: cause instanceof Error ? cause.message : String(cause),
      hint: ['obk log show @last -vvv'],
      cause,
      resource: about,
    });
  }
}

/** The issuer that a well-known address stands for (RFC 8414 section 3.1, OpenID Connect Discovery section 4). */
function issuerOf(url: string): URL | undefined {
  const { origin, pathname } = new URL(url);
  const inserted = /^\/\.well-known\/oauth-authorization-server(\/.*)?$/.exec(pathname);
  if (inserted !== null) return new URL(origin + (inserted[1] ?? ''));
  const appended = /^(.*)\/\.well-known\/openid-configuration$/.exec(pathname);
  return appended === null ? undefined : new URL(origin + (appended[1] ?? ''));
}

/** Where the address does not say it, the bank's own link vouches for the issuer. */
async function issuerIn(response: Response): Promise<string> {
  const { issuer } = (await response.json()) as { issuer?: unknown };
  return typeof issuer === 'string' ? issuer : '';
}

function checkedEndpoint(
  url: string | undefined,
  name: string,
  about: ReturnType<typeof resourceOf>,
): string {
  const checked = checkBrowserUrl(url ?? '');
  if (checked.ok && !checked.url.includes('#')) return checked.url;
  throw linkRefused(url ?? '', `as ${name}: ${checked.ok ? 'it has a fragment' : checked.why}`, about);
}

const scopes = { payment: 'PIS:{paymentId}', consent: 'AIS:{consentId}', basket: 'PIS:{basketId}' } as const;

/** The scope of the guidelines (13.1), or that of the profile where it is one for this kind of resource. */
function scopeOf({ profile }: Target, { parent }: Conversation): string {
  const noun = nounOf[parent.kind];
  const own = profile.oauth?.scope;
  const name = `{${noun}Id}`;
  return (own?.includes(name) === true ? own : scopes[noun]).replaceAll(name, () => parent.id);
}

function refusalOf(error: unknown, conversation: Conversation): unknown {
  if (error instanceof ObkError) {
    if (error.code !== 'ANSWER_LOST') return error;
    const { code, title, detail, cause } = error;
    const parts = { code, title, cause, hint: again(conversation), resource: resourceOf(conversation) };
    return new ObkError(detail === undefined ? parts : { ...parts, detail });
  }
  if (error instanceof oauth.ResponseBodyError) {
    const { error: word, error_description: why } = error;
    return new ObkError({
      code: 'AUTH_NEEDED',
      title: `The OAuth server gives no token for the code: ${word}.`,
      ...(why !== undefined && { detail: redactText(why) }),
      hint: again(conversation),
      cause: error,
      resource: resourceOf(conversation),
    });
  }
  if (!(error instanceof Error) || !('code' in error)) return error;
  return new ObkError({
    code: 'ANSWER_UNREADABLE',
    title: 'The answer of the OAuth server cannot be used.',
    detail: error.message,
    hint: again(conversation),
    cause: error,
    resource: resourceOf(conversation),
  });
}

/** A code is good once, so the way on is another authorization request. */
function again({ parent }: Conversation): string[] {
  return [`obk ${nounOf[parent.kind]} authorise ${parent.id}   # asks the PSU again`];
}
