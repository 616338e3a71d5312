import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doorsFromFlags } from '../../src/settings/doors/read-doors.ts';
import type { DoorKey } from '../../src/settings/doors/table.ts';
import { createBank } from './steered-bank.ts';
import type { HandledBank } from './steered-bank.ts';
import { giveKeys } from './bank-keys.ts';
import { openLedger } from '../../src/bank/books/ledger.ts';
import { formatMinor } from '../../src/standard/formats/money/amount.ts';
import { findAccount } from '../../src/bank/books/accounts.ts';
import { bankClock, moveClock } from '../../src/bank/books/clock.ts';
import { sumsOf } from '../../src/bank/books/order.ts';
import { shownPeople } from '../../src/bank/steering/shown-people.ts';
import { allArrivals } from '../../src/bank/rules/arrivals.ts';
import type { Arrival } from '../../src/bank/rules/arrivals.ts';
import { addFault, clearFaults } from '../../src/bank/rules/faults.ts';
import { needUnpinned, setScenario } from '../../src/bank/rules/scenario.ts';
import type { Scenario } from '../../src/bank/rules/scenario.ts';
import { doDueWork } from '../../src/bank/sca/timers.ts';
import { decide } from '../../src/bank/steering/decide.ts';
import type { Books } from '../../src/bank/steering/decide.ts';
import { allPayments, historyOf } from '../../src/bank/stores/payment-store.ts';
import type { AccountReference } from '../../src/standard/xs2a/wire.ts';
import type { BankOptions, BankPerson, ServedBank } from '../../src/bank/door.ts';
import type { BankFault } from '../../src/settings/records/bank-state.ts';

/** A bank of a test's own: a temporary folder, the port 0, its secrets in the open. */
export interface TestBank extends ServedBank {
  /** What OBK_STATE_DIR must be for a process that shall use this bank. */
  stateDir: string;
  bank: HandledBank;
  people: readonly BankPerson[];
  person(psuId: string): BankPerson;
  /** Every request that reached an operation, oldest first; with an operation, those of it. */
  arrivals(operation?: string): readonly Arrival[];
  payments(): readonly KeptPayment[];
  balance(iban: string): string;
  fault(fault: Omit<BankFault, 'count'> & { count?: number }): void;
  clearFaults(): void;
  decide(
    decision: 'approve' | 'refuse',
    id: string,
    psuId?: string,
  ): { authorisationId: string; scaStatus: string; redirectedTo?: string };
  scenario(scenario: Partial<Scenario>): void;
  /** Moves the bank's clock (`+1d`), or tells it. */
  clock(move?: string): string;
  close(): Promise<void>;
}

/** Starts a bank in this process, on real sockets, with a ledger in a temporary folder (or in `stateDir`). */
export async function startBank(
  options: Omit<Partial<BankOptions>, 'doors'> & {
    stateDir?: string;
    clock?: { now(): Date };
    doors?: Partial<Record<DoorKey, unknown>>;
    /** The bank makes keys of its own; those of all others are the same. */
    ownKeys?: true;
  } = {},
): Promise<TestBank> {
  const { clock = { now: () => new Date() }, stateDir = mkdtempSync(join(tmpdir(), 'obk-bank-')) } = options;
  if (options.stateDir === undefined && options.ownKeys === undefined) await giveKeys(stateDir, clock.now());
  const bank = createBank({ stateDir, clock });
  const stop = new AbortController();
  let served: Promise<void> = Promise.resolve();
  const address = await new Promise<ServedBank>((resolve, reject) => {
    served = bank.serve(
      { without: [], ...options, doors: [doorsFromFlags({ port: 0, ...options.doors })] },
      resolve,
      stop.signal,
    );
    served.catch(reject);
  });
  const ledger = openLedger(options.database ?? join(stateDir, 'sandbox', 'ledger.db'), clock.now());
  const { main, log } = ledger;
  const books = { ledger, clock: bankClock(main, clock) };
  const duly = () => {
    doDueWork(main, books.clock.now());
  };
  duly();
  const people = shownPeople(ledger);
  return {
    ...address,
    stateDir,
    bank,
    people,
    person(psuId) {
      const found = people.find((person) => person.psuId === psuId);
      if (found === undefined) throw new Error(`no PSU ${psuId}`);
      return found;
    },
    arrivals: (operation) =>
      allArrivals(log).filter((one) => operation === undefined || one.operation === operation),
    payments() {
      duly();
      return payments(books);
    },
    balance(iban) {
      duly();
      const account = findAccount(main, iban);
      return (account && formatMinor(account.balance, account.currency)) as string;
    },
    fault(fault) {
      addFault(log, { count: 1, ...fault });
    },
    clearFaults() {
      clearFaults(log);
    },
    decide: (decision, id, psuId) =>
      decide(books, decision, id, psuId) as {
        authorisationId: string;
        scaStatus: string;
        redirectedTo?: string;
      },
    scenario(scenario) {
      needUnpinned(main, scenario);
      setScenario(main, scenario);
    },
    clock(move) {
      if (move !== undefined)
        main.atomically(() => {
          moveClock(main, move, books.clock.now());
        });
      duly();
      return books.clock.now().toISOString();
    },
    async close() {
      stop.abort();
      await served;
      ledger.close();
      await bank.close();
      if (options.stateDir === undefined) rmSync(stateDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** A payment as the bank has it, for those who test a client. */
export interface KeptPayment {
  paymentId: string;
  service: string;
  product: string;
  status: string;
  requestId: string;
  /** The sum of all transfers in the currency of the first one. */
  amount: string;
  currency: string;
  debtor: string;
  /** The account of the first payee. */
  creditor: string;
  transfers: number;
  /** Entries in the books: one for each transfer, or for each execution of a standing order. */
  bookings: number;
  /** The exact body as it arrived, in UTF-8. */
  body: string;
  history: { status: string; at: string }[];
}

const debtorNumber = ({ iban, bban, msisdn, maskedPan, pan }: AccountReference): string =>
  iban ?? bban ?? msisdn ?? maskedPan ?? pan ?? '';

function payments({ ledger: { main } }: Books): KeptPayment[] {
  return allPayments(main).map(({ paymentId, service, product, status, requestId, content, body }) => {
    const [first] = content.transfers;
    const counted = main.one<{ count: bigint }>(
      'SELECT count(*) AS count FROM bookings WHERE paymentId = ?',
      paymentId,
    );
    return {
      paymentId,
      service,
      product,
      status,
      requestId,
      amount: content.transfers.length === 1 ? first.amount : (sumsOf(content)[0]?.amount ?? ''),
      currency: first.currency,
      debtor: debtorNumber(content.debtor),
      creditor: first.creditorAccount,
      transfers: content.transfers.length,
      bookings: Number(counted?.count ?? 0n),
      body: Buffer.from(body).toString('utf8'),
      history: historyOf(main, paymentId).map(({ status: passed, at }) => ({ status: passed, at })),
    };
  });
}
