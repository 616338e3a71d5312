import { timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { RunningBank } from '../trust/call.ts';
import { passwordKey } from '../sca/password-encryption.ts';
import { isSteering, steerAny } from '../steering/steering.ts';

/** The routes that steer a running bank (one path, one token, loopback only), and the key for encrypted passwords. */
export function adminRoutes(bank: RunningBank): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.post('/sandbox/steer', async (c) => {
    if (!tokenFits(bank.adminToken, c.req.header('authorization'))) return c.body(null, 401);
    const command: unknown = await c.req.json().catch(() => undefined);
    if (!isSteering(command)) return c.body(null, 400);
    return c.json(await steerAny({ ledger: bank.ledger, clock: bank.wallClock }, command));
  });
  app.get('/sandbox/password-key', (c) => c.json(passwordKey(bank.ledger)));
  return app;
}

function tokenFits(token: string, header: string | undefined): boolean {
  const sent = Buffer.from(header ?? '');
  const right = Buffer.from(`Bearer ${token}`);
  return sent.length === right.length && timingSafeEqual(sent, right);
}
