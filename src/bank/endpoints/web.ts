import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyWithin } from '../rules/body.ts';
import type { RunningBank } from '../trust/call.ts';
import { oauthRoutes } from './oauth-server.ts';
import { pageRoutes } from '../pages/routes.ts';
import { passwordCertificate, passwordKey } from '../sca/password-encryption.ts';

const maxForm = 64 * 1024;

/** All that is not the interface: the pages, the OAuth server, and the key for passwords. */
export function webListener(
  bank: RunningBank,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (c, next) => {
    if (!(await fits(c.env.incoming))) return c.text('This is longer than any form.\n', 413);
    await next();
    return undefined;
  });
  app.route('/', oauthRoutes(bank));
  app.route('/', pageRoutes(bank));
  app.route('/', keyRoutes(bank));
  app.notFound((c) => c.text('There is nothing here.\n', 404));
  app.onError((_error, c) => c.body(null, 500));
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return (incoming, outgoing) => listener(incoming, outgoing);
}

/**
 * Whether a body is no longer than a form. One that comes without its length (in chunks, or none at all) is read here, and left
 * where the listener looks for it.
 */
async function fits(incoming: IncomingMessage & { rawBody?: Buffer }): Promise<boolean> {
  const { method = '', headers } = incoming;
  if (headers['content-length'] !== undefined) return Number(headers['content-length']) <= maxForm;
  if (method === 'GET' || method === 'HEAD') return true;
  const body = await bodyWithin(incoming, maxForm);
  if (body !== undefined) incoming.rawBody = body;
  return body !== undefined;
}

/** The key for encrypted passwords, as a JWK and in a certificate. */
function keyRoutes(bank: RunningBank): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.get('/sandbox/password-key', (c) => c.json(passwordKey(bank.ledger)));
  const own = bank.dialect?.settings.sca?.passwordEncryption?.certificatePath;
  for (const path of ['/sandbox/password-certificate', ...(own === undefined ? [] : [own])])
    app.get(path, async (c) => {
      const pem = await passwordCertificate(bank.ledger, bank.wallClock.now());
      return c.body(pem, 200, { 'Content-Type': 'application/pem-certificate-chain' });
    });
  return app;
}
