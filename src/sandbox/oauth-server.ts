import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { RunningBank } from './call.ts';
import { findConsent } from './consent-store.ts';
import { requestOfCode, takeAuthorizationRequest, useCode } from './oauth-requests.ts';
import { issueToken, revokeTokens, tokenSeconds } from './oauth-tokens.ts';
import { nothingPage } from './pages/nothing.ts';
import { oauthMetadataPath } from './sca-reply.ts';
import { settle } from './timers.ts';

/** The OAuth server of the bank: metadata (RFC 8414), authorization and token endpoint (RFC 6749, PKCE S256). */
export function oauthRoutes(bank: RunningBank): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const { main } = bank.ledger;
  app.get(oauthMetadataPath, (c) => c.json(metadata(new URL(c.req.url).origin)));
  app.get('/oauth/authorize', (c) => {
    settle(main, bank.clock.now());
    const taken = takeAuthorizationRequest(main, new URL(c.req.url).searchParams);
    c.header('Cache-Control', 'no-store');
    c.header('Referrer-Policy', 'no-referrer');
    if ('page' in taken) return nothingPage(c, taken.page);
    if ('to' in taken) return c.redirect(taken.to, 303);
    return c.redirect(pagePath(taken), 303);
  });
  app.post('/oauth/token', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const answer = main.atomically(() => exchange(bank, form));
    c.header('Cache-Control', 'no-store');
    return c.json(answer, 'error' in answer ? 400 : 200);
  });
  return app;
}

/** The page of the bank to which an authorization request leads. */
export function pagePath({
  request,
  authorisation,
}: {
  request: { requestId: string };
  authorisation: { pageToken: string };
}): string {
  return `/sca/${authorisation.pageToken}?oauth=${request.requestId}`;
}

function metadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  };
}

type TokenAnswer =
  { error: string } | { access_token: string; token_type: 'Bearer'; expires_in: number; scope: string };

/** A code for a token: once, soon, for the client that asked, to the address it named, with its verifier. */
function exchange({ ledger: { main }, clock }: RunningBank, form: URLSearchParams): TokenAnswer {
  const text = (name: string) => form.get(name) ?? '';
  if (text('grant_type') !== 'authorization_code') return { error: 'unsupported_grant_type' };
  const request = requestOfCode(main, text('code'));
  if (request === undefined || request.clientId !== text('client_id')) return { error: 'invalid_grant' };
  if (request.used === 1n) {
    revokeTokens(main, request.requestId);
    return { error: 'invalid_grant' };
  }
  const now = clock.now();
  const good =
    request.codeUntil > now.toISOString() &&
    request.redirectUri === text('redirect_uri') &&
    verifies(text('code_verifier'), request.challenge);
  if (!good) return { error: 'invalid_grant' };
  useCode(main, request.requestId);
  const { clientId: tpp, resourceId, requestId } = request;
  return {
    access_token: issueToken(main, { tpp, resourceId }, requestId, now),
    token_type: 'Bearer',
    expires_in: tokenSeconds,
    scope: `${findConsent(main, resourceId) === undefined ? 'PIS' : 'AIS'}:${resourceId}`,
  };
}

/** RFC 7636 4.6; a verifier has 43 to 128 characters. */
function verifies(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const made = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  const wanted = Buffer.from(challenge);
  return made.length === wanted.length && timingSafeEqual(made, wanted);
}
