import { createConnection, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { TLSSocket, createSecureContext } from 'node:tls';
import { Secret } from '../../src/base/secret.ts';

/** TLS before the socket of a PostgreSQL, as it does itself where it has a certificate: `S`, then the handshake (protocol, 55.2.10). */
export interface TlsBefore {
  /** The URL by a host and with a file of a CA. */
  url(host: string, ca?: string): Secret;
  close(): void;
}

/** Starts it before the database of this URL; without a certificate it answers `N`. */
export async function tlsBefore(
  of: Secret,
  pair: { certificate: string; key: string } | undefined,
): Promise<TlsBefore> {
  const url = new URL(of.reveal().replace('@/', '@socket/'));
  const path = join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const server = createServer((plain) => {
    plain.on('error', () => undefined);
    plain.once('data', () => {
      plain.write(pair === undefined ? 'N' : 'S');
      if (pair === undefined) return;
      const secureContext = createSecureContext({ cert: pair.certificate, key: pair.key });
      const client = new TLSSocket(plain, { isServer: true, secureContext });
      const upstream = createConnection(path);
      const end = () => {
        client.destroy();
        upstream.destroy();
      };
      for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
      client.pipe(upstream);
      upstream.pipe(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (host, ca) => {
      const file = ca === undefined ? '' : `&sslrootcert=${encodeURIComponent(ca)}`;
      return new Secret(
        `postgres://${url.username}@${host}:${String(port)}${url.pathname}?sslmode=verify-full${file}`,
      );
    },
    close: () => server.close(),
  };
}
