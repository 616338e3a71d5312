import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { keyRoutes } from './password-key.ts';
import type { RunningBank } from '../trust/call.ts';
import { oauthRoutes } from './oauth-server.ts';
import { pageRoutes } from '../pages/routes.ts';

const maxForm = 64 * 1024;

/** All that is not the interface: the pages, the OAuth server, and the key for passwords. */
export function webListener(
  bank: RunningBank,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(bodyLimit({ maxSize: maxForm, onError: (c) => c.text('This is longer than any form.\n', 413) }));
  app.route('/', oauthRoutes(bank));
  app.route('/', pageRoutes(bank));
  app.route('/', keyRoutes(bank));
  app.notFound((c) => c.text('There is nothing here.\n', 404));
  app.onError((_error, c) => c.body(null, 500));
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return (incoming, outgoing) => listener(incoming, outgoing);
}
