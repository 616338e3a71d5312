import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { Authorisation } from '../sca/authorisation-store.ts';
import type { RunningBank } from '../trust/call.ts';
import {
  loginScopes,
  takeAuthorizationRequest,
  hasTokensOfTpps,
  repeated,
  requestOfCode,
  useCode,
} from '../oauth/oauth-requests.ts';
import type { OauthRequest } from '../oauth/oauth-requests.ts';
import { nothingPage } from '../pages/html.ts';
import { scenarioOf } from '../rules/scenario.ts';
import { addressOf, oauthMetadataPath, siteOf } from '../trust/site.ts';
import { doDueWork } from '../sca/timers.ts';
import { defined } from '../../base/defined.ts';
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { arrive, noVerdict } from '../rules/arrivals.ts';
import { tokenParameters, clientIdOf } from '../dialect/oauth-words.ts';
import { noteClient, tppOfClient } from '../oauth/oauth-clients.ts';
import {
  issueAccessToken,
  issueTokens,
  revokeTokens,
  takeBack,
  useRefreshToken,
} from '../oauth/oauth-tokens.ts';
import type { IssuedToken } from '../oauth/oauth-tokens.ts';
import { peerOf, readPeer, refusalOf, verifyRequest } from '../trust/caller.ts';
import { Refusal } from '../rules/refusal.ts';
import type { Scenario } from '../rules/scenario.ts';
import type { IncomingMessage } from 'node:http';
import { signatureRules } from '../../referee/signature/signature-rules.ts';
import { verifyJws } from '../../referee/signature/jws.ts';
import type { TppCertificate } from '../../referee/signature/tpp-certificate.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import { standardHeaders } from '../dialect/requests.ts';

/** The OAuth server of the bank: metadata (RFC 8414), authorization and token endpoint (RFC 6749, PKCE S256). */
export function oauthRoutes(bank: RunningBank): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const { main } = bank.ledger;
  const siteOfCall = (c: Context) => siteOf(bank.doors, new URL(c.req.url).origin);
  app.get(oauthMetadataPath, (c) => c.json(metadata(addressOf(siteOfCall(c)), asksForCertificates(bank, c))));
  app.get('/oauth/authorize', (c) => {
    doDueWork(main, bank.clock.now());
    const site = siteOfCall(c);
    const called = new URL(addressOf(site) + c.req.path + new URL(c.req.url).search);
    c.header('Cache-Control', 'no-store');
    c.header('Referrer-Policy', 'no-referrer');
    const taken = takeAuthorizationRequest(main, called, bank.clock.now());
    if ('page' in taken) return nothingPage(c, taken.page);
    if ('to' in taken) return c.redirect(taken.to, 303);
    return c.redirect(site.base + pagePath(taken), 303);
  });
  app.post('/oauth/token', (c) => tokenEndpoint(bank, c));
  app.post('/oauth/revoke', (c) => revocationEndpoint(bank, c));
  return app;
}

/** The page of the bank to which an authorization request leads. */
function pagePath({
  request,
  authorisation,
}: {
  request: OauthRequest;
  authorisation: Authorisation | undefined;
}): string {
  if (authorisation === undefined) return `/login/${request.requestId}`;
  return `/sca/${authorisation.pageToken}?oauth=${request.requestId}`;
}

/** Whether a connection like this one may show a client certificate. */
function asksForCertificates({ ledger }: RunningBank, c: Context): boolean {
  return new URL(c.req.url).protocol === 'https:' && scenarioOf(ledger.main).clientCertificate !== 'off';
}

function metadata(issuer: string, isTls: boolean): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    scopes_supported: loginScopes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: isTls ? ['tls_client_auth', 'none'] : ['none'],
    tls_client_certificate_bound_access_tokens: isTls,
    authorization_response_iss_parameter_supported: true,
  };
}

interface Denied {
  error: string;
  error_description: string;
}

const isDenied = (answer: object): answer is Denied => 'error' in answer;

