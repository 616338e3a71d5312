import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { authorisationOfPage } from '../sca/authorisation-store.ts';
import type { RunningBank } from '../trust/call.ts';
import { methodOf } from '../sca/conversation.ts';
import { findLogin, findRequest } from '../oauth/oauth-requests.ts';
import { psuOf } from '../rules/psu.ts';
import { digitsAsPng } from '../sca/png.ts';
import { consentsPage } from './consents.ts';
import { phonePage } from './phone.ts';
import { oauthLoginPage } from './oauth-login.ts';
import { redirectPage } from './redirect.ts';
import { styleHash } from './html.ts';

/** The pages of the bank; none of them needs a script, and no other site may frame or read them. */
export function pageRoutes(bank: RunningBank): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.on(['GET', 'POST'], '/sca/:token', async (c) => {
    const token = c.req.param('token');
    const authorisation = authorisationOfPage(bank.ledger.main, token);
    const request =
      authorisation &&
      findRequest(bank.ledger.main, c.req.query('oauth') ?? '', authorisation.authorisationId);
    const targets = [authorisation?.redirectUri, authorisation?.nokRedirectUri, request?.redirectUri];
    return secured(await redirectPage(bank, c, token), targets);
  });
  app.on(['GET', 'POST'], '/login/:request', async (c) => {
    const request = findLogin(bank.ledger.main, c.req.param('request'));
    return secured(await oauthLoginPage(bank, c, request), [request?.redirectUri]);
  });
  app.get('/sca/:token/picture.png', (c) => {
    const picture = pictureOf(bank, c.req.param('token'));
    return picture === undefined
      ? c.text('There is nothing here.\n', 404)
      : secured(new Response(picture, { headers: { 'Content-Type': 'image/png' } }), []);
  });
  app.on(['GET', 'POST'], '/consents', async (c) => secured(await consentsPage(bank, c), []));
  app.on(['GET', 'POST'], '/phone', async (c) => secured(await phonePage(bank, c), []));
  return app;
}

/** The picture of a photoTAN, as long as its one-time password is due. */
function pictureOf({ ledger: { main } }: RunningBank, token: string): Uint8Array<ArrayBuffer> | undefined {
  const authorisation = authorisationOfPage(main, token);
  const person = authorisation?.psuId === undefined ? undefined : psuOf(main, authorisation.psuId);
  const method = person && methodOf(person, authorisation?.methodId);
  const asked = authorisation?.scaStatus === 'scaMethodSelected' && method?.type === 'PHOTO_OTP';
  return asked && person !== undefined ? new Uint8Array(digitsAsPng(person.otp)) : undefined;
}

/** A form may redirect to the TPP; browsers apply form-action to that redirect and to those of the TPP after it. */
function secured(response: Response, targets: readonly (string | undefined)[]): Response {
  const forms = new Set([
    "'self'",
    ...targets.flatMap((target) => (target === undefined ? [] : schemes(target))),
  ]);
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    `form-action ${[...forms].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  response.headers.set('Content-Security-Policy', policy.join('; '));
  response.headers.set('Cache-Control', 'no-store');
  response.headers.set('Referrer-Policy', 'no-referrer');
  response.headers.set('X-Content-Type-Options', 'nosniff');
  response.headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  return response;
}

function schemes(uri: string): string[] {
  const { protocol } = new URL(uri);
  return ['http:', 'https:'].includes(protocol) ? ['http:', 'https:'] : [protocol];
}
