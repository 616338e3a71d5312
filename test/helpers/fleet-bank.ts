import { traced } from './fleet-trace.ts';
import { typedBank } from './typed-bank.ts';
import type { Answered, Lost } from './typed-bank.ts';

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
  const bank = await typedBank(async ({ method, path, body }) => {
    traced('bank', `${method} ${path} comes`);
    const answer = (status: number, value: object): Answered | Lost => {
      const isLost = chance() < 0.15;
      traced('bank', `${method} ${path} ${isLost ? 'is lost' : String(status)}`);
      return isLost ? 'lost' : [status, value];
    };
    if (path === '/token') {
      const token = new URLSearchParams(body).get('refresh_token') ?? '';
      used.set(token, (used.get(token) ?? 0) + 1);
      if (token !== good) return answer(400, { error: 'invalid_grant' });
      good = `refresh-${String(++count)}`;
      return answer(200, {
        ...{ access_token: `access-${String(count)}`, token_type: 'Bearer', expires_in: 300 },
        refresh_token: good,
      });
    }
    if (path === '/access') {
      accesses.push(Date.now());
      return [200];
    }
    if (told[path] !== undefined) {
      await told[path](body);
      return [200];
    }
    // A machine that finds a payment of one that died reads where it stands.
    if (method === 'GET') return answer(200, { transactionStatus: 'RCVD' });
    const id = idOf(body);
    // A request without an answer would hold its machine for as long as a bank may be silent.
    if (id === undefined) return answer(400, {});
    booked.push(id);
    const self = { href: `${path}/p-${id}` };
    return answer(201, { transactionStatus: 'RCVD', paymentId: `p-${id}`, _links: { self } });
  });
  return {
    address: `http://127.0.0.1:${String(bank.port)}`,
    booked,
    accesses,
    used,
    good: () => good,
    close: () => bank.close(),
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
