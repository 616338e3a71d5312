import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { payment, tppOf } from '../tpp.ts';

let bank: TestBank;
let call: ReturnType<typeof tppOf>;
let debtor: string;
beforeAll(async () => {
  bank = await startBank();
  call = tppOf(bank);
  debtor = bank.person('embedded-one').accounts[0]!.iban;
});
afterEach(() => bank.bank.clearFaults());
afterAll(() => bank.close());

const path = '/v1/payments/sepa-credit-transfers';
const operation = 'initiatePayment';
const pay = () => call('POST', path, { body: payment(debtor) });
/** How many requests arrived, and how many payments they made. */
async function counted(work: () => Promise<unknown>): Promise<[arrivals: number, payments: number]> {
  const before = [bank.arrivals(operation).length, bank.payments().length] as const;
  await work();
  return [bank.arrivals(operation).length - before[0], bank.payments().length - before[1]];
}

describe('a fault', () => {
  it('cuts the connection with nothing done with drop-before', async () => {
    bank.fault({ operation, kind: 'drop-before' });
    expect(await counted(() => expect(pay()).rejects.toThrow(/hang up|reset/i))).toEqual([1, 0]);
    expect((await pay()).status).toBe(201);
  });

  it('cuts the connection with the payment made with drop-after-commit', async () => {
    bank.fault({ operation, kind: 'drop-after-commit' });
    expect(await counted(() => expect(pay()).rejects.toThrow(/hang up|reset/i))).toEqual([1, 1]);
  });

  it.each([
    [500, 1],
    [503, 1],
    [400, 0],
    [429, 0],
  ])('answers with status %i without a body where it is raw, after %i payments', async (status, payments) => {
    bank.fault({ operation, kind: 'status', status, raw: true });
    const done = await counted(async () => {
      const answer = await pay();
      expect([answer.status, answer.text]).toEqual([status, '']);
      expect(answer.headers['x-request-id']).toBeUndefined();
    });
    expect(done).toEqual([1, payments]);
  });

  it.each([
    [400, 'FORMAT_ERROR'],
    [401, 'TOKEN_INVALID'],
    [403, 'SERVICE_BLOCKED'],
    [404, 'RESOURCE_UNKNOWN'],
    [500, 'INTERNAL_SERVER_ERROR'],
    [502, 'INTERNAL_SERVER_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
  ])(
    'answers lawfully with status %i: X-Request-ID and a tppMessage of the interface',
    async (status, code) => {
      const id = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
      bank.fault({ operation, kind: 'status', status, count: 2 });
      const answer = await call('POST', path, { body: payment(debtor), headers: { 'X-Request-ID': id } });
      expect([answer.status, answer.headers['x-request-id']]).toEqual([status, id]);
      expect(answer.json.tppMessages[0]).toMatchObject({ category: 'ERROR', text: expect.any(String) });
      expect(answer.json.tppMessages[0].code).toBe(code);
      bank.scenario({ errors: 'problem' });
      const problem = await call('POST', path, { body: payment(debtor), headers: { 'X-Request-ID': id } });
      bank.scenario({ errors: 'tpp-messages' });
      expect(problem.headers['content-type']).toBe('application/problem+json');
      expect(problem.json.code).toBe(code);
    },
  );

  it('states with status 429 when to try again, with a body where accounts are read', async () => {
    bank.fault({ operation: '*', kind: 'status', status: 429, count: 2 });
    const paid = await pay();
    expect([paid.text, paid.headers['retry-after']]).toEqual(['', '1']);
    expect(paid.headers['x-request-id']).toBeDefined();
    const read = await call('GET', '/v1/accounts', { headers: { 'Consent-ID': 'x' } });
    expect(read.json.tppMessages[0].code).toBe('ACCESS_EXCEEDED');
  });

  it('answers late, after the commit, with delay', async () => {
    bank.fault({ operation, kind: 'delay', delayMs: 60_000 });
    const late = pay();
    let answered = false;
    void late.then(
      () => (answered = true),
      () => undefined,
    );
    await expect.poll(() => bank.arrivals(operation).at(-1)?.status).toBe(201);
    expect(answered).toBe(false);
  });

  it('answers as a gateway does with html', async () => {
    bank.fault({ operation, kind: 'html' });
    const answer = await pay();
    expect([answer.status, answer.headers['content-type']]).toEqual([502, 'text/html; charset=utf-8']);
    bank.fault({ operation, kind: 'html', status: 201 });
    expect((await pay()).headers['location']).toContain(path);
  });

  it('sends half of what it announced with truncate', async () => {
    bank.fault({ operation, kind: 'truncate' });
    expect(await counted(() => expect(pay()).rejects.toThrow(/aborted/i))).toEqual([1, 1]);
  });

  it('sends everything byte by byte with drip', async () => {
    bank.fault({ operation: 'getPaymentInitiationStatus', kind: 'drip', delayMs: 1 });
    const { json } = await pay();
    const answer = await call('GET', `${path}/${String(json.paymentId)}/status`);
    expect(answer.json).toEqual({ transactionStatus: 'RCVD' });
  });

  it('writes control characters into texts with escape', async () => {
    bank.fault({ operation, kind: 'escape', count: 2 });
    const created = await pay();
    expect(created.json.psuMessage).toContain('\u001b[2J');
    bank.fault({ operation: 'getPaymentInformation', kind: 'escape' });
    const read = await call('GET', `${path}/${String(created.json.paymentId)}`);
    expect(read.json).toMatchObject({ creditorName: 'Shop', psuMessage: expect.stringContaining('\u001b') });
    const refused = await call('POST', path, { body: {} });
    expect(refused.json.tppMessages[0]).toMatchObject({
      code: 'FORMAT_ERROR',
      text: expect.stringContaining('\u001b'),
    });
  });

  it('leads to itself and does nothing with redirect', async () => {
    bank.fault({ operation, kind: 'redirect' });
    const done = await counted(async () => {
      const answer = await pay();
      expect([answer.status, answer.headers['location']]).toEqual([307, bank.baseUrl + path]);
    });
    expect(done).toEqual([1, 0]);
  });

  it('strikes as often as it is set, only its operation or all', async () => {
    await bank.bank.addFault({ operation, kind: 'status', status: 500, count: 2 });
    await bank.bank.addFault({ operation: '*', kind: 'status', status: 502, count: 1 });
    expect(await bank.bank.faults()).toHaveLength(2);
    expect((await call('GET', `${path}/x`)).status).toBe(502);
    expect([(await pay()).status, (await pay()).status, (await pay()).status]).toEqual([500, 500, 201]);
    expect(await bank.bank.faults()).toEqual([]);
  });
});
