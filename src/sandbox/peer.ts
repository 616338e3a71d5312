import type { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** The certificate that the client of this connection showed; who trusts it is another question. */
export function peerOf(c: Context<{ Bindings: HttpBindings }>): X509Certificate | undefined {
  const { socket } = c.env.incoming;
  return socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
}
