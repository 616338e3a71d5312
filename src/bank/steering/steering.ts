import { ObkError } from '../../base/errors.ts';
import { formatMinor } from '../../standard/formats/money/amount.ts';
import type { BankClient } from '../door.ts';
import type { AccountReference } from '../../standard/xs2a/wire.ts';
import type { BankFault, BankScenario } from '../../settings/records/bank-state.ts';
import { allArrivals, requestsAfter } from '../rules/arrivals.ts';
import { bankClock, moveClock, movedMs } from '../books/clock.ts';
import type { Database } from '../books/database.ts';
import { decide, revoke } from './decide.ts';
import type { Books } from './decide.ts';
import { noteEvent } from '../rules/events.ts';
import { addFault, allFaults, clearFaults } from '../rules/faults.ts';
import { pushesAfter, queueAgain } from '../notifications/pushes.ts';
import { accountsOf, cardsOf, findAccount } from '../books/accounts.ts';
import { resetLedger } from '../books/ledger.ts';
import { allSnapshots, deleteSnapshot, restoreSnapshot, saveSnapshot } from '../books/snapshots.ts';
import { addClient, allClients } from '../oauth/oauth-clients.ts';
import { sumsOf } from '../books/order.ts';
import { encryptedForTests } from '../sca/password-encryption.ts';
import { allPayments, historyOf } from '../stores/payment-store.ts';
import { allPeople } from '../books/people.ts';
import type { Switch } from '../rules/policy.ts';
import { meanings, needUnpinned, scenarioOf, setScenario, switches } from '../rules/scenario.ts';
import type { Scenario } from '../rules/scenario.ts';
import type { SeedPart } from '../statements/seed.ts';
import { doDueWork } from '../sca/timers.ts';

/** One action of a person (or a test) on the bank from outside, as data. */
export type Steering =
  | { do: 'decide'; decision: 'approve' | 'refuse'; id: string; psuId?: string }
  | { do: 'revoke'; id: string; psuId?: string }
  | { do: 'add-fault'; fault: BankFault }
  | { do: 'faults' }
  | { do: 'clear-faults' }
  | { do: 'add-client'; client: BankClient }
  | { do: 'clients' }
  | { do: 'reset' }
  | { do: 'people' }
  | { do: 'arrivals' }
  | { do: 'log'; after: number }
  | { do: 'pushes'; after: number }
  | { do: 'resend'; of: string }
  | { do: 'payments' }
  | { do: 'balance'; iban: string }
  | { do: 'scenario'; scenario: Partial<Scenario> }
  | { do: 'scenarios' }
  | { do: 'snapshots' }
  | { do: 'save-snapshot'; name: string }
  | { do: 'restore-snapshot'; name: string }
  | { do: 'delete-snapshot'; name: string }
  | { do: 'clock'; move?: string };

/** Includes the actions whose code is loaded only when one is used. */
export type AnySteering = Steering | { do: 'seed'; seed: SeedPart } | { do: 'export' };

/** The result of a steering, or why it was refused. */
export type Steered = { result: unknown } | { refused: string; detail?: string; hint?: readonly string[] };

/** Steers the bank through its books; works on a ledger that no server serves, too. */
export function steer(books: Books, command: Steering): Steered {
  // A new ledger has a clock of its own, which nobody has moved.
  if (command.do === 'reset') {
    const { ledger } = books;
    ledger.main.atomically(() => {
      resetLedger(ledger, books.clock.now());
      noteEvent(ledger.main, 'reset', {});
    });
    return { result: null };
  }
  if (isOfSnapshots(command)) return refusing(() => keep(books, command));
  return inBankTime(books, (now) => act(now, command));
}

/** As `steer`, for whatever there is. */
export async function steerAny(books: Books, command: AnySteering): Promise<Steered> {
  if (command.do === 'export') {
    const { exportBank } = await import('../config/export.ts');
    return inBankTime(books, ({ ledger, clock }) => {
      doDueWork(ledger.main, clock.now());
      return exportBank(ledger, clock.now());
    });
  }
  if (command.do !== 'seed') return steer(books, command);
  const { seedTransactions } = await import('../statements/seed.ts');
  return inBankTime(books, ({ ledger, clock }) => seedTransactions(ledger.main, command.seed, clock.now()));
}

type OfSnapshots = Extract<Steering, { do: `${string}snapshot${string}` }>;

const isOfSnapshots = (command: Steering): command is OfSnapshots => /snapshots?$/.test(command.do);

/** Snapshots are told apart by the time of the world, since that of the bank goes back with them. */
function keep({ ledger, clock }: Books, command: OfSnapshots): unknown {
  switch (command.do) {
    case 'snapshots':
      return allSnapshots(ledger);
    case 'save-snapshot':
      return saveSnapshot(ledger, command.name, clock.now());
    case 'restore-snapshot': {
      const restored = restoreSnapshot(ledger, command.name);
      noteEvent(ledger.main, 'reset', { snapshot: restored.name });
      return restored;
    }
    case 'delete-snapshot':
      return deleteSnapshot(ledger, command.name);
  }
}

function inBankTime({ ledger, clock }: Books, work: (books: Books) => unknown): Steered {
  return refusing(() => work({ ledger, clock: bankClock(ledger.main, clock) }));
}

