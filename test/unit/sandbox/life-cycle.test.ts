import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failOthers } from '../../../src/sandbox/authorisation-store.ts';
import { executionDays } from '../../../src/sandbox/calendar.ts';
import { openLedger } from '../../../src/sandbox/ledger.ts';
import type { Ledger } from '../../../src/sandbox/ledger.ts';
import { lifeCycles, stagesOf } from '../../../src/sandbox/life-cycle.ts';
import type { LifeCycle } from '../../../src/sandbox/life-cycle.ts';
import { conclude, isUnauthorised, isWaiting, paymentParent } from '../../../src/sandbox/parents.ts';
import { findPayment, historyOf, insertPayment } from '../../../src/sandbox/payment-store.ts';
import { accountsOf } from '../../../src/sandbox/ledger.ts';
import { setScenario } from '../../../src/sandbox/scenario.ts';
import { end } from '../../../src/sandbox/settlement.ts';
import { settle } from '../../../src/sandbox/timers.ts';
import { isLegalMove } from '../../../src/xs2a/codes.ts';
import { startBank } from '../../helpers/bank.ts';
import type { TestBank } from '../../helpers/bank.ts';
import { jsonOrder, xmlOrder } from './orders.ts';
import { creditor, judgedTpp, payment } from './tpp.ts';
import type { TestAnswer } from './tpp.ts';

