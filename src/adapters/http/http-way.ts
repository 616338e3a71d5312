import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Clock } from '../../client/ports/clock.ts';
import type { HttpAnswer, HttpConnection } from '../../client/ports/http.ts';
import type { Proxy } from './http-proxy.ts';

/** A socket that is ready for the first byte. */
export interface Dialled {
  socket: Socket;
  tls?: NonNullable<HttpAnswer['tls']>;
}

/** How the bank is reached. */
export interface Way {
  connection: HttpConnection;
  /** Present for https. */
  context: SecureContext | undefined;
  proxy: Proxy | undefined;
  clock: Clock;
}
