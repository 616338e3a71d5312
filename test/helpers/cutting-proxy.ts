import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClock } from '../../src/adapters/system/system-clock.ts';
import { Secret } from '../../src/base/secret.ts';
import { traced } from './fleet-trace.ts';

const clock = createClock();

/** A socket before that of a PostgreSQL, which can cut a connection at its next COMMIT. */
export interface CuttingProxy {
  url(): Promise<Secret>;
  /** Cuts before the server has seen the next COMMIT, or before its answer to it is passed on. */
  cutAtCommit(when: 'before' | 'after'): void;
  /** Holds back what its clients say, as if they were stopped, until the function is called that it gives. */
  hold(): () => void;
  /** Keeps back for a while each chunk of its clients that holds one of these texts, and what follows it. */
  stallAt(texts: readonly string[], ms: number): void;
  /** Cuts every connection now. */
  cutAll(): void;
  /** Lets no other one come. */
  close(): void;
}

/** Starts it for the database of this URL. */
export async function cuttingProxy(of: Secret): Promise<CuttingProxy> {
  const folder = mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 'p-'));
  const url = new URL(of.reveal().replace('@/', '@socket/'));
  const server = join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432');
  let cut: 'before' | 'after' | undefined;
  let stalls: { texts: readonly string[]; ms: number } = { texts: [], ms: 0 };
  const ends = new Set<() => void>();
  const clients = new Set<Socket>();
  let isClosed = false;
  const proxy = createServer((client) => {
    if (isClosed) {
      client.destroy();
      return;
    }
    const upstream = createConnection(server);
    let muted = false;
    const end = () => {
      ends.delete(end);
      client.destroy();
      upstream.destroy();
    };
    ends.add(end);
    clients.add(client);
    client.on('close', () => clients.delete(client));
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    let waiting: Promise<unknown> | undefined;
    client.on('data', (chunk: Buffer) => {
      const isStalled = stalls.texts.some((text) => chunk.includes(text));
      if (!isStalled && waiting === undefined) {
        passOn(chunk);
        return;
      }
      const before = waiting ?? Promise.resolve();
      const mine = before
        .then(() => (isStalled ? clock.sleep(stalls.ms) : undefined))
        .then(() => {
          if (waiting === mine) waiting = undefined;
          if (!client.destroyed) passOn(chunk);
        });
      waiting = mine;
    });
    const passOn = (chunk: Buffer) => {
      if (cut === undefined || !chunk.includes('COMMIT\0')) {
        upstream.write(chunk);
        return;
      }
      traced('proxy', `cuts ${cut} COMMIT`);
      if (cut === 'before') end();
      else {
        muted = true;
        upstream.write(chunk);
      }
      cut = undefined;
    };
    upstream.on('data', (chunk: Buffer) => {
      // What stands before it on its way has its own answers.
      const isOver = chunk.includes('COMMIT\0') || chunk.includes('ROLLBACK\0');
      if (!muted) client.write(chunk);
      else if (isOver) end();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(join(folder, '.s.PGSQL.5432'), resolve));
  url.searchParams.set('host', folder);
  return {
    url: () => Promise.resolve(new Secret(url.href.replace('@socket/', '@/'))),
    cutAtCommit: (when) => {
      cut = when;
    },
    stallAt: (texts, ms) => {
      stalls = { texts, ms };
    },
    hold: () => {
      const held = [...clients];
      for (const one of held) one.pause();
      return () => {
        for (const one of held) one.resume();
      };
    },
    cutAll: () => {
      for (const end of ends) end();
    },
    close: () => {
      isClosed = true;
      proxy.close();
    },
  };
}