function refusing(work: () => unknown): Steered {
  try {
    return { result: work() ?? null };
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    const { title: refused, detail, hint } = error;
    return { refused, ...(detail !== undefined && { detail }), ...(hint.length > 0 && { hint }) };
  }
}

/** Acts in the bank's own time. */
function act(books: Books, command: Exclude<Steering, OfSnapshots | { do: 'reset' }>): unknown {
  const { main, log } = books.ledger;
  switch (command.do) {
    case 'decide':
      return decide(books, command.decision, command.id, command.psuId);
    case 'revoke':
      return revoke(books, command.id, command.psuId);
    case 'add-fault':
      addFault(log, command.fault);
      return undefined;
    case 'faults':
      return allFaults(log);
    case 'clear-faults':
      clearFaults(log);
      return undefined;
    case 'add-client':
      return addClient(main, command.client);
    case 'clients':
      return allClients(main);
    case 'people':
      doDueWork(main, books.clock.now());
      return people(books);
    case 'log':
      return requestsAfter(log, command.after);
    case 'pushes':
      return pushesAfter(log, command.after);
    case 'resend':
      return resend(books, command.of);
    case 'arrivals':
      return allArrivals(log);
    case 'payments':
      doDueWork(main, books.clock.now());
      return payments(books);
    case 'balance': {
      doDueWork(main, books.clock.now());
      const account = findAccount(main, command.iban);
      return account && formatMinor(account.balance, account.currency);
    }
    case 'scenario':
      needUnpinned(main, command.scenario);
      setScenario(main, command.scenario);
      return undefined;
    case 'scenarios':
      return scenarios(books);
    case 'clock':
      move(main, command.move, books.clock.now());
      doDueWork(main, books.clock.now());
      return { now: books.clock.now().toISOString(), movedMs: movedMs(main) };
  }
}

/** Why there is none to push again. */
export const noPush = 'It is unknown, the bank declined the wish for it, or a reset forgot it.';

/** Has a notification pushed again: that of a number, or the last one of a resource. Throws USAGE. */
function resend({ ledger }: Books, of: string): { resent: number } {
  const resent = queueAgain(ledger, of);
  if (resent !== undefined) return { resent };
  throw new ObkError({
    code: 'USAGE',
    title: `The bank inside has pushed no notification ${of}.`,
    detail: noPush,
    hint: ['obk sandbox log --notifications   # the numbers, and why a wish was declined'],
  });
}

function move(main: Database, by: string | undefined, now: Date): void {
  if (by === undefined) return;
  main.atomically(() => {
    moveClock(main, by, now);
  });
}

/** A PSU as the wire of the steering carries it: its secrets are test data. */
export interface SteeredPerson {
  psuId: string;
  description: string;
  approach: string;
  start: 'implicit' | 'explicit';
  /** The company that the PSU acts for: PSU-Corporate-ID. */
  corporateId?: string;
  methods: { id: string; type: string; name: string }[];
  /** An account without an IBAN has an empty one, and another number. */
  accounts: { iban: string; bban?: string; msisdn?: string; currency: string; balance: string }[];
  cards: { pan: string; maskedPan: string; currency: string; balance: string }[];
  password: string;
  otp: string;
  additionalPassword?: string;
  /** The access is locked after too many wrong secrets. */
  locked?: true;
  /** Ready for use where the bank takes passwords encrypted. */
  encryptedPassword?: string;
  additionalEncryptedPassword?: string;
}

function people({ ledger }: Books): SteeredPerson[] {
  return allPeople(ledger.main).map((person) => ({
    psuId: person.psuId,
    description: person.description,
    approach: person.approaches[0],
    start: person.start,
    ...(person.corporateId !== undefined && { corporateId: person.corporateId }),
    methods: person.methods.map(({ id, type, name }) => ({ id, type, name })),
    accounts: accountsOf(ledger.main, person.psuId).map(({ iban, bban, msisdn, currency, balance }) => ({
      iban: iban ?? '',
      ...(bban !== null && { bban }),
      ...(msisdn !== null && { msisdn }),
      currency,
      balance: formatMinor(balance, currency),
    })),
    cards: cardsOf(ledger.main, person.psuId).map(({ pan, maskedPan, currency, balance }) => ({
      pan: pan ?? maskedPan ?? '',
      maskedPan: maskedPan ?? '',
      currency,
      balance: formatMinor(balance, currency),
    })),
    password: person.password,
    otp: person.otp,
    ...(person.additionalPassword !== undefined && { additionalPassword: person.additionalPassword }),
    ...(person.locked && { locked: true as const }),
    ...(person.encrypted === true && {
      encryptedPassword: encryptedForTests(ledger, person.password),
      ...(person.additionalPassword !== undefined && {
        additionalEncryptedPassword: encryptedForTests(ledger, person.additionalPassword),
      }),
    }),
  }));
}

function scenarios({ ledger }: Books): BankScenario[] {
  const current = scenarioOf(ledger.main);
  return Object.entries<Switch>(switches).map(([name, one]) => {
    const { about, open } = one;
    const value = current[name as keyof Scenario];
    return {
      name,
      about,
      value,
      values: Object.entries(meanings(one, value)).map(([each, meaning]) => ({ value: each, meaning })),
      ...(open && { open: { form: open.form, takes: open.takes } }),
    };
  });
}

/** A payment as the bank has it, for those who test a client. */
export interface SteeredPayment {
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

function payments({ ledger: { main } }: Books): SteeredPayment[] {
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
