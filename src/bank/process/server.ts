import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { beginningOf } from '../books/ledger.ts';
import { controlPath, identityOf, windowPath } from '../home/bank-address.ts';
import { exchangeOf, refuseEntry } from './entrance.ts';
import type { AccessKey } from './entrance.ts';
import { answerOf, send } from '../interface/answer.ts';
import type { Answer } from '../interface/answer.ts';
import { interfaceAt, interfaceMeant } from '../trust/interfaces.ts';
import type { RunningBank, Tenants } from '../trust/call.ts';
import { tenantKey, tenantPath } from '../../base/profile-name.ts';
import type { Exchange } from '../interface/exchange.ts';
import { bankFailed } from '../rules/refusal.ts';
import { refuseUnreadable } from './unreadable.ts';
import type { ParserError } from './unreadable.ts';

/** Serves what is not the interface; resolves when the answer is made. */
type Serving = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** The listeners of one ledger. */
interface Served {
  web?: Promise<Serving>;
  control?: Promise<Serving>;
}

/** What answers requests, and what the parser of HTTP rejects before they are any. */
export type BankListener = RequestListener & { unreadable?: (error: ParserError, socket: Duplex) => void };

/** The whole bank. The interface is loaded once the bank listens; all else when somebody first asks for it. */
export function bankListener(whole: RunningBank, accessKey?: AccessKey): BankListener {
  const doors = { ...whole.doors, accessKey, dialect: whole.dialect };
  // Those of a tenant go with its bank, which is made anew when its ledger is opened again.
  const listeners = new WeakMap<RunningBank, Served>();
  let window: Promise<RequestListener> | undefined;
  const serve = async (bank: RunningBank, exchange: Exchange): Promise<void> => {
    const { incoming, outgoing, path } = exchange;
    if (bank.recording !== undefined && !/^\/sandbox(?:\/|$)/.test(path))
      return bank.recording.serve(bank, exchange);
    const hasRequestId = incoming.headers['x-request-id'] !== undefined;
    const variant = interfaceAt(doors, path) ?? interfaceMeant(doors, path, hasRequestId);
    if (variant !== undefined) return (await import('../interface/api.ts')).receive(bank, variant, exchange);
    const served = listeners.get(bank) ?? {};
    listeners.set(bank, served);
    if (path === controlPath || path.startsWith(`${controlPath}/`)) {
      served.control ??= import('../control/routes.ts').then(({ controlListener }) => controlListener(bank));
      return (await served.control)(incoming, outgoing);
    }
    if (path === '/sandbox' || path === windowPath || path.startsWith(`${windowPath}window/`)) {
      window ??= import('../window/window.ts').then(({ windowListener }) => windowListener);
      (await window)(incoming, outgoing);
      return;
    }
    served.web ??= import('../endpoints/web.ts').then(({ webListener }) => webListener(bank));
    return (await served.web)(incoming, outgoing);
  };
  /** Serves a request of a tenant with that one's ledger, which stays open until the answer has left. */
  const serveOf = async (tenants: Tenants, exchange: Exchange): Promise<void> => {
    const { incoming, outgoing } = exchange;
    const chosen = await (await import('../tenants/choose-tenant.ts')).chooseTenant(whole, tenants, exchange);
    if (chosen === undefined) return serve(whole, exchange);
    if ('answer' in chosen) {
      send(outgoing, chosen.answer);
      return;
    }
    if ('refusal' in chosen) {
      send(outgoing, (await import('../interface/api.ts')).refusedUnread(chosen.refusal, incoming));
      return;
    }
    const { bank, release } = chosen.taken;
    if (chosen.url !== undefined) incoming.url = chosen.url;
    const left = new Promise<void>((resolve) => {
      if (outgoing.closed) resolve();
      else outgoing.once('close', resolve);
    });
    try {
      await serve(bank, exchange);
      await left;
      bank.pushes.wake();
    } finally {
      release();
    }
  };
  const answer: RequestListener = (incoming, outgoing) => {
    // What this request changes is told after its answer.
    outgoing.once('close', () => {
      whole.pushes.wake();
    });
    const exchange = exchangeOf(doors, incoming, outgoing);
    if (exchange === undefined) {
      send(outgoing, { status: 400, headers: {} });
    } else if (exchange.path === '/sandbox/identity' && exchange.method === 'GET') {
      const nonce = exchange.url.searchParams.get('nonce') ?? '';
      const port = incoming.socket.localPort ?? 0;
      const facts = { pid: process.pid, idleMs: whole.idleMs };
      const identify = (ledger: string | undefined) => {
        const own = { name: whole.name, token: whole.adminToken, ledger };
        const content = identityOf(facts, { nonce, port }, own);
        send(outgoing, { status: 200, headers: { 'Content-Type': 'application/json' }, content });
      };
      const tenant = exchange.url.searchParams.get('tenant');
      if (tenant === null) identify(beginningOf(whole.ledger));
      else
        ledgerOfTenant(whole.tenants, tenant).then(identify, () => {
          identify(undefined);
        });
    } else {
      const refused = refuseEntry(doors, exchange);
      if (refused !== undefined) {
        send(outgoing, refused);
        return;
      }
      if (doors.basePath !== '' || exchange.tenant !== undefined)
        incoming.url = urlBelow(doors.basePath, exchange);
      const { tenants } = whole;
      (tenants === undefined ? serve(whole, exchange) : serveOf(tenants, exchange)).catch(
        (error: unknown) => {
          if (outgoing.headersSent) outgoing.destroy();
          else send(outgoing, failed(error, incoming.headers['x-request-id']));
        },
      );
    }
  };
  const unreadable: BankListener['unreadable'] = (error, socket) => {
    refuseUnreadable(whole, error, socket);
  };
  return Object.assign(answer, { unreadable });
}

