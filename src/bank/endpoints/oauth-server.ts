import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { Authorisation } from '../sca/authorisation-store.ts';
import type { RunningBank } from '../trust/call.ts';
import { loginScopes, takeAuthorizationRequest } from '../oauth/oauth-requests.ts';
import type { OauthRequest } from '../oauth/oauth-requests.ts';
import { revocationEndpoint, tokenEndpoint } from './oauth-token-endpoint.ts';
import { nothingPage } from '../pages/html.ts';
import { scenarioOf } from '../rules/scenario.ts';
import { addressOf, oauthMetadataPath, siteOf } from '../trust/site.ts';
import { doDueWork } from '../sca/timers.ts';

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
