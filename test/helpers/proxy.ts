import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** An http proxy on loopback that knows CONNECT alone; names lead to ports of this machine, so that no DNS is asked. */
export interface TestProxy {
  port: number;
  /** The heads of the requests that it got. */
  heads: string[];
  close(): Promise<void>;
}

/** `hosts` gives the port of each `host:port`; `answer` replaces the 200, and then nothing is connected. */
export async function startProxy(
  hosts: Readonly<Record<string, number>>,
  answer?: string,
): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  const heads: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let head = '';
    const read = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read);
      heads.push(head);
      const port = hosts[/^CONNECT (\S+) /.exec(head)?.[1] ?? ''];
      if (answer !== undefined || port === undefined) {
        socket.end(`${answer ?? 'HTTP/1.1 502 Bad Gateway'}\r\n\r\n`);
        return;
      }
      const bank = connect(port, '127.0.0.1');
      sockets.add(bank);
      bank.on('error', () => socket.destroy());
      // In two pieces, as a network may deliver it.
      socket.write('HTTP/1.1 200 Connection');
      setImmediate(() => {
        socket.write(' established\r\nVia: test\r\n\r\n');
        socket.pipe(bank).pipe(socket);
      });
    };
    socket.on('data', read);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    heads,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) =>
        server.close(() => {
          done();
        }),
      );
    },
  };
}
