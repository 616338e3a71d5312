import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
// Apart from redirect-listener.ts: most transactions name a return address, and nobody comes back to it.

/** A port of 127.0.0.1 that nobody has; it is bound for a moment only. */
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
