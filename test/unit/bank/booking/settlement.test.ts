import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failOthers } from '../../../../src/bank/sca/authorisation-store.ts';
import { executionDays } from '../../../../src/bank/booking/calendar.ts';
import { accountsOf } from '../../../../src/bank/books/accounts.ts';
import { openLedger } from '../../../../src/bank/books/ledger.ts';
import type { Ledger } from '../../../../src/bank/books/ledger.ts';
import { lifeCycles, stagesOf } from '../../../../src/bank/books/life-cycle.ts';
import type { LifeCycle } from '../../../../src/bank/books/life-cycle.ts';
import {
  conclude,
  isUnauthorised,
  isWaiting,
  paymentParent,
} from '../../../../src/bank/sca/authorised-things.ts';
import { findPayment, historyOf, insertPayment } from '../../../../src/bank/stores/payment-store.ts';
import type { Payment } from '../../../../src/bank/stores/payment-store.ts';
import { formatMinor } from '../../../../src/standard/formats/money/amount.ts';
import { setScenario } from '../../../../src/bank/rules/scenario.ts';
import { accept, end } from '../../../../src/bank/booking/settlement.ts';
import { doDueWork } from '../../../../src/bank/sca/timers.ts';
import { isLegalMove } from '../../../helpers/legal-moves.ts';
import { creditor } from '../tpp.ts';
import { runs } from '../../../helpers/trials.ts';

const monday = Date.parse('2026-06-01T12:00:00Z');
const cycles = Object.keys(lifeCycles) as LifeCycle[];

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
  ])('are computed: %s', (_what, order, expected) => {
    expect(days(order)).toEqual(expected);
  });
});

it('a life cycle keeps its stages in order, and books at the requested day', () => {
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
  doDueWork(main, now);
  const found = findPayment(main, paymentId)!;
  const parent = paymentParent(main, found, 'payment');
  if (event === 'cancel' && (isUnauthorised(found) || isWaiting(found))) {
    end(main, found, 'CANC', now.toISOString());
    failOthers(main, { parentKind: 'payment', parentId: paymentId }, now);
  }
  if (!parent.takes) return;
  if (event === 'authorise') conclude(main, parent, { outcome: 'authorised', psuId: undefined, now });
  if (event === 'partly') conclude(main, parent, { outcome: 'partly', psuId: undefined, now });
  if (event === 'fail') conclude(main, parent, { outcome: 'failed', psuId: undefined, now });
}

const steps: Readonly<Record<string, number>> = { minute: 60_000, day: 86_400_000, month: 31 * 86_400_000 };

/** A payment that has just come in, made on the Monday. */
function newPayment(
  paymentId: string,
  content: Payment['content'],
  noFundsPreferred: boolean | undefined,
): Payment {
  return {
    ...{ paymentId, tpp: 't', requestId: 'r', framework: '1.3.2', service: 'payments' },
    ...{ product: 'sepa-credit-transfers', contentType: 'application/json', body: new Uint8Array(), content },
    ...{ status: 'RCVD', psuId: undefined, sessionPsuId: undefined, redirectUri: undefined },
    ...{ nokRedirectUri: undefined, redirectPreferred: undefined, decoupledPreferred: undefined },
    ...{ explicitPreferred: undefined, noFundsPreferred, stages: [], rejected: [], booked: 0 },
    ...{ cancelRequested: false, createdAt: new Date(monday).toISOString() },
    dueAt: new Date(monday + 86_400_000).toISOString(),
  };
}

describe('the money of the debtor', () => {
  const moneyOf = ({ main }: Ledger): bigint => {
    const [account] = accountsOf(main, 'redirect');
    return account!.balance + (account!.creditLimit ?? 0n);
  };

  /** The payment of these amounts, more or less than all that is there, as it stands after its execution. */
  function executed(amounts: (all: bigint) => readonly bigint[], content: Partial<Payment['content']> = {}) {
    const ledger = openLedger(':memory:', new Date(monday));
    const { main } = ledger;
    setScenario(main, { lifeCycle: 'at-once', bulk: 'whole' });
    const [account] = accountsOf(main, 'redirect');
    const all = moneyOf(ledger);
    const transfers = amounts(all).map((minor) => ({
      ...{ currency: 'EUR', amount: formatMinor(minor, 'EUR') },
      ...{ creditorName: 'Shop', creditorAccount: creditor },
    }));
    const id = randomUUID();
    const debtor = { iban: account!.iban! };
    insertPayment(main, newPayment(id, { debtor, transfers, ...content } as Payment['content'], undefined));
    accept(main, findPayment(main, id)!, new Date(monday));
    doDueWork(main, new Date(monday + 3 * 86_400_000));
    const { status, rejected, booked } = findPayment(main, id)!;
    const spent = all - moneyOf(ledger);
    ledger.close();
    return {
      status,
      rejected: rejected.map(({ part, reason }) => `${String(part)} ${reason}`),
      booked,
      ...{ spent, all },
    };
  }

  it.each<[string, (all: bigint) => readonly bigint[], string, string[], (all: bigint) => bigint]>([
    ['pays all that is there', (all) => [all], 'ACSC', [], (all) => all],
    ['is not enough for a cent more', (all) => [all + 1n], 'RJCT', ['0 AM04'], () => 0n],
    ['pays one of two', (all) => [all, all], 'PART', ['1 AM04'], (all) => all],
    ['pays what it still can', (all) => [all - 1n, 2n, 1n], 'PART', ['1 AM04'], (all) => all],
  ])('%s', (_, amounts, status, rejected, spent) => {
    const { all, ...result } = executed(amounts);
    expect(result).toEqual({ status, rejected, booked: status === 'RJCT' ? 0 : 1, spent: spent(all) });
  });

  it('pays one standing order with everything there is, and skips the next', () => {
    const standing = { startDate: '2026-06-02', endDate: '2026-06-03', frequency: 'Daily' };
    const { all, ...result } = executed((money) => [money], { standing });
    // The second execution has had its turn.
    expect(result).toMatchObject({ booked: 2, rejected: ['1 AM04'], spent: all });
  });
});

it('a payment never moves in a way that the guidelines do not have', async () => {
  const ledger = openLedger(':memory:', new Date(monday));
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
        const content = {
          debtor: { iban: account!.iban! },
          transfers: kind === 'bulk' ? [transfer, transfer, transfer] : [transfer],
          ...(kind === 'standing' && {
            standing: { startDate: '2026-06-03', endDate: '2026-07-30', frequency: 'Weekly' },
          }),
          ...(kind === 'future' && { executeAt: '2026-06-20T00:00:00.000Z' }),
        };
        insertPayment(
          ledger.main,
          newPayment(paymentId, content as unknown as Payment['content'], noFundsPreferred),
        );
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
    { numRuns: runs(300) },
  );
  expect(ledger.main.all('SELECT bookingId FROM entries GROUP BY bookingId HAVING sum(minor) <> 0')).toEqual(
    [],
  );
  ledger.close();
});
