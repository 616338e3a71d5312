import { defined } from '../../base/defined.ts';
import * as oauth from 'oauth4webapi';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { ErrorResource } from '../../base/errors.ts';
import type { AccessToken } from '../../settings/records/credentials.ts';
import type { OauthRequest } from '../../standard/sca/state.ts';
import { Secret } from '../../base/secret.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';
import { checkBrowserUrl } from '../../standard/xs2a/links.ts';
import { liveUrl } from '../exchange/addresses.ts';
import { clientIdOf } from './client-id.ts';
import { asBankWants, stateFor } from './oauth-parameters.ts';
import { callOauth, linkRefused } from './oauth-transport.ts';
import { asWritten, isOfOtherIssuer, issuerOf } from './own-issuer.ts';
import { redactText } from '../redaction/redact.ts';
import type { Target } from '../exchange/target.ts';
import { asClient, clientIdIn, tokenCall } from './oauth-parameters.ts';
import { keepVerifier } from './tokens.ts';

/** Whom an error of OAuth concerns, and what asks the PSU again. */
export interface OauthPurpose {
  about: ErrorResource;
  again: readonly string[];
}

/** The facts about a bank's OAuth server, from its metadata. */
export type OauthServer = Omit<OauthRequest, 'url' | 'clientId' | 'redirectUri'> & {
  authorizationEndpoint: string;
  /** The scopes that the server lists; empty if it lists none. */
  scopes: readonly string[];
};

/** Reads the metadata document of an OAuth server (RFC 8414). Throws LINK_REFUSED, ANSWER_UNREADABLE. */
export async function readServer(target: Target, url: string, { about }: OauthPurpose): Promise<OauthServer> {
  const said = serverOfProfile(target, about);
  if (said !== undefined) return said;
  const response = await callOauth(target, { id: 'oauthMetadata', method: 'GET', url }, about);
  const metadata = await metadataIn(target, url, response, about);
  const alias = target.profile.tlsCertificate === undefined ? undefined : metadata.mtls_endpoint_aliases;
  const revocation = alias?.revocation_endpoint ?? metadata.revocation_endpoint;
  const tokenEndpoint = checked(alias?.token_endpoint ?? metadata.token_endpoint, 'token_endpoint', about);
  return {
    issuer: metadata.issuer,
    authorizationEndpoint: checked(metadata.authorization_endpoint, 'authorization_endpoint', about),
    tokenEndpoint,
    ...(revocation !== undefined && {
      revocationEndpoint: checked(revocation, 'revocation_endpoint', about),
    }),
    namesIssuer: metadata.authorization_response_iss_parameter_supported === true,
    scopes: metadata.scopes_supported ?? [],
  };
}

/** The server as the description of the bank has it, where there is no metadata to read. */
function serverOfProfile({ profile }: Target, about: ErrorResource): OauthServer | undefined {
  const { authorizeUrl, tokenUrl } = profile.auth ?? {};
  if (tokenUrl === undefined) return undefined;
  const tokenEndpoint = checked(tokenUrl, 'auth.tokenUrl', about);
  return {
    issuer: profile.oauth?.issuer ?? new URL(tokenEndpoint).origin,
    authorizationEndpoint: checked(authorizeUrl ?? tokenUrl, 'auth.authorizeUrl', about),
    tokenEndpoint,
    namesIssuer: false,
    scopes: [],
  };
}

/** The result of a grant. */
export type Granted = Omit<AccessToken, 'resource' | 'noun' | 'authorisationId' | 'psuId'>;

/** The facts needed to refresh a token. */
export type TokenServer = NonNullable<AccessToken['server']>;

/** The refresh token is good no more (RFC 6749 section 5.2), so that only the PSU can help. */
export class GrantRefused extends ObkError {
  override readonly name = 'GrantRefused';
}

/** Codes and refresh tokens go to the origin of the issuer, or to one that the profile names. */
function needOwnEndpoint(
  target: Target,
  { issuer, tokenEndpoint: endpoint }: Pick<OauthServer, 'issuer' | 'tokenEndpoint'>,
): void {
  const { origin } = new URL(endpoint);
  const own = [new URL(issuer).origin, ...(target.ownOrigins ?? [])];
  if (own.includes(origin)) return;
  throw new ObkError({
    code: 'LINK_REFUSED',
    title: `The token endpoint of the OAuth server ${new URL(issuer).host} is at another origin.`,
    detail: `It is ${JSON.stringify(endpoint.slice(0, 300))}; codes and tokens go to the issuer and the origins of the profile.`,
    hint: [line`obk profile edit ${target.name} --origin ${origin}   # if the bank says so`],
  });
}

