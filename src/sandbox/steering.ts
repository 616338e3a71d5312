import { formatMinor } from '../formats/amount.ts';
import { ObkError } from '../errors.ts';
import type { BankFault } from '../ports.ts';
import { allArrivals } from './arrivals.ts';
import type { RunningBank } from './call.ts';
import { decide } from './decide.ts';
import { addFault, allFaults, clearFaults } from './faults.ts';
import { accountsOf, findAccount, resetLedger } from './ledger.ts';
import { allPayments, historyOf, settleDue } from './payment-store.ts';
import { allPeople } from './people.ts';
import { setScenario } from './scenario.ts';
import type { Scenario } from './scenario.ts';

/** What a person (or a test) does to the bank from outside, as data. */
export type Steering =
  | { do: 'decide'; decision: 'approve' | 'refuse'; id: string; psuId?: string }
  | { do: 'add-fault'; fault: BankFault }
  | { do: 'faults' }
  | { do: 'clear-faults' }
  | { do: 'reset' }
  | { do: 'people' }
  | { do: 'arrivals' }
  | { do: 'payments' }
  | { do: 'balance'; iban: string }
  | { do: 'scenario'; scenario: Partial<Scenario> };

/** The result of a steering, or why it was refused. */
export type Steered = { result: unknown } | { refused: string; detail?: string };

/** Whether a value from the wire is a steering; its members are judged where they are used. */
export function isSteering(value: unknown): value is Steering {
  return typeof value === 'object' && value !== null && typeof (value as { do?: unknown }).do === 'string';
}

/** Steers the bank through its books; works on a ledger that no server serves, too. */
export function steer(books: Pick<RunningBank, 'ledger' | 'clock'>, command: Steering): Steered {
  try {
    return { result: act(books, command) ?? null };
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    return { refused: error.title, ...(error.detail !== undefined && { detail: error.detail }) };
  }
}

function act(books: Pick<RunningBank, 'ledger' | 'clock'>, command: Steering): unknown {
  const { main, log } = books.ledger;
  switch (command.do) {
    case 'decide':
      return decide(books, command.decision, command.id, command.psuId);
    case 'add-fault':
      addFault(log, command.fault);
      return undefined;
    case 'faults':
      return allFaults(log);
    case 'clear-faults':
      clearFaults(log);
      return undefined;
    case 'reset':
      resetLedger(books.ledger, books.clock.now());
      return undefined;
    case 'people':
      settleDue(main, books.clock.now());
      return people(books);
    case 'arrivals':
      return allArrivals(log);
    case 'payments':
      settleDue(main, books.clock.now());
      return payments(books);
    case 'balance': {
      settleDue(main, books.clock.now());
      const account = findAccount(main, command.iban);
      return account && formatMinor(account.balance, account.currency);
    }
    case 'scenario':
      setScenario(main, command.scenario);
      return undefined;
  }
}

/** A PSU as the wire of the steering carries it: its secrets are test data. */
export interface SteeredPerson {
  psuId: string;
  description: string;
  approach: string;
  start: 'implicit' | 'explicit';
  methods: { id: string; type: string; name: string }[];
  accounts: { iban: string; currency: string; balance: string }[];
  password: string;
  otp: string;
}

function people({ ledger }: Pick<RunningBank, 'ledger'>): SteeredPerson[] {
  return allPeople(ledger.main).map((person) => ({
    psuId: person.psuId,
    description: person.description,
    approach: person.approaches[0],
    start: person.start,
    methods: [...person.methods],
    accounts: accountsOf(ledger.main, person.psuId).map(({ iban, currency, balance }) => ({
      iban,
      currency,
      balance: formatMinor(balance, currency),
    })),
    password: person.password,
    otp: person.otp,
  }));
}

/** A payment as the bank has it, for those who test a client. */
export interface SteeredPayment {
  paymentId: string;
  status: string;
  requestId: string;
  amount: string;
  currency: string;
  debtor: string;
  creditor: string;
  /** The exact body as it arrived, in UTF-8. */
  body: string;
  history: { status: string; at: string }[];
}

function payments({ ledger }: Pick<RunningBank, 'ledger'>): SteeredPayment[] {
  return allPayments(ledger.main).map(({ paymentId, status, requestId, fields, body }) => ({
    paymentId,
    status,
    requestId,
    amount: fields.instructedAmount.amount,
    currency: fields.instructedAmount.currency,
    debtor: fields.debtorAccount.iban,
    creditor: fields.creditorAccount.iban,
    body: Buffer.from(body).toString('utf8'),
    history: historyOf(ledger.main, paymentId).map(({ status: passed, at }) => ({ status: passed, at })),
  }));
}
