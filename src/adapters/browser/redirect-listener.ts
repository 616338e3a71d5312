import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ObkError } from '../../base/errors.ts';
import type { Listener, Return } from '../../client/ports/browser.ts';
import { freePort } from '../system/free-port.ts';

const attempts = 5;

/** Servers that have a port, and who answers there at this moment. */
interface Held {
  servers: readonly [Server, ...Server[]];
  turn: { answer?: Answerer };
  /** Whether it stays bound between the waits. */
  forRun: boolean;
}
type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

/** The loopback server that the PSU's browser is sent back to. Source: RFC 8252, section 7.3. */
export function createListener(): Listener {
  const held = new Map<number, Held>();
  /** Browsers that are on their way back although nobody waits for them any more. */
  const late: Promise<unknown>[] = [];
  async function take(wanted: number, forRun: boolean): Promise<[port: number, held: Held]> {
    const before = held.get(wanted);
    if (before !== undefined) {
      before.forRun ||= forRun;
      return [wanted, before];
    }
    const turn: Held['turn'] = {};
    const servers = await bind((request, response) => {
      if (turn.answer === undefined) send(response, 404, 'nothing');
      else turn.answer(request, response);
    }, wanted);
    // The listener must not keep the process alive.
    for (const server of servers) server.unref();
    const { port } = servers[0].address() as AddressInfo;
    const taken: Held = { servers, turn, forRun };
    held.set(port, taken);
    return [port, taken];
  }
  return {
    freePort,
    hold: async (wanted) => (await take(wanted, true))[0],
    close: async () => {
      await Promise.all(late.splice(0));
      const all = [...held.values()].flatMap(({ servers }) => servers);
      held.clear();
      await closeAll(all);
    },
    listen: async ({ port: wanted, path, state, returnState = '', lateMs = 0 }) => {
      const [port, taken] = await take(wanted, false);
      const { servers, turn } = taken;
      let come: (back: Return) => void = () => undefined;
      const returned = new Promise<Return>((resolve) => {
        come = resolve;
      });
      let hasCome = false;
      turn.answer = (request, response) => {
        const back = hasCome ? undefined : check(request, { port, path, states: [state, returnState] });
        if (typeof back !== 'object') {
          send(response, back ?? 404, back === 405 ? 'method' : 'nothing');
          return;
        }
        hasCome = true;
        // Resolves only after the page was sent, since the caller may close the server at once.
        response.once('close', () => {
          come(back);
        });
        send(response, 200, back.outcome);
      };
      for (const server of servers) server.ref();
      const close = async () => {
        for (const server of servers) server.unref();
        if (hasCome) delete turn.answer;
        if (!hasCome && lateMs > 0) {
          late.push(Promise.race([returned, sleep(lateMs)]));
        } else if (!taken.forRun && held.get(port) === taken) {
          held.delete(port);
          await closeAll(servers);
        }
      };
      return { port, returned, close };
    },
  };
}

interface Expected {
  port: number;
  path: string;
  /** Our own and the one that the bank must add, each empty where there is none. */
  states: readonly string[];
}

/** The return that a request is, or the status of its refusal. Nothing of a wrong call ends the wait. */
function check(request: IncomingMessage, { port, path, states }: Expected): Return | 404 | 405 {
  const hosts = ['127.0.0.1', '[::1]', 'localhost'].flatMap((host) => [
    `${host}:${port}`,
    ...(port === 80 ? [host] : []),
  ]);
  if (!hosts.includes(request.headers.host?.toLowerCase() ?? '')) return 404;
  const target = request.url ?? '';
  const query = target.indexOf('?');
  const way = query < 0 ? target : target.slice(0, query);
  const parameters = new URLSearchParams(query < 0 ? '' : target.slice(query));
  const nokPath = `${path.replace(/\/$/, '')}/nok`;
  // All three are compared whatever the others say, so that the time tells nothing.
  const isOk = isEqual(way, path);
  const isNok = isEqual(way, nokPath);
  const wanted = states.filter((state) => state !== '');
  // One text of all, so that the time tells not even which of them is wrong.
  const isOurs =
    wanted.length === 0 || isEqual(JSON.stringify(parameters.getAll('state')), JSON.stringify(wanted));
  if ((!isOk && !isNok) || !isOurs) return 404;
  if (request.method !== 'GET') return 405;
  const outcome = isNok || parameters.has('error') ? 'nok' : 'ok';
  return { outcome, url: `http://${request.headers.host ?? ''}${target}` };
}

/** In constant time for texts of any length. */
function isEqual(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}

function send(response: ServerResponse, status: number, kind: Parameters<typeof page>[0]): void {
  const body = page(kind);
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Content-Security-Policy': `default-src 'none'; style-src ${styleSource}`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    Connection: 'close',
    ...(status === 405 && { Allow: 'GET' }),
  });
  response.end(body);
}

/** Binds both loopback addresses to one port; where a machine has no IPv6 the first alone. */
async function bind(answer: Answerer, port: number): Promise<[Server, ...Server[]]> {
  for (let attempt = 1; ; attempt++) {
    const first = await bindOne(answer, '127.0.0.1', port);
    try {
      const second = await bindOne(answer, '::1', (first.address() as AddressInfo).port);
      return [first, second];
    } catch (error) {
      const code = ((error as ObkError).cause as NodeJS.ErrnoException).code;
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return [first];
      await closeAll([first]);
      // Port 0 gave one that is taken on the other address.
      if (port !== 0 || attempt === attempts) throw error;
    }
  }
}

function bindOne(answer: Answerer, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ keepAliveTimeout: 1 }, answer);
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE';
      reject(
        new ObkError({
          code: 'LISTENER_FAILED',
          title: taken ? `Port ${port} is taken.` : `Port ${port} cannot be listened to.`,
          detail: `${host}:${port}: ${taken ? 'another program listens there' : (cause.code ?? cause.message)}.`,
          cause,
        }),
      );
    });
    server.listen({ host, port, ipv6Only: true, exclusive: true }, () => {
      resolve(server);
    });
  });
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => {
            resolve();
          });
          // Browsers keep connections open that nothing comes over any more.
          server.closeAllConnections();
        }),
    ),
  );
}

const texts = {
  ok: ['Back from the bank', 'obk has noticed and goes on in the terminal. You can close this page.'],
  nok: [
    'Not approved',
    'The bank says that nothing was approved. obk goes on in the terminal. You can close this page.',
  ],
  nothing: ['Nothing here', 'This address is not one that obk waits for.'],
  method: ['Not this way', 'Only GET is answered here.'],
} as const;

const css = `
:root { color-scheme: light dark; background: #ffffff; color: #1b1b1f; }
@media (prefers-color-scheme: dark) { :root { background: #16161a; color: #ececf1; } }
body { margin: 0; font: 1.125rem/1.5 system-ui, sans-serif; }
main { max-width: 36rem; margin: 15vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.75rem; line-height: 1.25; }
`;

/** The source expression by which a browser takes this style and nothing else. */
const styleSource = `'sha256-${createHash('sha256').update(css).digest('base64')}'`;

/**
 * The page that the PSU's browser shows after the redirect: fixed text, nothing from the request or from other servers.
 */
function page(kind: keyof typeof texts): string {
  const [title, text] = texts[kind];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · obk</title>
<style>${css}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;
}
