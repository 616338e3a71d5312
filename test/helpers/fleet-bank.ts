import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { traced } from './fleet-trace.ts';

/** A bank that books what is sent to it, says where a payment stands, rotates refresh tokens, and loses an answer now and then. */
export async function bankOf({
  chance,
  told = {},
}: {
  /** Below 0.15 an answer is lost. */
  chance: () => number;
  /** What is done, by the path of a request that is none of a bank, before that is answered. */
  told?: Readonly<Record<string, (body: string) => Promise<unknown>>>;
}) {
  const booked: string[] = [];
  const accesses: number[] = [];
  const used = new Map<string, number>();
  let good = 'refresh-0';
  let count = 0;
  const server = createServer((request, response) => {
    const { url = '' } = request;
    traced('bank', `${request.method ?? ''} ${url} comes`);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const answer = (status: number, value: object) => {
        const isLost = chance() < 0.15;
        traced('bank', `${request.method ?? ''} ${url} ${isLost ? 'is lost' : String(status)}`);
        if (isLost) request.socket.destroy();
        else response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
      };
      if (url === '/token') {
        const token = new URLSearchParams(body).get('refresh_token') ?? '';
        used.set(token, (used.get(token) ?? 0) + 1);
        if (token !== good) {
          answer(400, { error: 'invalid_grant' });
          return;
        }
        good = `refresh-${String(++count)}`;
        answer(200, {
          ...{ access_token: `access-${String(count)}`, token_type: 'Bearer', expires_in: 300 },
          refresh_token: good,
        });
      } else if (url === '/access') {
        accesses.push(Date.now());
        response.end();
      } else if (told[url] !== undefined)
        void told[url](body).then(
          () => response.end(),
          () => response.writeHead(500).end(),
        );
      // A machine that finds a payment of one that died reads where it stands.
      else if (request.method === 'GET') answer(200, { transactionStatus: 'RCVD' });
      else {
        const id = idOf(body);
        // A request without an answer would hold its machine for as long as a bank may be silent.
        if (id === undefined) {
          answer(400, {});
          return;
        }
        booked.push(id);
        const self = { href: `${url}/p-${id}` };
        answer(201, { transactionStatus: 'RCVD', paymentId: `p-${id}`, _links: { self } });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    address,
    booked,
    accesses,
    used,
    good: () => good,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The end-to-end identification of a payment; undefined where a body is none. */
function idOf(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { endToEndIdentification: string }).endToEndIdentification;
  } catch {
    return undefined;
  }
}