/** A token is a word of visible ASCII (RFC 6750 section 2.1): anything else could make headers of its own. */
function needPlain(token: string | undefined): void {
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return;
  throw new oauth.UnsupportedOperationError('a token has control or non-ASCII characters');
}

/** Makes an authorization request (RFC 6749 section 4.1.1, PKCE S256); its verifier goes to the credentials. Throws ANSWER_UNREADABLE. */
export async function makeRequest(
  target: Target,
  whole: OauthServer,
  { scope, redirectUri }: { scope: string; redirectUri: string },
  purpose: OauthPurpose,
): Promise<{ state: string; request: OauthRequest }> {
  const { authorizationEndpoint: endpoint, scopes: _, ...server } = whole;
  checkIssuer(target, server.issuer);
  needOwnEndpoint(target, server);
  const clientId = await clientOfLogin(target, whole, purpose);
  const { auth = {} } = target.profile;
  const state = stateFor(target);
  // RFC 7636 4.1: 32 random octets in base64url are a verifier of 43 characters.
  const verifier = new Secret(target.ports.ids.token(auth.pkce?.verifierOctets ?? 32));
  const usual = new URLSearchParams({
    response_type: auth.responseType ?? 'code',
    client_id: clientId,
    scope,
    state,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier.reveal()),
    code_challenge_method: 'S256',
  });
  const query = asBankWants(usual, auth.authorize);
  // Blanks as %20: not every server reads + in a query as one.
  const text = query.toString().replaceAll('+', '%20');
  const url = `${endpoint}${endpoint.includes('?') ? '&' : '?'}${text}`;
  await keepVerifier(target, state, verifier);
  return { state, request: { url, ...server, clientId, redirectUri } };
}

/** The client_id of a login: where the replies of tokens tell it, a token of the TPP itself comes first. */
async function clientOfLogin(target: Target, server: OauthServer, purpose: OauthPurpose): Promise<string> {
  const { clientId, scope, mode, operations = {} } = target.profile.auth ?? {};
  const hasOwnTokens = [mode, ...Object.values(operations)].includes('clientCredentials');
  if (clientId !== 'tokenReply' || !hasOwnTokens) return clientIdOf(target);
  const { server: told } = await clientGrant(target, server, scope?.app, purpose);
  return told?.clientId ?? clientIdOf(target);
}

/** Whatever link or address has led to it: where the profile names the issuer, the PSU is sent to no other. */
function checkIssuer({ profile, name }: Target, issuer: string): void {
  const own = profile.oauth?.issuer;
  if (own === undefined || !isOfOtherIssuer(own, issuer)) return;
  throw new ObkError({
    code: 'ANSWER_UNREADABLE',
    title: `The metadata of the OAuth server ${new URL(own).host} cannot be used.`,
    detail: `The metadata belongs to issuer ${issuer}; the profile expects ${own}.`,
    hint: [line`obk profile edit ${name} --oauth-issuer ${issuer}   # if the bank says so`],
  });
}

/** Exchanges a code for a token (RFC 6749 section 4.1.3), sent once. */
export async function exchangeCode(
  target: Target,
  request: OauthRequest,
  { state, code, verifier }: { state: string; code: Secret; verifier: Secret },
  purpose: OauthPurpose,
): Promise<Granted> {
  const server: oauth.AuthorizationServer = {
    ...serverOf(target, request),
    authorization_response_iss_parameter_supported: request.namesIssuer,
  };
  const client: oauth.Client = { client_id: request.clientId };
  const answered = { code: code.reveal(), state, ...(request.namesIssuer && { iss: request.issuer }) };
  const callback = oauth.validateAuthResponse(server, client, new URLSearchParams(answered), state);
  const ask: Grant['ask'] = async (options) => {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.TlsClientAuth(),
      callback,
      request.redirectUri,
      verifier.reveal(),
      options,
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
  };
  return granted(target, request, { by: 'the code', ask }, purpose);
}