type TokenAnswer =
  | Denied
  | {
      access_token: string;
      token_type: 'Bearer';
      expires_in?: number;
      refresh_token?: string;
      scope: string;
      client_id?: string;
    };

const invalidRequest = (error_description: string): Denied => ({
  error: 'invalid_request',
  error_description,
});

const no = (error: string, error_description: string): TokenAnswer => ({ error, error_description });
const noGrant = (why: string) => no('invalid_grant', why);

/** POST /oauth/token: a code, or a refresh token, for tokens (RFC 6749). */
async function tokenEndpoint(bank: RunningBank, c: OauthContext): Promise<Response> {
  const body = Buffer.from(await c.req.arrayBuffer());
  const sent = { form: new URLSearchParams(body.toString()), query: new URL(c.req.url).searchParams };
  const told = bank.dialect ? tokenParameters(bank.dialect.settings.auth ?? {}, sent) : { query: sent.form };
  const form = 'wrong' in told ? new URLSearchParams() : told.query;
  const isNamed = form.get('grant_type') !== 'client_credentials';
  const client =
    'wrong' in told
      ? invalidRequest(told.wrong)
      : authenticate(bank, c, form.get('client_id') ?? '', { body, isNamed });
  const answer = isDenied(client) ? client : bank.ledger.main.atomically(() => exchange(bank, client, form));
  note(bank, c, client, answer);
  c.header('Cache-Control', 'no-store');
  return c.json(answer, statusOf(answer));
}

/** POST /oauth/revoke: an access or refresh token is taken back; 200 whether the bank knew it or not (RFC 7009 2.2). */
async function revocationEndpoint(bank: RunningBank, c: OauthContext): Promise<Response> {
  const form = new URLSearchParams(await c.req.text());
  const client = authenticate(bank, c, form.get('client_id') ?? '');
  const { main } = bank.ledger;
  if (!isDenied(client)) takeBack(main, form.get('token') ?? '', client.tpp);
  note(bank, c, client, client);
  return isDenied(client) ? c.json(client, statusOf(client)) : c.body(null, 200);
}

type OauthContext = Context<{ Bindings: HttpBindings }>;

function statusOf(answer: object): 200 | 400 | 401 {
  if (!isDenied(answer)) return 200;
  return answer.error === 'invalid_client' ? 401 : 400;
}

/** The bank's log tells of each request. */
function note(bank: RunningBank, c: OauthContext, client: Client | Denied, answer: object): void {
  const status = statusOf(answer);
  const about = { operation: '', method: 'POST', path: c.req.path, requestId: null, tpp: null, status };
  const refusal = isDenied(answer) && { code: answer.error, rule: answer.error_description };
  const verdict = {
    ...noVerdict,
    caller: isDenied(client) || client.thumbprint === null ? null : client.tpp,
    verdict: refusal ? 'refused' : 'accepted',
    ...refusal,
  } as const;
  arrive(bank.ledger.log, { ...about, ...verdict }, bank.wallClock.now());
}

/** A TPP as the token endpoint knows it: by its client certificate (RFC 8705 2.1), or by its name alone. */
interface Client {
  tpp: string;
  thumbprint: string | null;
}

function authenticate(
  bank: RunningBank,
  c: OauthContext,
  clientId: string,
  token?: { body: Uint8Array; isNamed: boolean },
): Client | Denied {
  const { main, log } = bank.ledger;
  const { clientCertificate } = scenarioOf(main);
  const peer = clientCertificate === 'off' ? undefined : peerOf(c.env.incoming);
  const refuse = (error_description: string) => ({ error: 'invalid_client', error_description });
  try {
    const signer = token && signerOf(bank, { ...token, incoming: c.env.incoming });
    if (signer !== undefined) noteClient(log, signer.tpp, null);
    const named = tppOfClient(main, clientId);
    // Whoever signs need not say who it is.
    const tpp = named === '' && signer !== undefined ? signer.tpp : named;
    if (signer !== undefined && tpp !== signer.tpp)
      return refuse(`client_id is not that of ${signer.tpp}, whose certificate signs.`);
    return ofConnection(bank, peer, tpp, refuse);
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.message);
    throw error;
  }
}