async function ledgerOfTenant(tenants: Tenants | undefined, name: string): Promise<string | undefined> {
  const taken = await tenants?.take(name);
  if (taken === undefined) return undefined;
  try {
    return beginningOf(taken.bank.ledger);
  } finally {
    taken.release();
  }
}

/** The path and query of a request as the pages know them, which know of no path in front of theirs. */
function urlBelow(basePath: string, { path, tenant, url: { pathname, search } }: Exchange): string {
  const before = basePath + (tenant === undefined ? '' : tenantPath(tenantKey(tenant)));
  return (pathname.startsWith(`${before}${path}`) ? pathname.slice(before.length) : path) + search;
}

/** The bank itself has failed, before it knew what was asked, or while it noted that. */
function failed(error: unknown, requestId: string | string[] | undefined): Answer {
  const { status, code, message } = bankFailed(error);
  const body = { status, body: { tppMessages: [{ category: 'ERROR', code, text: message }] } };
  return answerOf(body, typeof requestId === 'string' ? requestId : null);
}

/** A listening server of the bank. */
export interface Listening {
  port: number;
  /** Resolves when there was no connection for this time. */
  idle(ms: number): Promise<void>;
  /** Ends after the requests that are being answered, at most after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** How the bank listens: on 127.0.0.1 unless `address` says where; `tls` for https, `ca` of those whose certificates it asks for; `keepAlive: false` never holds the process. */
export interface ListenOptions {
  port: number;
  address?: string;
  /** When who says nothing, or says it without end, is cut; short in tests. */
  limits?: ConnectionLimits;
  tls?: { cert: string; key: string; ca?: string[]; requestCert: boolean };
  keepAlive: boolean;
}

/** Every connection is let in: who showed no certificate, or a wrong one, hears that from the interface. */
const clientCertificates = { minVersion: 'TLSv1.2', rejectUnauthorized: false } as const;

/** Listens; rejects with the system's error where the port is taken. */
export async function listen(answer: BankListener, options: ListenOptions): Promise<Listening> {
  const { tls, limits = usualLimits } = options;
  const bounds = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: Math.min(5_000, limits.silentMs),
    connectionsCheckingInterval: limits.headersMs / 2,
  };
  const server: Server =
    tls === undefined
      ? createServer(bounds, answer)
      : (await import('node:https')).createServer(
          { ...bounds, ...clientCertificates, ...tls, handshakeTimeout: limits.headersMs },
          answer,
        );
  const active = new Set<ServerResponse>();
  server.on('request', (_incoming: IncomingMessage, outgoing: ServerResponse) => {
    active.add(outgoing);
    outgoing.once('close', () => active.delete(outgoing));
  });
  const { unreadable } = answer;
  if (unreadable !== undefined) server.on('clientError', unreadable);
  const quiet = quietOf(server);
  // A silent connection is cut; a client can open another one at no cost.
  server.setTimeout(limits.silentMs);
  if (!options.keepAlive) releaseProcess(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.address ?? '127.0.0.1', () => {
      server.off('error', reject);
      const { port } = server.address() as AddressInfo;
      resolve({ port, idle: quiet, close: (graceMs) => close(server, active, graceMs) });
    });
  });
}

/** Milliseconds: of silence, until the head of a request has come (and TLS is up), and until all of it has. */
interface ConnectionLimits {
  silentMs: number;
  headersMs: number;
  requestMs: number;
}

const usualLimits: ConnectionLimits = { silentMs: 120_000, headersMs: 20_000, requestMs: 120_000 };

/** Looks now and then whether anybody is connected. */
function quietOf(server: Server): (ms: number) => Promise<void> {
  // Not `performance`, whose part of Node a bank that starts would load for it.
  const now = () => process.uptime() * 1000;
  let connected = 0;
  let last = now();
  server.on('connection', (socket: Socket) => {
    connected += 1;
    socket.once('close', () => {
      connected -= 1;
      last = now();
    });
  });
  return (ms) =>
    new Promise((resolve) => {
      const look = setInterval(
        () => {
          if (connected > 0 || now() - last < ms) return;
          clearInterval(look);
          resolve();
        },
        Math.min(1_000, ms / 4),
      );
      look.unref();
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
