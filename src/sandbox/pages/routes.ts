import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { authorisationOfPage } from '../authorisation-store.ts';
import type { RunningBank } from '../call.ts';
import { phonePage } from './phone.ts';
import { redirectPage } from './redirect.ts';
import { styleHash } from './style.ts';

/** The pages of the bank; none of them needs a script, and no other site may frame or read them. */
export function pageRoutes(bank: RunningBank): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.on(['GET', 'POST'], '/sca/:token', async (c) => {
    const token = c.req.param('token');
    const authorisation = authorisationOfPage(bank.ledger.main, token);
    const targets = [authorisation?.redirectUri, authorisation?.nokRedirectUri];
    return secured(await redirectPage(bank, c, token), targets);
  });
  app.on(['GET', 'POST'], '/phone', async (c) => secured(await phonePage(bank, c), []));
  return app;
}

/** A form may lead to the TPP; browsers apply form-action to that redirect, and to those that the TPP makes then. */
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
