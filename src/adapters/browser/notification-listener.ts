import { defined } from '../../base/defined.ts';
import { createPrivateKey, randomBytes } from 'node:crypto';
import { createServer, request as requestHttp } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer, request as requestHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ObkError } from '../../base/errors.ts';
import type {
  NotificationAnswer,
  NotificationListener,
  NotificationPlace,
  Notifications,
  ReceivedNotification,
} from '../../client/ports/notifications.ts';

/** The bounds of what strangers may send: bytes of a body, milliseconds, and numbers of connections and of what waits. */
interface ListenerLimits {
  bodyBytes: number;
  headersMs: number;
  requestMs: number;
  answerMs: number;
  connections: number;
  waiting: number;
}

const usual: ListenerLimits = {
  bodyBytes: 16 * 1024,
  headersMs: 5_000,
  requestMs: 10_000,
  answerMs: 30_000,
  connections: 64,
  waiting: 64,
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The server of a TPP to which banks push notifications. */
export function createNotifications(limits: ListenerLimits = usual): Notifications {
  return { listen: (place) => listen(place, limits) };
}

async function listen(place: NotificationPlace, limits: ListenerLimits): Promise<NotificationListener> {
  const nonce = randomBytes(16).toString('hex');
  const inbox = inboxOf(limits.waiting);
  const server = serverOf(place, limits, (incoming, outgoing) => {
    if (incoming.headers['x-self-check'] === nonce) {
      outgoing.writeHead(204, { Connection: 'close' }).end();
      return;
    }
    void receive(incoming, outgoing, place.path, limits).then((received) => {
      if (received !== undefined && !inbox.put(received)) received.answer(503);
    });
  });
  const port = await bind(server, place);
  try {
    await reach(place, port, nonce, limits.headersMs);
  } catch (cause) {
    await close(server);
    throw failed(place, port, `it cannot reach itself: ${(cause as Error).message}`, cause);
  }
  return {
    port,
    next: () => inbox.take(),
    async close() {
      inbox.end();
      await close(server);
    },
  };
}

function serverOf({ tls }: NotificationPlace, limits: ListenerLimits, answer: RequestListener): Server {
  const bounds = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: 1_000,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
    maxHeaderSize: 16 * 1024,
  };
  const server = tls ? tlsServer(tls, bounds, answer) : createServer(bounds, answer);
  boundConnections(server, limits.connections);
  server.setTimeout(limits.requestMs + limits.answerMs);
  return server;
}

/**
 * Has so many connections at most: the oldest one that has not said anything whole yet gives way to a new one. A bank pushes
 * once, and must not find the door held shut by who is silent or slow.
 */
function boundConnections(server: Server, most: number): void {
  // By TLS a request knows another socket than the connection does, but the same sender.
  const silent = new Map<string, Socket>();
  const senderOf = ({ remoteAddress, remotePort }: Socket) =>
    `${String(remoteAddress)} ${String(remotePort)}`;
  let open = 0;
  server.on('connection', (socket: Socket) => {
    const sender = senderOf(socket);
    silent.set(sender, socket);
    open += 1;
    socket.once('close', () => {
      silent.delete(sender);
      open -= 1;
    });
    if (open <= most) return;
    const [oldest = socket] = silent.values();
    oldest.destroy();
  });
  server.on('request', (incoming: IncomingMessage) => {
    const sender = senderOf(incoming.socket);
    incoming.once('end', () => silent.delete(sender));
  });
}

function tlsServer(
  { certificate, key, passphrase }: NonNullable<NotificationPlace['tls']>,
  bounds: { headersTimeout: number },
  answer: RequestListener,
): Server {
  try {
    const own = { key: key.reveal(), ...(passphrase && { passphrase: passphrase.reveal() }) };
    // An empty one is found out by nobody but those who connect.
    createPrivateKey(own);
    return createTlsServer(
      {
        ...bounds,
        cert: certificate,
        ...own,
        // Who shows a wrong certificate hears that by the status.
        requestCert: true,
        rejectUnauthorized: false,
        handshakeTimeout: bounds.headersTimeout,
        minVersion: 'TLSv1.2',
      },
      answer,
    );
  } catch (cause) {
    throw new ObkError({
      code: 'CERTIFICATE_FILE',
      title: 'The TLS certificate and its key cannot be used to listen.',
      detail: (cause as Error).message,
      cause,
    });
  }
}

