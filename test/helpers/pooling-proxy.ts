import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../src/base/secret.ts';

/** A pooler in transaction mode on a socket before that of a PostgreSQL, as PgBouncer is one. */
export interface PoolingProxy {
  url(): Promise<Secret>;
  close(): void;
}

/** A connection to the server, which is lent to one client for one transaction at a time. */
interface Lent {
  socket: Socket;
  client: Socket | undefined;
  rest: Buffer;
}

const ready = 0x5a;
const parameter = 0x53;
const idle = 0x49;
const terminate = 0x58;

/** Starts it for the database of this URL, with as many connections to the server as are needed at a time. */
export async function poolingProxy(of: Secret): Promise<PoolingProxy> {
  const folder = mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 'q-'));
  const url = new URL(of.reveal().replace('@/', '@socket/'));
  const path = join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const free: Lent[] = [];
  const all = new Set<Socket>();
  let parameters: Buffer[] = [];

  /** Logs in as the clients do; resolves when the server is ready. */
  function open(): Promise<Lent> {
    const socket = createConnection(path);
    all.add(socket);
    const lent: Lent = { socket, client: undefined, rest: Buffer.alloc(0) };
    const told: Buffer[] = [];
    return new Promise((resolve, reject) => {
      const gone = () => {
        all.delete(socket);
        lent.client?.destroy();
        if (free.includes(lent)) free.splice(free.indexOf(lent), 1);
        reject(new Error('the server is gone'));
      };
      socket.on('error', gone).on('close', gone);
      let isIn = false;
      socket.on('data', (chunk: Buffer) => {
        for (const message of messagesIn(lent, chunk)) {
          if (isIn) lent.client?.write(message);
          else if (message[0] === parameter) told.push(message);
          if (message[0] !== ready) continue;
          if (!isIn) {
            isIn = true;
            parameters = told;
            resolve(lent);
          } else if (message[5] === idle) {
            lent.client = undefined;
            // The one that was free the longest is lent next: clients see another one each time.
            free.push(lent);
          }
        }
      });
      const words = ['user', decodeURIComponent(url.username), 'database', url.pathname.slice(1), '', ''];
      const body = Buffer.from(words.slice(0, -1).join('\0') + '\0');
      const head = Buffer.alloc(8);
      head.writeInt32BE(body.length + 8, 0);
      head.writeInt32BE(196_608, 4);
      socket.write(Buffer.concat([head, body]));
    });
  }

  const proxy = createServer((client) => {
    let mine: Lent | undefined;
    let isIn = false;
    let waiting: Promise<unknown> = Promise.resolve();
    all.add(client);
    const end = () => {
      all.delete(client);
      // In the middle of a transaction the server has to forget it.
      if (mine?.client === client) mine.socket.destroy();
      client.destroy();
    };
    client.on('error', end).on('close', end);
    client.on('data', (chunk: Buffer) => {
      waiting = waiting
        .then(async () => {
          if (!isIn) {
            isIn = true;
            if (parameters.length === 0) free.push(await open());
            // The process that it greets with is its own affair, as is that of PgBouncer.
            const key = Buffer.from([0x4b, 0, 0, 0, 12, 0x70, 1, 2, 3, 4, 5, 6, 7]);
            const in_ = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
            client.write(Buffer.concat([in_, ...parameters, key, Buffer.from([ready, 0, 0, 0, 5, idle])]));
          } else if (chunk[0] === terminate) end();
          else {
            if (mine?.client !== client) mine = free.shift() ?? (await open());
            mine.client = client;
            mine.socket.write(chunk);
          }
        })
        .catch(end);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(join(folder, '.s.PGSQL.5432'), resolve));
  url.searchParams.set('host', folder);
  return {
    url: () => Promise.resolve(new Secret(url.href.replace('@socket/', '@/'))),
    close: () => {
      proxy.close();
      for (const socket of all) socket.destroy();
    },
  };
}

/** The whole messages that a chunk completes: a letter, a length, and what that counts. */
function* messagesIn(lent: Lent, chunk: Buffer): Generator<Buffer> {
  lent.rest = Buffer.concat([lent.rest, chunk]);
  while (lent.rest.length >= 5) {
    const size = 1 + lent.rest.readInt32BE(1);
    if (lent.rest.length < size) return;
    yield lent.rest.subarray(0, size);
    lent.rest = lent.rest.subarray(size);
  }
}
