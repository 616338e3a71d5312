import { request } from 'node:http';
import { answersFor, readAddress } from './bank-address.ts';
import type { BankHome } from './bank-home.ts';
import type { AnySteering, Steered } from '../steering/steering.ts';

/** Steers the bank that was started by hand with a ledger of its own, if one answers; else undefined. */
export async function steerStandalone(house: BankHome, command: AnySteering): Promise<Steered | undefined> {
  const { standalone } = readAddress(house.folder);
  if (standalone === undefined) return undefined;
  const claim = house.claim(standalone.ledger);
  if (!(await answersFor(standalone.port, claim))) return undefined;
  return post(standalone.port, claim.token() ?? '', JSON.stringify(command));
}

function post(port: number, token: string, body: string): Promise<Steered> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/sandbox/steer',
        agent: false,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          if (incoming.statusCode === 200)
            resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Steered);
          else reject(new Error(`the bank answered ${incoming.statusCode ?? 0}`));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
