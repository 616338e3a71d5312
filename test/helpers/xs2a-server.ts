import type { TlsOptions } from 'node:tls';
import { rawServer, wire } from './raw-server.ts';
import type { RawServer } from './raw-server.ts';

/**
 * A bank that answers below these prefixes only, as an XS2A interface does to an unsigned and to a signed read of a consent that it
 * does not know; everything else is a page of its gateway.
 */
export function xs2aServer(prefixes: readonly string[], tls?: TlsOptions): Promise<RawServer> {
  return rawServer((socket, { head }) => {
    const path = head.split(' ')[1] ?? '';
    const json = ['Content-Type: application/json', `Date: ${new Date().toUTCString()}`];
    const refuse = (status: string, code: string) =>
      socket.end(wire(status, JSON.stringify({ tppMessages: [{ category: 'ERROR', code }] }), json));
    if (!prefixes.some((prefix) => path.startsWith(`${prefix}/consents/`)))
      socket.end(wire('404 Not Found', '<html>no such page</html>', ['Content-Type: text/html']));
    else if (/^signature:/im.test(head)) refuse('403 Forbidden', 'CONSENT_UNKNOWN');
    else refuse('401 Unauthorized', 'SIGNATURE_MISSING');
  }, tls);
}