function ofConnection(
  bank: RunningBank,
  peer: ReturnType<typeof peerOf>,
  client: string,
  refuse: (why: string) => Denied,
): Client | Denied {
  const { clientCertificate } = scenarioOf(bank.ledger.main);
  if (peer === undefined) {
    if (clientCertificate === 'required') return refuse('The connection shows no client certificate (QWAC).');
    return { tpp: client, thumbprint: null };
  }
  const { tpp, thumbprint } = readPeer(bank, peer);
  if (tpp === client) return { tpp, thumbprint };
  return refuse(`client_id is not ${tpp}, the organizationIdentifier of the client certificate.`);
}

function exchange(bank: RunningBank, client: Client, form: URLSearchParams): TokenAnswer {
  const { main } = bank.ledger;
  const now = bank.clock.now();
  const text = (name: string) => form.get(name) ?? '';
  if (repeated(form).length > 0) return no('invalid_request', 'A parameter comes more than once.');
  switch (text('grant_type')) {
    case 'authorization_code': {
      const token = redeem(bank, client, text);
      return typeof token === 'string' ? noGrant(token) : tokensFor(bank, token);
    }
    case 'refresh_token': {
      const token = useRefreshToken(main, text('refresh_token'), client, {
        now,
        once: bank.dialect?.settings.auth?.refresh?.rotates !== false,
      });
      if (token === undefined)
        return noGrant('The refresh token is unknown, expired, used before, or that of another client.');
      return tokensFor(bank, token);
    }
    case 'client_credentials':
      return isForTpps(bank) ? tokenOfTpp(bank, client, text('scope')) : unknownGrant;
    default:
      return unknownGrant;
  }
}

const unknownGrant = no('unsupported_grant_type', 'grant_type is authorization_code or refresh_token.');

const isForTpps = ({ dialect }: RunningBank): boolean => hasTokensOfTpps(dialect?.settings.auth ?? {});

/** A token for the TPP itself (RFC 6749 4.4), without a refresh token. */
function tokenOfTpp(bank: RunningBank, { tpp, thumbprint }: Client, scope: string): TokenAnswer {
  const { main } = bank.ledger;
  const { auth } = bank.dialect?.settings ?? {};
  const wanted = auth?.scope?.app;
  if (wanted !== undefined && scope !== wanted) return no('invalid_scope', `The scope is ${wanted}.`);
  const seconds = secondsOf(bank);
  const token: IssuedToken = {
    ...{ tpp, thumbprint, scope, resourceId: undefined, psuId: undefined },
    requestId: randomUUID(),
  };
  return {
    access_token: issueAccessToken(main, token, { seconds, now: bank.clock.now() }),
    token_type: 'Bearer',
    ...lifetimeOf(bank, seconds),
    scope,
    ...clientNamed(bank, tpp),
  };
}

/** Some banks tell a TPP with each token by which name they know it. */
const clientNamed = ({ dialect }: RunningBank, tpp: string): { client_id?: string } =>
  dialect?.settings.auth?.clientId === 'tokenReply' ? { client_id: clientIdOf(tpp) } : {};

const secondsOf = ({ ledger: { main }, dialect }: RunningBank): number =>
  dialect?.settings.auth?.lifetimes?.accessS ?? lifetimes[scenarioOf(main).tokenLifetime];

/** A bank whose description says how long tokens hold does not say it itself. */
const lifetimeOf = ({ dialect }: RunningBank, seconds: number): { expires_in?: number } =>
  dialect?.settings.auth?.lifetimes?.accessS === undefined ? { expires_in: seconds } : {};

const lifetimes: Readonly<Record<Scenario['tokenLifetime'], number>> = { '1-hour': 3600, '1-minute': 60 };

