import { Duplex } from 'node:stream';
import { connect, createSecureContext } from 'node:tls';

/**
 * The suites (IANA numbers) that a list of ciphers selects, whatever the security level hides: those of the ClientHello
 * (RFC 8446 section 4.1.2) that OpenSSL would begin with. Undefined where it takes no such list. Nothing leaves the process.
 */
export function offeredCiphers(list: string): Promise<readonly number[] | undefined> {
  return new Promise((resolve) => {
    let secureContext;
    try {
      secureContext = createSecureContext({ minVersion: 'TLSv1.2', ciphers: `${list}:@SECLEVEL=0` });
    } catch {
      resolve(undefined);
      return;
    }
    const nowhere = new Duplex({
      read: () => undefined,
      write: (hello: Buffer, _, done) => {
        done();
        resolve(suitesIn(hello));
        setImmediate(() => {
          socket.destroy();
          nowhere.destroy();
        });
      },
    });
    // It is never connected, so nothing is believed.
    const socket = connect({ socket: nowhere, secureContext, rejectUnauthorized: true });
    socket.on('error', () => {
      resolve(undefined);
    });
  });
}

/** Record and handshake header, version, random and session id stand before them. */
function suitesIn(hello: Buffer): number[] {
  const start = 5 + 4 + 2 + 32;
  const at = start + 1 + (hello[start] ?? 0);
  const count = hello.readUInt16BE(at) / 2;
  return Array.from({ length: count }, (_, index) => hello.readUInt16BE(at + 2 + 2 * index));
}