function bind(server: Server, place: NotificationPlace): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE';
      reject(failed(place, place.port, taken ? 'another program listens there' : cause.message, cause));
    });
    server.listen({ host: place.address, port: place.port, exclusive: true }, () => {
      server.removeAllListeners('error');
      server.on('error', () => undefined);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function failed({ address }: NotificationPlace, port: number, why: string, cause: unknown): ObkError {
  return new ObkError({
    code: 'LISTENER_FAILED',
    title: `Port ${port} cannot be listened to.`,
    detail: `${address}:${port}: ${why}.`,
    hint: ['obk listen --port 0   # takes a free port of this machine'],
    cause,
  });
}

/** Calls the listener from outside, as a bank does. */
function reach({ address, tls }: NotificationPlace, port: number, nonce: string, ms: number): Promise<void> {
  const any = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return new Promise((resolve, reject) => {
    const outgoing = (tls === undefined ? requestHttp : requestHttps)(
      {
        host: any,
        port,
        method: 'GET',
        headers: { 'x-self-check': nonce },
        agent: false,
        // It is reached, not trusted: the nonce tells whether it is this listener.
        rejectUnauthorized: false,
        timeout: ms,
      },
      (incoming) => {
        incoming.resume();
        if (incoming.statusCode === 204) resolve();
        else reject(new Error(`another program answers there (${String(incoming.statusCode)})`));
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** What waits for its taker, in the order of its coming. */
function inboxOf(most: number) {
  const waiting: ReceivedNotification[] = [];
  const takers: ((received: ReceivedNotification | undefined) => void)[] = [];
  let ended = false;
  return {
    put(received: ReceivedNotification): boolean {
      if (ended || waiting.length >= most) return false;
      const taker = takers.shift();
      if (taker === undefined) waiting.push(received);
      else taker(received);
      return true;
    },
    take: (): Promise<ReceivedNotification | undefined> =>
      new Promise((resolve) => {
        const first = waiting.shift();
        if (first !== undefined || ended) resolve(first);
        else takers.push(resolve);
      }),
    end(): void {
      ended = true;
      for (const one of waiting.splice(0)) one.answer(503);
      for (const taker of takers.splice(0)) taker(undefined);
    },
  };
}

/** Reads a request that has the form of a notification; answers any other, and returns undefined. */
async function receive(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  path: string | undefined,
  limits: ListenerLimits,
): Promise<ReceivedNotification | undefined> {
  const requestId = requestIdOf(incoming);
  const wrong = whatIsWrong(incoming, path);
  const body = wrong === undefined ? await readBody(incoming, limits.bodyBytes) : undefined;
  if (body === undefined || requestId === undefined) {
    answerOnce(outgoing, wrong ?? 400, requestId);
    return undefined;
  }
  const { socket } = incoming;
  return {
    requestId,
    body,
    certificate: socket instanceof TLSSocket ? (socket.getPeerX509Certificate()?.raw ?? null) : undefined,
    answer: (status) => {
      answerOnce(outgoing, status, requestId);
    },
  };
}

function requestIdOf({ headers }: IncomingMessage): string | undefined {
  const value = headers['x-request-id'];
  return typeof value === 'string' && uuid.test(value) ? value : undefined;
}

/** The answer to a request whose head is not that of a notification. */
function whatIsWrong(incoming: IncomingMessage, path: string | undefined): NotificationAnswer | undefined {
  const { method, url = '', headers } = incoming;
  // The path alone counts: a notification has no query (guide 1.0, 6.1.1).
  if (path !== undefined && url.split('?')[0] !== path) return 404;
  if (method !== 'POST') return 405;
  const media = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (media !== 'application/json' || headers['content-encoding'] !== undefined) return 415;
  return requestIdOf(incoming) === undefined ? 400 : undefined;
}

/** The whole body; undefined where it is too long or breaks off. The rest of a long one is not read. */
function readBody(incoming: IncomingMessage, most: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= most) return;
      incoming.pause();
      resolve(undefined);
    });
    incoming.on('end', () => {
      resolve(Buffer.concat(chunks));
    });
    incoming.on('close', () => {
      resolve(undefined);
    });
  });
}

function answerOnce(
  outgoing: ServerResponse,
  status: NotificationAnswer,
  requestId: string | undefined,
): void {
  if (outgoing.headersSent || outgoing.destroyed) return;
  outgoing.writeHead(status, {
    ...defined({ 'X-Request-ID': requestId }),
    ...(status === 405 && { Allow: 'POST' }),
    'Content-Length': 0,
    ...(status !== 200 && { Connection: 'close' }),
  });
  outgoing.end(() => {
    // What is left of a refused body is not read.
    if (!outgoing.req.complete) outgoing.req.destroy();
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