/** Exchanges a refresh token for an access token (RFC 6749 section 6), sent once. Throws GrantRefused for invalid_grant. */
export async function refreshGrant(
  target: Target,
  from: TokenServer,
  refreshToken: Secret,
  purpose: OauthPurpose,
): Promise<Granted> {
  const server = serverOf(target, from);
  const client: oauth.Client = { client_id: from.clientId };
  const ask: Grant['ask'] = async (options) => {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.TlsClientAuth(),
      refreshToken.reveal(),
      options,
    );
    return oauth.processRefreshTokenResponse(server, client, response);
  };
  return granted(target, from, { by: 'the refresh token', ask }, purpose);
}

/** Takes a token back at the server (RFC 7009); false where the server did not say that it has. */
export async function revokeToken(target: Target, from: TokenServer, token: Secret): Promise<boolean> {
  if (from.revocationEndpoint === undefined) return false;
  const url = liveUrl(target, from.revocationEndpoint);
  const form = new URLSearchParams({ token: token.reveal(), client_id: from.clientId });
  const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
  const call = { id: 'oauthRevocation', method: 'POST', url, headers, form } as const;
  const { status } = await callOauth(target, await asClient(target, call), {});
  return status === 200;
}

async function metadataIn(
  target: Target,
  url: string,
  response: Response,
  about: ErrorResource,
): Promise<oauth.AuthorizationServer> {
  const unusable = (detail: string, cause?: unknown) =>
    new ObkError({
      code: 'ANSWER_UNREADABLE',
      title: `The metadata of the OAuth server ${new URL(url).host} cannot be used.`,
      detail,
      hint: ['obk log show @last -vvv'],
      cause,
      resource: about,
    });
  const wrong = await wrongMetadata(response.clone());
  if (wrong !== undefined) throw unusable(wrong);
  try {
    const expected = issuerOf(url) ?? new URL(await issuerIn(target, url, response.clone()));
    return await oauth.processDiscoveryResponse(await asWritten(expected, response.clone()), response);
  } catch (cause) {
    if (cause instanceof ObkError) throw cause;
    throw unusable(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/** What a person can see of an answer that is no metadata at all, before the rules of RFC 8414 are asked. */
async function wrongMetadata(response: Response): Promise<string | undefined> {
  if (response.status !== 200) return `The server answered ${String(response.status)}, not 200.`;
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return 'They are not an object of JSON.';
  const { issuer } = body as { issuer?: unknown };
  return typeof issuer === 'string' && parseUrl(issuer) !== undefined ? undefined : 'They name no issuer.';
}

/**
 * Where the address does not say it, the issuer is the one that the profile names, or one whose own server or bank it is: a
 * document elsewhere must not pass for that of another issuer (RFC 8414 section 3.3). Throws ANSWER_UNREADABLE.
 */
async function issuerIn(
  { profile, name, ownOrigins = [] }: Target,
  url: string,
  response: Response,
): Promise<string> {
  const { issuer } = (await response.json()) as { issuer: string };
  const { origin } = new URL(issuer);
  // Where the profile names one, `checkIssuer` compares.
  const isNamed = profile.oauth?.issuer !== undefined;
  if (isNamed || origin === new URL(url).origin || ownOrigins.includes(origin)) return issuer;
  throw new ObkError({
    code: 'ANSWER_UNREADABLE',
    title: `The metadata of the OAuth server ${new URL(url).host} cannot be used.`,
    detail: `The metadata belongs to issuer ${issuer.slice(0, 300)}, which is another server.`,
    hint: [line`obk profile edit ${name} --oauth-issuer ${issuer.slice(0, 300)}   # if the bank says so`],
  });
}

function checked(url: string | undefined, name: string, about: ErrorResource): string {
  const seen = checkBrowserUrl(url ?? '');
  if (seen.ok && !seen.url.includes('#')) return seen.url;
  throw linkRefused(url ?? '', `as ${name}: ${seen.ok ? 'it has a fragment' : seen.why}`, about);
}

function serverOf(target: Target, { issuer, tokenEndpoint }: TokenServer): oauth.AuthorizationServer {
  return { issuer, token_endpoint: liveUrl(target, tokenEndpoint) };
}

/** A grant of OAuth: what a token is asked for with, as errors name it, and the request. */
interface Grant {
  by: string;
  ask: (options: oauth.TokenEndpointRequestOptions) => Promise<oauth.TokenEndpointResponse>;
}

/** One token request of any grant over our own transport, and what is kept of its answer. */
async function granted(
  target: Target,
  from: TokenServer,
  { by, ask }: Grant,
  purpose: OauthPurpose,
): Promise<Granted> {
  const { issuer, tokenEndpoint, revocationEndpoint, clientId } = from;
  try {
    const token = await ask({
      // Plain http only to this machine; the link policy has checked the address before.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the bank inside speaks it
      [oauth.allowInsecureRequests]: isLoopback(new URL(liveUrl(target, tokenEndpoint)).hostname),
      [oauth.customFetch]: async (url, { headers, body }) =>
        callOauth(
          target,
          await asClient(target, tokenCall(target, from, { url, headers, body })),
          purpose.about,
        ),
    });
    if (token.token_type !== 'bearer') throw new oauth.UnsupportedOperationError(token.token_type);
    const { access_token, refresh_token, expires_in, scope } = token;
    needPlain(access_token);
    needPlain(refresh_token);
    const now = target.ports.clock.now().getTime();
    const named = clientIdIn(target, token);
    const lifetime = expires_in ?? target.profile.auth?.lifetimes?.accessS;
    return {
      token: new Secret(access_token),
      server: {
        issuer,
        tokenEndpoint,
        clientId: named ?? clientId,
        ...defined({ revocationEndpoint }),
      },
      ...defined({ clientId: named, scope }),
      ...(refresh_token !== undefined && {
        refreshToken: new Secret(refresh_token),
        refreshFrom: new Date(now).toISOString(),
      }),
      ...(lifetime !== undefined && { expiresAt: new Date(now + lifetime * 1000).toISOString() }),
    };
  } catch (error) {
    throw refusalOf(error, by, { ...purpose, again: [...secretWanted(target, error), ...purpose.again] });
  }
}

/** Gets a token for the TPP itself (RFC 6749 section 4.4). */
export async function clientGrant(
  target: Target,
  { authorizationEndpoint: _, scopes: __, ...server }: OauthServer,
  scope: string | undefined,
  purpose: OauthPurpose,
): Promise<Granted> {
  needOwnEndpoint(target, server);
  const from = { ...server, clientId: await clientIdOf(target) };
  const known = serverOf(target, from);
  const client: oauth.Client = { client_id: from.clientId };
  const ask: Grant['ask'] = async (options) => {
    const wanted = new URLSearchParams(scope === undefined ? {} : { scope });
    const response = await oauth.clientCredentialsGrantRequest(
      known,
      client,
      oauth.TlsClientAuth(),
      wanted,
      options,
    );
    return oauth.processClientCredentialsResponse(known, client, response);
  };
  return granted(target, from, { by: 'the TPP', ask }, purpose);
}

/** What to do where a server does not know the TPP by its certificate alone. */
function secretWanted({ profile, name }: Target, error: unknown): string[] {
  const isUnknown = error instanceof oauth.ResponseBodyError && error.error === 'invalid_client';
  if (!isUnknown || profile.oauth?.clientSecretFrom !== undefined) return [];
  const set = line`obk config set oauth.clientSecretFrom env:CLIENT_SECRET --profile ${name}`;
  return [`${set}   # where the bank has given a client_secret`];
}

function refusalOf(error: unknown, what: string, { about, again }: OauthPurpose): unknown {
  if (error instanceof ObkError) {
    if (error.code !== 'ANSWER_LOST') return error;
    const { code, title, detail, cause } = error;
    const parts = { code, title, cause, hint: again, resource: about };
    return new ObkError(detail === undefined ? parts : { ...parts, detail });
  }
  if (error instanceof oauth.ResponseBodyError) {
    const { error: word, error_description: why } = error;
    const parts = {
      code: 'AUTH_NEEDED',
      title: `The OAuth server gives no token for ${what}: ${word}.`,
      ...(why !== undefined && { detail: redactText(why) }),
      hint: again,
      cause: error,
      resource: about,
    } as const;
    return word === 'invalid_grant' ? new GrantRefused(parts) : new ObkError(parts);
  }
  if (!(error instanceof Error) || !('code' in error)) return error;
  return new ObkError({
    code: 'ANSWER_UNREADABLE',
    title: 'The answer of the OAuth server cannot be used.',
    detail: error.message,
    hint: again,
    cause: error,
    resource: about,
  });
}
