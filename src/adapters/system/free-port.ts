import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
// Kept apart from redirect-listener.ts: most transactions only name a return address and never listen on it.

/** A free port of 127.0.0.1; it is bound only for a moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0, exclusive: true }, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
