import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LifeCycle } from '../../../../src/bank/books/life-cycle.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { jsonOrder, xmlOrder } from '../orders.ts';
import { judgedTpp, payment, testJudge } from '../tpp.ts';
import type { TestAnswer } from '../tpp.ts';

const monday = Date.parse('2026-06-01T12:00:00Z');

describe('a payment at the bank', () => {
  const clock = { ms: monday, now: () => new Date(clock.ms) };
  let bank: TestBank;
  let call: ReturnType<typeof judgedTpp>;
  beforeAll(async () => {
    bank = await startBank({ clock });
    call = judgedTpp(bank);
  });
  beforeEach(() => {
    bank.clock('reset');
    bank.scenario({ lifeCycle: 'by-person', bulk: 'whole' });
    clock.ms += 60_001;
  });
  afterAll(() => bank.close());

  testJudge(() => bank);

  /** Creates and authorises, as somebody whom the password is enough. */
  async function pay(
    service: string,
    body: unknown,
    options: { psuId?: string; product?: string; headers?: Record<string, string> } = {},
  ): Promise<{ self: string; created: TestAnswer }> {
    const { psuId = 'embedded-none', product = 'sepa-credit-transfers' } = options;
    const created = await call('POST', `/v136/${service}/${product}`, {
      body,
      headers: { 'PSU-ID': psuId, ...options.headers },
    });
    expect(created.status, created.text).toBe(201);
    const person = bank.person(psuId);
    const { href } = created.json._links.startAuthorisationWithPsuAuthentication;
    const started = await call('POST', href, { body: { psuData: { password: person.password } } });
    const otp = started.json._links.authoriseTransaction?.href as string | undefined;
    if (otp !== undefined) await call('PUT', otp, { body: { scaAuthenticationData: person.otp } });
    return { self: created.json._links.self.href as string, created };
  }
  const statusOf = async (self: string) => (await call('GET', `${self}/status`)).json;
  const debtorOf = (psuId = 'embedded-none') => bank.person(psuId).accounts[0]!.iban;
  const historyAt = (self: string) =>
    bank
      .payments()
      .find(({ paymentId }) => self.endsWith(paymentId))!
      .history.map(({ status }) => status);
  const bookingsAt = (self: string) =>
    bank.payments().find(({ paymentId }) => self.endsWith(paymentId))!.bookings;

  it.each<[LifeCycle, string[], string, string[], boolean]>([
    ['at-once', ['RCVD', 'ACTC', 'ACSC'], '+2d', ['RCVD', 'ACTC', 'ACSC'], true],
    ['instant', ['RCVD', 'ACTC', 'ACSC', 'ACCC'], '+2d', ['RCVD', 'ACTC', 'ACSC', 'ACCC'], true],
    ['next-day', ['RCVD', 'ACTC'], '+12h', ['RCVD', 'ACTC', 'ACSC'], true],
    ['batch-actc', ['RCVD', 'ACTC'], '+12h', ['RCVD', 'ACTC'], true],
    ['batch-accp', ['RCVD', 'ACTC', 'ACCP'], '+12h', ['RCVD', 'ACTC', 'ACCP'], true],
    ['stepwise', ['RCVD', 'ACTC'], '+3s', ['RCVD', 'ACTC', 'PDNG', 'ACCP', 'ACFC'], false],
    ['stepwise', ['RCVD', 'ACTC'], '+5s', ['RCVD', 'ACTC', 'PDNG', 'ACCP', 'ACFC', 'ACSP', 'ACSC'], true],
    ['with-change', ['RCVD', 'ACWC'], '+12h', ['RCVD', 'ACWC', 'ACSC'], true],
    ['rejected-later', ['RCVD', 'ACTC'], '+12h', ['RCVD', 'ACTC', 'RJCT'], false],
  ])('goes with life cycle %s %j, and after %s %j', async (lifeCycle, first, move, then, booked) => {
    bank.scenario({ lifeCycle });
    const { self } = await pay('payments', payment(debtorOf(), '1.00'));
    expect((await statusOf(self)).transactionStatus).toBe(first.at(-1));
    expect(historyAt(self)).toEqual(first);
    bank.clock(move);
    expect((await statusOf(self)).transactionStatus).toBe(then.at(-1));
    expect([historyAt(self), bookingsAt(self)]).toEqual([then, booked ? 1 : 0]);
  });

  it('waits for its day where that is in the future', async () => {
    const before = bank.balance(debtorOf());
    const { self } = await pay('payments', { ...payment(debtorOf()), requestedExecutionDate: '2026-06-10' });
    bank.clock('+8d');
    expect((await statusOf(self)).transactionStatus).toBe('ACTC');
    expect(bank.balance(debtorOf())).toBe(before);
    bank.clock('+12h');
    expect((await statusOf(self)).transactionStatus).toBe('ACSC');
    expect(Number(before) - Number(bank.balance(debtorOf()))).toBeCloseTo(12.5);
  });

  it('waits in bulk for its time where that is in the future', async () => {
    const body = {
      ...jsonOrder('bulk-payments', 'sepa', debtorOf()),
      requestedExecutionTime: '2026-06-02T10:00:00+02:00',
    };
    const { self } = await pay('bulk-payments', body);
    bank.clock('+12h');
    expect((await statusOf(self)).transactionStatus).toBe('ACTC');
    bank.clock('+8h');
    expect((await statusOf(self)).transactionStatus).toBe('ACSC');
    expect(bookingsAt(self)).toBe(2);
  });

  it('is in bulk one entry in the books where that is preferred', async () => {
    const body = { ...jsonOrder('bulk-payments', 'sepa', debtorOf()), batchBookingPreferred: true };
    expect(bookingsAt((await pay('bulk-payments', body)).self)).toBe(1);
  });

  it('is in bulk PART where an entry is rejected, and shows which', async () => {
    bank.scenario({ bulk: 'partial' });
    const { self } = await pay('bulk-payments', jsonOrder('bulk-payments', 'sepa', debtorOf()));
    expect(await statusOf(self)).toEqual({
      transactionStatus: 'PART',
      psuMessage: 'Not executed: entry 2 (E2E-1): the account of the payee is closed.',
    });
    expect(bookingsAt(self)).toBe(1);
  });

  it('shows in pain.002 what was rejected of a bulk in pain.001', async () => {
    bank.scenario({ bulk: 'partial' });
    const { body, headers } = xmlOrder('bulk-payments', debtorOf());
    const { self } = await pay('bulk-payments', body, { product: 'pain.001-sepa-credit-transfers', headers });
    const { text } = await call('GET', `${self}/status`, { headers: { Accept: 'application/xml' } });
    for (const part of [
      '<GrpSts>PART</GrpSts>',
      '<OrgnlPmtInfId>BATCH-1</OrgnlPmtInfId>',
      '<OrgnlEndToEndId>E2E-2</OrgnlEndToEndId><TxSts>RJCT</TxSts>',
      '<Cd>AC04</Cd>',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('E2E-1');
  });

  it('books in bulk what the funds allow', async () => {
    const body = jsonOrder('bulk-payments', 'sepa', debtorOf('no-funds'), ['0.03', '0.03', '0.02']);
    const { self } = await pay('bulk-payments', body, { psuId: 'no-funds' });
    expect(await statusOf(self)).toMatchObject({
      transactionStatus: 'PART',
      psuMessage: 'Not executed: entry 2 (E2E-1): the funds do not suffice.',
    });
    expect(bank.balance(debtorOf('no-funds'))).toBe('0.00');
    const again = await pay('bulk-payments', body, { psuId: 'no-funds' });
    expect((await statusOf(again.self)).transactionStatus).toBe('RJCT');
  });

  it('shows missing funds while it waits, and is rejected on its day', async () => {
    const { self } = await pay('payments', payment(debtorOf('no-funds-later')), { psuId: 'no-funds-later' });
    expect(await statusOf(self)).toEqual({ transactionStatus: 'ACTC', fundsAvailable: false });
    // Both frameworks have fundsAvailable.
    expect(await statusOf(self.replace('/v136/', '/v1/'))).toEqual({
      transactionStatus: 'ACTC',
      fundsAvailable: false,
    });
    bank.clock('+1d');
    expect((await statusOf(self)).transactionStatus).toBe('RJCT');
  });

  it('is rejected at once for missing funds where the TPP prefers that', async () => {
    const { self } = await pay('payments', payment(debtorOf('no-funds-later')), {
      psuId: 'no-funds-later',
      headers: { 'TPP-Rejection-NoFunds-Preferred': 'true' },
    });
    expect((await statusOf(self)).transactionStatus).toBe('RJCT');
    expect(historyAt(self)).toEqual(['RCVD', 'RJCT']);
  });

  it('shows that the funds suffice', async () => {
    const { self } = await pay('payments', payment(debtorOf('next-day')), { psuId: 'next-day' });
    expect(await statusOf(self)).toEqual({ transactionStatus: 'ACTC', fundsAvailable: true });
  });

  it('costs euros in another currency', async () => {
    const before = bank.balance(debtorOf());
    const body = jsonOrder('payments', 'cross-border-credit-transfers', debtorOf());
    await pay('payments', body, { product: 'cross-border-credit-transfers' });
    expect((Number(before) - Number(bank.balance(debtorOf()))).toFixed(2)).toBe('11.25');
  });

  it('is executed over time, and ends, where it is a standing order', async () => {
    const before = bank.balance(debtorOf());
    const body = {
      ...payment(debtorOf(), '1.00'),
      startDate: '2026-06-02',
      endDate: '2026-06-16',
      frequency: 'Weekly',
    };
    const { self } = await pay('periodic-payments', body);
    const paid = () => (Number(before) - Number(bank.balance(debtorOf()))).toFixed(2);
    const seen = [];
    for (const move of ['+12h', '+6d', '+1d', '+7d']) {
      bank.clock(move);
      seen.push([(await statusOf(self)).transactionStatus, paid()]);
    }
    expect(seen).toEqual([
      ['ACTC', '1.00'],
      ['ACTC', '1.00'],
      ['ACTC', '2.00'],
      ['ACSC', '3.00'],
    ]);
    expect(historyAt(self)).toEqual(['RCVD', 'ACTC', 'ACSC']);
  });

  it('leaves out, as a standing order, what the funds do not allow, and goes on', async () => {
    const iban = debtorOf('next-day');
    const body = { ...payment(iban, '6000.00'), startDate: '2026-06-02', frequency: 'Daily' };
    const { self } = await pay('periodic-payments', body, { psuId: 'next-day' });
    bank.clock('+2d');
    expect(await statusOf(self)).toEqual({
      transactionStatus: 'ACTC',
      psuMessage: 'Left out: the funds do not suffice.',
    });
    expect(bookingsAt(self)).toBe(1);
  });

  it('is rejected after a day with its authorisations where nobody authorises it', async () => {
    const created = await call('POST', '/v136/payments/sepa-credit-transfers', {
      body: payment(debtorOf('embedded-one-implicit')),
      headers: { 'PSU-ID': 'embedded-one-implicit' },
    });
    const { status, scaStatus } = created.json._links;
    bank.clock('+23h');
    expect((await call('GET', scaStatus.href)).json.scaStatus).toBe('psuIdentified');
    expect((await call('GET', status.href)).json.transactionStatus).toBe('RCVD');
    bank.clock('+1h');
    expect((await call('GET', scaStatus.href)).json.scaStatus).toBe('failed');
    expect((await call('GET', status.href)).json.transactionStatus).toBe('RJCT');
  });
});
