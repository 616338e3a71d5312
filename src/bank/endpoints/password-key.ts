import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { RunningBank } from '../trust/call.ts';
import { passwordCertificate, passwordKey } from '../sca/password-encryption.ts';

/** The key for encrypted passwords, as a JWK and in a certificate. */
export function keyRoutes(bank: RunningBank): Hono<{ Bindings: HttpBindings }> {
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
