// A production bank that exempts payments from SCA, leads others through it, loses answers on demand, and counts payments.
import { typedBank } from './typed-bank.ts';

export interface ExemptingBank {
  baseUrl: string;
  /** How many payments of this amount it has made. */
  made(amount: string): number;
  /** The status of a payment from now on. */
  decide(paymentId: string, status: string): void;
  close(): Promise<void>;
}

const close = { Connection: 'close' };

/** Amounts below 100 are exempted (ACSC at once), from 100 an authorisation is due, and the answers from 200 on are lost. */
export async function startExemptingBank(): Promise<ExemptingBank> {
  const made = new Map<string, number>();
  const statuses = new Map<string, string>();
  let count = 0;
  const bank = await typedBank(({ method, path: whole, body }) => {
    const path = whole.split('?')[0] ?? '';
    const [, , , , paymentId = '', end] = path.split('/');
    if (method === 'GET' && end === 'status') {
      const transactionStatus = statuses.get(paymentId);
      return transactionStatus === undefined ? [404, {}, close] : [200, { transactionStatus }, close];
    }
    if (method !== 'POST' || !/\/payments\/[^/]+$/.test(path)) return [404, {}, close];
    const { amount } = (JSON.parse(body) as { instructedAmount: { amount: string } }).instructedAmount;
    count += 1;
    const id = `payment-${String(count).padStart(4, '0')}`;
    made.set(amount, (made.get(amount) ?? 0) + 1);
    const exempt = Number(amount) < 100;
    statuses.set(id, exempt ? 'ACSC' : 'RCVD');
    if (Number(amount) >= 200) return 'lost';
    const self = { href: `${path}/${id}` };
    const start = { href: `${path}/${id}/authorisations` };
    const _links = exempt ? { self } : { self, startAuthorisationWithPsuAuthentication: start };
    return [201, { transactionStatus: statuses.get(id), paymentId: id, _links }, close];
  });
  return {
    baseUrl: `http://127.0.0.1:${String(bank.port)}`,
    made: (amount) => made.get(amount) ?? 0,
    decide: (paymentId, status) => void statuses.set(paymentId, status),
    close: () => bank.close(),
  };
}
