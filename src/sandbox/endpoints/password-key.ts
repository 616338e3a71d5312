import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { RunningBank } from '../trust/call.ts';
import { passwordKey } from '../sca/password-encryption.ts';

/** The key for encrypted passwords. */
export function keyRoutes(bank: RunningBank): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.get('/sandbox/password-key', (c) => c.json(passwordKey(bank.ledger)));
  return app;
}
