// A production bank that exempts payments from SCA, leads others through it, loses answers on demand, and counts payments.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ExemptingBank {
  baseUrl: string;
  /** How many payments of this amount it has made. */
  made(amount: string): number;
  /** The status of a payment from now on. */
  decide(paymentId: string, status: string): void;
  close(): Promise<void>;
}

/** Amounts below 100 are exempted (ACSC at once), from 100 an authorisation is due, and the answers from 200 on are lost. */
export async function startExemptingBank(): Promise<ExemptingBank> {
  const made = new Map<string, number>();
  const statuses = new Map<string, string>();
  let count = 0;
  const server = createServer((request, response) => {
    void answer(request, response);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const path = (request.url ?? '').split('?')[0] ?? '';
    const say = (status: number, body: object) => {
      response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
      response.end(JSON.stringify(body));
    };
    const [, , , , paymentId = '', end] = path.split('/');
    if (request.method === 'GET' && end === 'status') {
      const transactionStatus = statuses.get(paymentId);
      if (transactionStatus === undefined) say(404, {});
      else say(200, { transactionStatus });
      return;
    }
    if (request.method !== 'POST' || !/\/payments\/[^/]+$/.test(path)) {
      say(404, {});
      return;
    }
    const { amount } = (JSON.parse(text) as { instructedAmount: { amount: string } }).instructedAmount;
    count += 1;
    const id = `payment-${String(count).padStart(4, '0')}`;
    made.set(amount, (made.get(amount) ?? 0) + 1);
    const exempt = Number(amount) < 100;
    statuses.set(id, exempt ? 'ACSC' : 'RCVD');
    if (Number(amount) >= 200) {
      request.socket.destroy();
      return;
    }
    const self = { href: `${path}/${id}` };
    const start = { href: `${path}/${id}/authorisations` };
    say(201, {
      transactionStatus: statuses.get(id),
      paymentId: id,
      _links: exempt ? { self } : { self, startAuthorisationWithPsuAuthentication: start },
    });
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    made: (amount) => made.get(amount) ?? 0,
    decide: (paymentId, status) => void statuses.set(paymentId, status),
    close: () =>
      new Promise((closed) => {
        server.close(() => {
          closed();
        });
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
