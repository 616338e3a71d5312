// A bank typed by hand for the model: many payments, each by its amount, and a memory of every status that it ever had.
import type { Socket } from 'node:net';
import { rawServer, wire } from '../helpers/raw-server.ts';

/** A payment as the bank knows it. */
export interface BankPayment {
  id: string;
  amount: string;
  /** Every transactionStatus that it ever had, the newest last. */
  statuses: string[];
}

export interface ModelBank {
  baseUrl: string;
  payments: readonly BankPayment[];
  /** Bodies of all requests. */
  bodies: readonly string[];
  /** What becomes of the answer to the next write. */
  next: 'answer' | 'lose' | 'reset' | 'late';
  afresh(): void;
  close(): Promise<void>;
}

const json = ['Content-Type: application/json', 'Connection: close'];

/** Amounts below 100 are exempted from SCA; from 100 on a password and a code are due. */
export async function startModelBank(): Promise<ModelBank> {
  const payments: BankPayment[] = [];
  const bodies: string[] = [];
  const server = await rawServer((socket, { head, body }) => {
    const [method = '', target = ''] = (head.split('\r\n')[0] ?? '').split(' ');
    bodies.push(body.toString());
    const [status, value] = answer(method, (target.split('?')[0] ?? '').split('/'), body.toString());
    deliver(socket, method, wire(status, JSON.stringify(value), json));
  });

  function deliver(socket: Socket, method: string, bytes: Buffer): void {
    const how = method === 'GET' ? 'answer' : bank.next;
    if (method !== 'GET') bank.next = 'answer';
    if (how === 'lose') socket.end();
    else if (how === 'reset') socket.resetAndDestroy();
    else if (how === 'late') setTimeout(() => socket.write(bytes), 150).unref();
    else socket.write(bytes);
  }

  /** `/v1/payments/PRODUCT/ID/authorisations/ID`. */
  function answer(method: string, path: readonly string[], body: string): [string, object] {
    const [, , , , id = '', part = '', authorisation = ''] = path;
    const at = path.slice(0, 5).join('/');
    if (method === 'POST' && id === '') return make(path.slice(0, 4).join('/'), body);
    const payment = payments.find((one) => one.id === id);
    if (payment === undefined) return ['404 Not Found', {}];
    const transactionStatus = payment.statuses.at(-1);
    const done = transactionStatus === 'ACSC';
    if (part === 'status') return ['200 OK', { transactionStatus }];
    if (part === '' && method === 'GET') return ['200 OK', { transactionStatus }];
    if (method === 'GET' && authorisation === '') return ['200 OK', { authorisationIds: [`a-${id}`] }];
    if (method === 'GET') return ['200 OK', { scaStatus: done ? 'finalised' : 'scaMethodSelected' }];
    if (method === 'POST') {
      const own = { href: `${at}/authorisations/a-${id}` };
      const challenge = { challengeData: { otpMaxLength: 6 } };
      const chosen = { chosenScaMethod: { authenticationType: 'SMS_OTP', authenticationMethodId: 'sms' } };
      return [
        '201 Created',
        {
          ...{ scaStatus: 'scaMethodSelected', authorisationId: `a-${id}`, ...chosen, ...challenge },
          _links: { authoriseTransaction: own, scaStatus: own },
        },
      ];
    }
    payment.statuses.push('ACSC');
    return ['200 OK', { scaStatus: 'finalised' }];
  }

  function make(collection: string, body: string): [string, object] {
    const { amount } = (JSON.parse(body) as { instructedAmount: { amount: string } }).instructedAmount;
    const id = `m-${String(payments.length + 1)}`;
    const exempt = Number(amount) < 100;
    const transactionStatus = exempt ? 'ACSC' : 'RCVD';
    payments.push({ id, amount, statuses: [transactionStatus] });
    const self = { href: `${collection}/${id}` };
    const start = { href: `${collection}/${id}/authorisations` };
    const status = { href: `${collection}/${id}/status` };
    const links = exempt
      ? { self, status }
      : { self, status, startAuthorisationWithPsuAuthentication: start };
    return ['201 Created', { transactionStatus, paymentId: id, _links: links }];
  }

  const bank: ModelBank = {
    baseUrl: `http://127.0.0.1:${String(server.port)}`,
    ...{ payments, bodies, next: 'answer' },
    afresh() {
      payments.length = 0;
      bodies.length = 0;
      bank.next = 'answer';
    },
    close: () => server.close(),
  };
  return bank;
}
