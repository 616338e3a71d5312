import { createServer } from 'node:net';

/**
 * A port of loopback that is free, and stays so: it lies below those that systems give to whoever asks for any port (from 32768
 * on Linux, 49152 elsewhere), as the banks of other tests do at each moment.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer().once('error', () => {
        resolve(false);
      });
      server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
        server.close(() => {
          resolve(true);
        });
      });
    });
    if (free) return port;
  }
}