const monday = Date.parse('2026-06-01T12:00:00Z');
const cycles = Object.keys(lifeCycles) as LifeCycle[];

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
  ])('with life cycle %s goes %j, and after %s %j', async (lifeCycle, first, move, then, booked) => {
    bank.scenario({ lifeCycle });
    const { self } = await pay('payments', payment(debtorOf(), '1.00'));
    expect((await statusOf(self)).transactionStatus).toBe(first.at(-1));
    expect(historyAt(self)).toEqual(first);
    bank.clock(move);
    expect((await statusOf(self)).transactionStatus).toBe(then.at(-1));
    expect([historyAt(self), bookingsAt(self)]).toEqual([then, booked ? 1 : 0]);
  });

  it('for a future day waits for it', async () => {
    const before = bank.balance(debtorOf());
    const { self } = await pay('payments', { ...payment(debtorOf()), requestedExecutionDate: '2026-06-10' });
    bank.clock('+8d');
    expect((await statusOf(self)).transactionStatus).toBe('ACTC');
    expect(bank.balance(debtorOf())).toBe(before);
    bank.clock('+12h');
    expect((await statusOf(self)).transactionStatus).toBe('ACSC');
    expect(Number(before) - Number(bank.balance(debtorOf()))).toBeCloseTo(12.5);
  });

  it('for a future time in bulk waits for it', async () => {
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

  it('in bulk is one entry in the books where that is preferred', async () => {
    const body = { ...jsonOrder('bulk-payments', 'sepa', debtorOf()), batchBookingPreferred: true };
    expect(bookingsAt((await pay('bulk-payments', body)).self)).toBe(1);
  });

  it('in bulk is PART where an entry is rejected, and says which', async () => {
    bank.scenario({ bulk: 'partial' });
    const { self } = await pay('bulk-payments', jsonOrder('bulk-payments', 'sepa', debtorOf()));
    expect(await statusOf(self)).toEqual({
      transactionStatus: 'PART',
      psuMessage: 'Not executed: entry 2 (E2E-1): the account of the payee is closed.',
    });
    expect(bookingsAt(self)).toBe(1);
  });

  it('in bulk as pain.001 tells what was rejected in pain.002', async () => {
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

  it('in bulk books what the funds allow', async () => {
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

  it('without funds says so while it waits, and is rejected on its day', async () => {
    const { self } = await pay('payments', payment(debtorOf('no-funds-later')), { psuId: 'no-funds-later' });
    expect(await statusOf(self)).toEqual({ transactionStatus: 'ACTC', fundsAvailable: false });
    // The contract of v1 has no fundsAvailable.
    expect(await statusOf(self.replace('/v136/', '/v1/'))).toEqual({ transactionStatus: 'ACTC' });
    bank.clock('+1d');
    expect((await statusOf(self)).transactionStatus).toBe('RJCT');
  });

  it('without funds is rejected at once where the TPP prefers that', async () => {
    const { self } = await pay('payments', payment(debtorOf('no-funds-later')), {
      psuId: 'no-funds-later',
      headers: { 'TPP-Rejection-NoFunds-Preferred': 'true' },
    });
    expect((await statusOf(self)).transactionStatus).toBe('RJCT');
    expect(historyAt(self)).toEqual(['RCVD', 'RJCT']);
  });

  it('tells that the funds suffice', async () => {
    const { self } = await pay('payments', payment(debtorOf('next-day')), { psuId: 'next-day' });
    expect(await statusOf(self)).toEqual({ transactionStatus: 'ACTC', fundsAvailable: true });
  });

  it('in another currency costs euros', async () => {
    const before = bank.balance(debtorOf());
    const body = jsonOrder('payments', 'cross-border-credit-transfers', debtorOf());
    await pay('payments', body, { product: 'cross-border-credit-transfers' });
    expect((Number(before) - Number(bank.balance(debtorOf()))).toFixed(2)).toBe('11.25');
  });

  it('that stands is executed over time, and ends', async () => {
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

  it('that stands leaves out what the funds do not allow, and goes on', async () => {
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

  it('that nobody authorises is rejected after a day, with its authorisations', async () => {
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

describe('the days of a standing order', () => {
  const days = (order: Parameters<typeof executionDays>[0], count = 4) => {
    const found: string[] = [];
    for (const day of executionDays(order)) if (found.push(day) === count) break;
    return found;
  };

  it.each<[string, Parameters<typeof executionDays>[0], string[]]>([
    [
      'every day',
      { startDate: '2026-02-27', frequency: 'Daily' },
      ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'],
    ],
    [
      'every week',
      { startDate: '2026-12-28', frequency: 'Weekly' },
      ['2026-12-28', '2027-01-04', '2027-01-11', '2027-01-18'],
    ],
    [
      'ultimo',
      { startDate: '2026-01-15', frequency: 'Monthly', dayOfExecution: '31' },
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'],
    ],
    [
      'the first, after the start',
      { startDate: '2026-01-15', frequency: 'Monthly', dayOfExecution: '01' },
      ['2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01'],
    ],
    [
      'each quarter',
      { startDate: '2026-11-30', frequency: 'Quarterly' },
      ['2026-11-30', '2027-02-28', '2027-05-30', '2027-08-30'],
    ],
    [
      'each year',
      { startDate: '2028-02-29', frequency: 'Annual' },
      ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28'],
    ],
    [
      'in some months',
      { startDate: '2026-06-05', frequency: 'MonthlyVariable', monthsOfExecution: ['1', '7'] },
      ['2026-07-05', '2027-01-05', '2027-07-05', '2028-01-05'],
    ],
    [
      'to its end',
      { startDate: '2026-06-01', endDate: '2026-06-10', frequency: 'Weekly' },
      ['2026-06-01', '2026-06-08'],
    ],
    [
      'never',
      { startDate: '2026-06-02', endDate: '2026-06-10', frequency: 'Monthly', dayOfExecution: '1' },
      [],
    ],
    [
      'on the banking day after',
      { startDate: '2026-06-06', frequency: 'EveryTwoWeeks', executionRule: 'following' },
      ['2026-06-08', '2026-06-22', '2026-07-06', '2026-07-20'],
    ],
    [
      'on the banking day before',
      { startDate: '2026-06-07', frequency: 'SemiAnnual', executionRule: 'preceding' },
      ['2026-06-05', '2026-12-07', '2027-06-07', '2027-12-07'],
    ],
  ])('%s', (_what, order, expected) => {
    expect(days(order)).toEqual(expected);
  });
});

it('keeps the stages of every life cycle in order, and books at the day that is asked for', () => {
  const now = new Date(monday);
  for (const cycle of cycles) {
    for (const at of [undefined, '2026-06-10T00:00:00.000Z', '2020-01-01T00:00:00.000Z']) {
      const stages = stagesOf(cycle, now, at);
      expect(stages.map((stage) => stage.at)).toEqual(stages.map((stage) => stage.at).toSorted());
      expect(stages[0]?.at).toBe(now.toISOString());
      if (at?.startsWith('2026') === true) expect(stages.find(({ book }) => book)?.at ?? at).toBe(at);
    }
  }
});

type Event = 'authorise' | 'partly' | 'fail' | 'cancel' | 'minute' | 'day' | 'month';

/** What may happen to a payment, where the bank lets it happen. */
function happen(ledger: Ledger, paymentId: string, event: Event, now: Date): void {
  const { main } = ledger;
  settle(main, now);
  const found = findPayment(main, paymentId)!;
  const parent = paymentParent(main, found, 'payment');
  if (event === 'cancel' && (isUnauthorised(found) || isWaiting(found))) {
    end(main, found, 'CANC', now.toISOString());
    failOthers(main, { parentKind: 'payment', parentId: paymentId }, now);
  }
  if (!parent.takes) return;
  if (event === 'authorise') conclude(main, parent, 'authorised', undefined, now);
  if (event === 'partly') conclude(main, parent, 'partly', undefined, now);
  if (event === 'fail') conclude(main, parent, 'failed', undefined, now);
}

const steps: Readonly<Record<string, number>> = { minute: 60_000, day: 86_400_000, month: 31 * 86_400_000 };

it('never moves a payment in a way that the guidelines do not have', async () => {
  const ledger = await openLedger(':memory:', new Date(monday));
  const [account] = accountsOf(ledger.main, 'redirect');
  const transfer = { currency: 'EUR', amount: '4000.00', creditorName: 'Shop', creditorAccount: creditor };
  const event = fc.constantFrom<Event>('authorise', 'partly', 'fail', 'cancel', 'minute', 'day', 'month');
  fc.assert(
    fc.property(
      fc.constantFrom(...cycles),
      fc.constantFrom('single', 'bulk', 'standing', 'future'),
      fc.boolean(),
      fc.array(event, { maxLength: 12 }),
      (lifeCycle, kind, noFundsPreferred, events) => {
        setScenario(ledger.main, { lifeCycle, bulk: noFundsPreferred ? 'partial' : 'whole' });
        const paymentId = randomUUID();
        let ms = monday;
        insertPayment(ledger.main, {
          paymentId,
          tpp: 't',
          requestId: 'r',
          framework: '1.3.2',
          service: 'payments',
          product: 'sepa-credit-transfers',
          contentType: 'application/json',
          body: new Uint8Array(),
          content: {
            debtorIban: account!.iban,
            transfers: kind === 'bulk' ? [transfer, transfer, transfer] : [transfer],
            ...(kind === 'standing' && {
              standing: { startDate: '2026-06-03', endDate: '2026-07-30', frequency: 'Weekly' },
            }),
            ...(kind === 'future' && { executeAt: '2026-06-20T00:00:00.000Z' }),
          },
          status: 'RCVD',
          psuId: undefined,
          redirectUri: undefined,
          nokRedirectUri: undefined,
          redirectPreferred: undefined,
          explicitPreferred: undefined,
          noFundsPreferred,
          stages: [],
          rejected: [],
          booked: 0,
          cancelRequested: false,
          createdAt: new Date(ms).toISOString(),
          dueAt: new Date(ms + 86_400_000).toISOString(),
        });
        for (const next of events) {
          ms += steps[next] ?? 0;
          happen(ledger, paymentId, next, new Date(ms));
        }
        const passed = historyOf(ledger.main, paymentId).map(({ status }) => status);
        for (const [index, status] of passed.entries())
          expect(
            index === 0 ? status === 'RCVD' : isLegalMove(passed[index - 1]!, status),
            passed.join(' '),
          ).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
  expect(ledger.main.all('SELECT bookingId FROM entries GROUP BY bookingId HAVING sum(minor) <> 0')).toEqual(
    [],
  );
  ledger.close();
});
