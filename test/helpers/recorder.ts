import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchange } from './contract.ts';

/** A loopback address in front of a bank: every exchange passes through it unchanged, and is kept. */
export interface Recorder {
  baseUrl: string;
  /** The exchanges since the last call, oldest first. */
  take(): Exchange[];
  close(): Promise<void>;
}

/** Starts a recorder in front of the bank at `baseUrl`. */
export async function startRecorder(baseUrl: string): Promise<Recorder> {
  const bank = new URL(baseUrl);
  let exchanges: Exchange[] = [];
  const server = createServer((incoming, outgoing) => {
    void readAll(incoming).then((sent) => {
      const { method = '', url = '', rawHeaders } = incoming;
      const onward = request(
        { host: bank.hostname, port: bank.port, method, path: url, headers: rawHeaders, agent: false },
        (answer) => {
          void readAll(answer).then((received) => {
            exchanges.push({
              method,
              path: url,
              requestHeaders: pairs(rawHeaders),
              requestBody: sent,
              status: answer.statusCode ?? 0,
              responseHeaders: pairs(answer.rawHeaders),
              responseBody: received,
            });
            outgoing.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
            outgoing.end(received);
          });
        },
      );
      onward.on('error', () => outgoing.destroy());
      onward.end(sent);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    take() {
      const taken = exchanges;
      exchanges = [];
      return taken;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
        server.closeAllConnections();
      }),
  };
}

async function readAll(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
}
