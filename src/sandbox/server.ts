import { createAdaptorServer } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Server, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Socket } from 'node:net';
import { identityOf } from './address.ts';
import { adminRoutes } from './admin.ts';
import { apiRoutes } from './api.ts';
import type { RunningBank } from './call.ts';
import { oauthRoutes } from './oauth-server.ts';
import { pageRoutes } from './pages/routes.ts';

/** The whole bank as one application: the interface, the pages, and what steers it. */
export function bankApplication(bank: RunningBank): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.get('/sandbox/identity', (c) =>
    c.body(identityOf(bank.ledger.id), 200, { 'Content-Type': 'application/json' }),
  );
  app.use(async (c, next) => {
    if (!isLoopback(c.req.header('host'))) return c.text('This bank answers on this machine only.\n', 421);
    await next();
    return undefined;
  });
  app.route('/', apiRoutes(bank));
  app.route('/', oauthRoutes(bank));
  app.route('/', pageRoutes(bank));
  app.route('/', adminRoutes(bank));
  app.notFound((c) => c.text('There is nothing here.\n', 404));
  app.onError((_error, c) => c.body(null, 500));
  return app;
}

/** Any other name would be a web page that had itself resolved to this machine. */
function isLoopback(host: string | undefined): boolean {
  return host === undefined || /^(127(\.[0-9]{1,3}){3}|localhost|\[::1\])(:[0-9]{1,5})?$/i.test(host);
}

/** A listening server of the bank. */
export interface Listening {
  port: number;
  /** Ends after the requests that are being answered, at most after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** How the bank listens: on loopback; `tls` for https, `ca` of those whose certificates it asks for; `keepAlive: false` never holds the process. */
export interface ListenOptions {
  port: number;
  tls?: { cert: string; key: string; ca: string[] };
  keepAlive: boolean;
}

/** Every connection is let in: who showed no certificate, or a wrong one, hears that from the interface. */
const clientCertificates = { minVersion: 'TLSv1.2', requestCert: true, rejectUnauthorized: false } as const;

/** Listens on 127.0.0.1; rejects with the system's error where the port is taken. */
export function listen(app: Hono<{ Bindings: HttpBindings }>, options: ListenOptions): Promise<Listening> {
  const { tls } = options;
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    ...(tls && { createServer: createHttpsServer, serverOptions: { ...tls, ...clientCertificates } }),
  }) as Server;
  const active = new Set<ServerResponse>();
  server.on('request', (_incoming: IncomingMessage, outgoing: ServerResponse) => {
    active.add(outgoing);
    outgoing.once('close', () => active.delete(outgoing));
  });
  if (!options.keepAlive) releaseProcess(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () => {
      server.off('error', reject);
      const { port } = server.address() as AddressInfo;
      resolve({ port, close: (graceMs) => close(server, active, graceMs) });
    });
  });
}

/** The process may end while the server waits, but not while it answers somebody. */
function releaseProcess(server: Server): void {
  server.unref();
  server.on('connection', (socket: Socket) => socket.unref());
  server.on('request', ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    socket.ref();
    outgoing.once('close', () => socket.unref());
  });
}

async function close(server: Server, active: ReadonlySet<ServerResponse>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) =>
    server.close(() => {
      resolve();
    }),
  );
  server.closeIdleConnections();
  const deadline = setTimeout(
    () => {
      server.closeAllConnections();
    },
    active.size === 0 ? 0 : graceMs,
  );
  await closed;
  clearTimeout(deadline);
}