function tokensFor(bank: RunningBank, token: IssuedToken): TokenAnswer {
  const seconds = secondsOf(bank);
  const { lifetimes: { refreshS } = {}, refresh, psuIdFrom } = bank.dialect?.settings.auth ?? {};
  const refreshSeconds = refreshS ?? (refresh?.chainDays ?? usualChainDays) * 86_400;
  const issued = issueTokens(bank.ledger.main, token, {
    ...{ now: bank.clock.now(), seconds, refreshSeconds, claim: psuIdFrom },
    // The end of the chain is that of its first token.
    keepsEnd: refresh?.chainDays !== undefined,
    renews: refresh?.rotates !== false || token.refreshUntil === undefined,
  });
  return {
    access_token: issued.access,
    token_type: 'Bearer',
    ...lifetimeOf(bank, seconds),
    ...defined({ refresh_token: issued.refresh }),
    scope: token.scope,
    ...clientNamed(bank, token.tpp),
  };
}

/** As long as strong authentication was good before 2023. */
const usualChainDays = 90;

/** Redeems a code: once, soon, for the client that asked, with its redirect URI and verifier; else returns why not. */
function redeem(
  { ledger: { main }, clock }: RunningBank,
  client: Client,
  text: (name: string) => string,
): IssuedToken | string {
  const request = requestOfCode(main, text('code'));
  if (request?.clientId !== client.tpp) return 'This client has no such code.';
  if (request.used) {
    revokeTokens(main, request.requestId);
    return 'The code was used before: its tokens are taken back.';
  }
  if ((request.codeUntil ?? '') <= clock.now().toISOString()) return 'The code has expired.';
  if (request.redirectUri !== text('redirect_uri')) return 'redirect_uri is not that of the request.';
  if (!verifies(text('code_verifier'), request.challenge)) return 'code_verifier is not that of the request.';
  useCode(main, request.requestId);
  const { resourceId, psuId, scope, requestId } = request;
  const { tpp, thumbprint } = client;
  return { tpp, resourceId, psuId, scope: grantedScope(scope), requestId, thumbprint };
}

/** The scope of an access token: without offline_access, which only asks for a refresh token. */
function grantedScope(asked: string): string {
  return asked
    .split(' ')
    .filter((word) => word !== 'offline_access')
    .join(' ');
}

/** RFC 7636 4.6; a verifier has 43 to 128 characters. */
function verifies(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const made = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  const wanted = Buffer.from(challenge);
  return made.length === wanted.length && timingSafeEqual(made, wanted);
}

/** A request for a token as it came. */
interface TokenRequest {
  incoming: IncomingMessage;
  body: Uint8Array;
  /** Whether the TPP knows its client_id already, which is the keyId then. */
  isNamed: boolean;
}

/**
 * The certificate that a request for a token is signed with, at a bank that wants that (auth.token.signed); undefined at any other.
 * Throws Refusal as a call does.
 */
function signerOf(bank: RunningBank, request: TokenRequest): TppCertificate | undefined {
  const { dialect, certificates, wallClock } = bank;
  const { auth, signing } = dialect?.settings ?? {};
  if (dialect === undefined || auth?.token?.signed !== true || signing?.mode === 'none') return undefined;
  const { method = '', url = '', rawHeaders } = request.incoming;
  const scenario = scenarioOf(bank.ledger.main);
  const headers = standardHeaders(dialect, rawHeaders, { method, url });
  // No operation of the interface: the one whose demands are the general ones stands for it.
  const rules = signatureRules(
    { ...scenario, signature: 'required', described: dialect.signature },
    operation('getAccountList'),
    dialect.variant.framework,
  );
  const now = wallClock.now();
  if (signing?.mode !== 'jws')
    return verifyRequest({ headers, body: request.body }, certificates, now, {
      ...rules,
      isNamed: request.isNamed,
    });
  const whole = { method, target: url, headers, body: request.body };
  const verdict = verifyJws(whole, certificates, now, { jws: signing.jws ?? {}, rules });
  if ('certificate' in verdict) return verdict.certificate;
  throw refusalOf(verdict);
}
