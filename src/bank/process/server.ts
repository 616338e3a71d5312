import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { beginningOf } from '../books/ledger.ts';
import { controlPath, identityOf, windowPath } from '../home/bank-address.ts';
import { exchangeOf, refuseEntry } from './entrance.ts';
import type { AccessKey, Entrance } from './entrance.ts';
import { answerOf, send } from '../interface/answer.ts';
import type { Answer } from '../interface/answer.ts';
import { interfaceAt, interfaceMeant } from '../trust/interfaces.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import type { RunningBank, Tenants } from '../trust/call.ts';
import { tenantKey, tenantPath } from '../../base/profile-name.ts';
import type { Exchange } from '../interface/exchange.ts';
import { bankFailed } from '../rules/refusal.ts';
import { refuseUnreadable } from './unreadable.ts';
import type { ParserError } from './unreadable.ts';

/** What answers requests, and what the parser of HTTP rejects before they are any. */
export type BankListener = RequestListener & { unreadable?: (error: ParserError, socket: Duplex) => void };

/** A request that was let in, and the bank whose ledger it is for. */
interface Asked {
  bank: RunningBank;
  exchange: Exchange;
  /** The interface that it is meant for. */
  variant: Variant | undefined;
}

/** A part of the bank that answers requests: which ones, and how. */
interface Door {
  takes(asked: Asked): boolean;
  /** Loads the part, once for each bank, when somebody first asks for it. */
  load(bank: RunningBank): Promise<(asked: Asked) => Promise<void> | void>;
}

/** The doors of a bank: a request goes in at the first that takes it. */
const doorsInside: readonly Door[] = [
  {
    takes: ({ bank, exchange }) => bank.recording !== undefined && !/^\/sandbox(?:\/|$)/.test(exchange.path),
    load: ({ recording }) => Promise.resolve(({ bank, exchange }) => recording?.serve(bank, exchange)),
  },
  {
    takes: ({ variant }) => variant !== undefined,
    load: async (bank) => {
      const { receive } = await import('../interface/api.ts');
      return ({ variant, exchange }) => variant && receive(bank, variant, exchange);
    },
  },
  {
    takes: ({ exchange: { path } }) => path === controlPath || path.startsWith(`${controlPath}/`),
    load: async (bank) => onConnection((await import('../control/routes.ts')).controlListener(bank)),
  },
  {
    takes: ({ exchange: { path } }) =>
      path === '/sandbox' || path === windowPath || path.startsWith(`${windowPath}window/`),
    load: async () => onConnection((await import('../window/window.ts')).windowListener),
  },
  {
    takes: () => true,
    load: async (bank) => onConnection((await import('../endpoints/web.ts')).webListener(bank)),
  },
];

function onConnection(listener: (...on: Parameters<RequestListener>) => Promise<void> | void) {
  return ({ exchange: { incoming, outgoing } }: Asked) => listener(incoming, outgoing);
}

/** The whole bank. The interface is loaded once the bank listens; all else when somebody first asks for it. */
export function bankListener(whole: RunningBank, accessKey?: AccessKey): BankListener {
  const entry = new Entry(whole, accessKey);
  return Object.assign<RequestListener, Pick<BankListener, 'unreadable'>>(
    (incoming, outgoing) => {
      // What this request changes is told after its answer.
      outgoing.once('close', () => {
        whole.pushes.wake();
      });
      entry.answer(incoming, outgoing).catch((error: unknown) => {
        if (outgoing.headersSent) outgoing.destroy();
        else send(outgoing, failed(error, incoming.headers['x-request-id']));
      });
    },
    {
      unreadable: (error, socket) => {
        refuseUnreadable(whole, error, socket);
      },
    },
  );
}

/** Lets requests in, and leads each to a door of the bank that it is for: the whole one, or one of a tenant. */
class Entry {
  readonly #whole: RunningBank;
  readonly #entrance: Entrance;
  /** What is loaded; that of a tenant goes with its bank, which is made anew when its ledger is opened again. */
  readonly #loaded = new WeakMap<RunningBank, Map<Door, ReturnType<Door['load']>>>();

  constructor(whole: RunningBank, accessKey: AccessKey | undefined) {
    this.#whole = whole;
    this.#entrance = { ...whole.doors, accessKey, dialect: whole.dialect };
  }

  async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const entrance = this.#entrance;
    const exchange = exchangeOf(entrance, incoming, outgoing);
    if (exchange === undefined) {
      send(outgoing, { status: 400, headers: {} });
      return;
    }
    if (exchange.path === '/sandbox/identity' && exchange.method === 'GET') return this.#identify(exchange);
    const refused = refuseEntry(entrance, exchange);
    if (refused !== undefined) {
      send(outgoing, refused);
      return;
    }
    if (entrance.basePath !== '' || exchange.tenant !== undefined)
      incoming.url = urlBelow(entrance.basePath, exchange);
    const { tenants } = this.#whole;
    return tenants === undefined ? this.#serve(this.#whole, exchange) : this.#serveOf(tenants, exchange);
  }

  async #identify({ incoming, outgoing, url }: Exchange): Promise<void> {
    const whole = this.#whole;
    const nonce = url.searchParams.get('nonce') ?? '';
    const port = incoming.socket.localPort ?? 0;
    const tenant = url.searchParams.get('tenant');
    const ledger =
      tenant === null
        ? beginningOf(whole.ledger)
        : await ledgerOfTenant(whole.tenants, tenant).catch(() => undefined);
    const own = { name: whole.name, token: whole.adminToken, ledger };
    const content = identityOf({ pid: process.pid, idleMs: whole.idleMs }, { nonce, port }, own);
    send(outgoing, { status: 200, headers: { 'Content-Type': 'application/json' }, content });
  }

  async #serve(bank: RunningBank, exchange: Exchange): Promise<void> {
    const { path, incoming } = exchange;
    const hasRequestId = incoming.headers['x-request-id'] !== undefined;
    const variant = interfaceAt(this.#entrance, path) ?? interfaceMeant(this.#entrance, path, hasRequestId);
    const asked = { bank, exchange, variant };
    const door = doorsInside.find((one) => one.takes(asked));
    if (door === undefined) throw new Error('the last door takes every request');
    const loaded = this.#loaded.get(bank) ?? new Map<Door, ReturnType<Door['load']>>();
    this.#loaded.set(bank, loaded);
    const serving = loaded.get(door) ?? door.load(bank);
    loaded.set(door, serving);
    await (
      await serving
    )(asked);
  }

  /** Serves a request of a tenant with that one's ledger, which stays open until the answer has left. */
  async #serveOf(tenants: Tenants, exchange: Exchange): Promise<void> {
    const { incoming, outgoing } = exchange;
    const { chooseTenant } = await import('../tenants/choose-tenant.ts');
    const chosen = await chooseTenant(this.#whole, tenants, exchange);
    if (chosen === undefined) return this.#serve(this.#whole, exchange);
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
      await this.#serve(bank, exchange);
      await left;
      bank.pushes.wake();
    } finally {
      release();
    }
  }
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
