import { createHash } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import type { Clock } from '../../client/ports/clock.ts';
import type { Http, HttpConnection } from '../../client/ports/http.ts';
import { exchange } from './http-exchange.ts';
import { drop, openLine } from './http-line.ts';
import type { Line } from './http-line.ts';
import { proxyFor } from './http-proxy.ts';
import { checkRequest } from './http-request-check.ts';
import { beginningOf } from './http-stream.ts';
import { createClock } from '../system/system-clock.ts';

/** Dependencies of an Http; without `env` there is no proxy. */
interface HttpOptions {
  clock?: Clock;
  env?: Readonly<Record<string, string | undefined>>;
}

export function createHttp({ clock = createClock(), env = {} }: HttpOptions = {}): Http {
  const idle = new Map<string, Line[]>();
  const streaming = new Set<Line>();
  const contexts = new Map<string, SecureContext>();

  async function contextOf(identity: string, connection: HttpConnection): Promise<SecureContext> {
    const { secureContext } = await import('./http-tls.ts');
    const context = contexts.get(identity) ?? secureContext(connection);
    contexts.set(identity, context);
    return context;
  }

  async function open(
    origin: URL,
    identity: string,
    connection: HttpConnection,
    reusable: boolean,
  ): Promise<Line> {
    const context = origin.protocol === 'https:' ? await contextOf(identity, connection) : undefined;
    return openLine(origin, { connection, context, proxy: proxyFor(origin, env), clock }, reusable);
  }

  return {
    async send(request, options) {
      const checked = checkRequest(request, options.connection.plain);
      const identity = identityOf(options.connection);
      const key = `${checked.origin.origin} ${identity}`;
      const reusable = !options.fresh && request.method === 'GET';
      const line =
        (reusable ? takeLiving(idle.get(key)) : undefined) ??
        (await open(checked.origin, identity, options.connection, reusable));
      try {
        const done = () => {
          streaming.delete(line);
          if (reusable && line.socket?.destroyed === false) idle.set(key, [...(idle.get(key) ?? []), line]);
          else drop(line);
        };
        const answer = await exchange(line, checked, options, clock);
        if (answer.rest !== undefined) {
          streaming.add(line);
          return await beginningOf(answer, options.stream?.maxBytes ?? 0, done);
        }
        done();
        return answer;
      } catch (error) {
        drop(line);
        throw error;
      }
    },
    offeredCiphers: async (list) => (await import('./offered-ciphers.ts')).offeredCiphers(list),
    proxy: (url) =>
      new Promise((resolve) => {
        const found = proxyFor(new URL(url), env);
        resolve(found && { address: found.shown, credentials: found.authorization !== undefined });
      }),
    close() {
      for (const line of [...[...idle.values()].flat(), ...streaming]) drop(line);
      idle.clear();
      return Promise.resolve();
    },
  };
}

function takeLiving(lines: Line[] | undefined): Line | undefined {
  for (let line = lines?.pop(); line; line = lines?.pop()) {
    if (line.socket?.destroyed === false) return line;
    drop(line);
  }
  return undefined;
}

const identities = new WeakMap<HttpConnection, string>();

/** Tells connections apart without keeping a key's text. */
function identityOf(connection: HttpConnection): string {
  const known = identities.get(connection) ?? identityFrom(connection);
  identities.set(connection, known);
  return known;
}

function identityFrom({ key, passphrase, ...rest }: HttpConnection): string {
  const all = [Object.entries(rest).sort(), key?.reveal(), passphrase?.reveal()];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url');
}
