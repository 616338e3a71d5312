import { defined } from '../../base/defined.ts';
import { executionDays } from './calendar.ts';
import type { Database } from '../books/database.ts';
import { formatMinor } from '../../standard/formats/money/amount.ts';
import type { EntryDetails } from '../../standard/xs2a/wire-accounts.ts';
import { accountsNumbered, debtorAccount, factsOf, numberOf } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import { book, clearingIban } from '../books/double-entry.ts';
import type { Booking, Entry } from '../books/double-entry.ts';
import { stagesOf } from '../books/life-cycle.ts';
import type { LifeCycle, Stage } from '../books/life-cycle.ts';
import { debitOf, exchange, totalDebit } from '../books/order.ts';
import type { Transfer } from '../books/order.ts';
import { setStatus, updatePayment } from '../stores/payment-store.ts';
import type { Payment, Rejected } from '../stores/payment-store.ts';
import { findPerson } from '../books/people.ts';
import { scenarioOf } from '../rules/scenario.ts';

/** ISO 20022 reasons: insufficient funds, closed account. */
const noFunds = 'AM04';
const closedAccount = 'AC04';

/** Accepts an authorised payment: begins its life cycle and executes the steps that are due. */
export function accept(database: Database, payment: Payment, now: Date): void {
  if (payment.noFundsPreferred === true && !hasFunds(database, payment)) {
    end(database, payment, 'RJCT', now.toISOString());
    return;
  }
  const cycle = cycleOf(database, payment);
  updatePayment(database, payment, { stages: firstStages(payment, cycle, now) });
  proceed(database, payment, now);
}

function cycleOf(database: Database, payment: Payment): LifeCycle {
  const { lifeCycle } = scenarioOf(database);
  if (lifeCycle !== 'by-person') return lifeCycle;
  const owner = debtorAccount(database, payment.content.debtor)?.psuId ?? '';
  const booking = findPerson(database, owner)?.booking ?? 'at-once';
  return booking === 'at-once' && payment.product.includes('instant') ? 'instant' : booking;
}

function firstStages({ content }: Payment, cycle: LifeCycle, now: Date): Stage[] {
  const [day] = content.standing === undefined ? [] : executionDays(content.standing);
  if (content.standing === undefined) return stagesOf(cycle, now, content.executeAt);
  const accepted = stagesOf(cycle, now, `${content.standing.startDate}T23:59:59.999Z`).filter(
    ({ at, book: booking }) => at === now.toISOString() && booking !== true,
  );
  if (day === undefined) return [...accepted, { at: now.toISOString(), status: 'RJCT' }];
  return [...accepted, { at: later(`${day}T00:00:00.000Z`, now), book: true }];
}

const later = (at: string, now: Date) => (at > now.toISOString() ? at : now.toISOString());

/** Executes the steps of a payment that are due. */
export function proceed(database: Database, payment: Payment, now: Date): void {
  for (;;) {
    const [stage, ...rest] = payment.stages;
    if (stage === undefined || stage.at > now.toISOString()) {
      updatePayment(database, payment, { dueAt: stage?.at });
      return;
    }
    updatePayment(database, payment, { stages: rest });
    if (stage.book !== true) {
      if (stage.status !== undefined) move(database, payment, stage.status, stage.at);
    } else if (payment.content.standing !== undefined) {
      runStandingOrder(database, payment, stage.at);
    } else {
      execute(database, payment, stage);
    }
  }
}

function move(database: Database, payment: Payment, status: NonNullable<Stage['status']>, at: string): void {
  if (status === 'RJCT') end(database, payment, status, at);
  else setStatus(database, payment, status, at);
}

/** Ends a payment and its timers. */
export function end(
  database: Database,
  payment: Payment,
  status: 'RJCT' | 'CANC' | 'PART',
  at: string,
): void {
  setStatus(database, payment, status, at);
  updatePayment(database, payment, { stages: [], dueAt: undefined });
}

/** A payment that is booked now, from the account that pays. */
interface Execution {
  database: Database;
  payment: Payment;
  debtor: Account;
  /** ISO 8601, UTC. */
  at: string;
}

function executionOf(database: Database, payment: Payment, at: string): Execution {
  return { database, payment, debtor: debtorOf(database, payment), at };
}

/** Books all transfers; RJCT where none can be booked, PART where some cannot. */
function execute(database: Database, payment: Payment, { at, status }: Stage): void {
  const { transfers, batch } = payment.content;
  const closed = scenarioOf(database).bulk === 'partial' && transfers.length > 1 ? transfers.length - 1 : -1;
  const rejected: Rejected[] = [];
  const good: { transfer: Transfer; part: number }[] = [];
  const execution = executionOf(database, payment, at);
  const { debtor } = execution;
  let left = spendable(debtor);
  for (const [part, transfer] of transfers.entries()) {
    const minor = debitOf(transfer, debtor.currency);
    if (part === closed || isClosed(debtor)) rejected.push({ part, reason: closedAccount });
    else if (minor > left) rejected.push({ part, reason: noFunds });
    else {
      left -= minor;
      good.push({ transfer, part });
    }
  }
  if (batch === true) bookTogether(execution, good);
  else for (const { transfer, part } of good) bookOne(execution, transfer, part);
  updatePayment(database, payment, { rejected, booked: good.length === 0 ? 0 : 1 });
  if (good.length === 0) end(database, payment, 'RJCT', at);
  else if (rejected.length > 0) end(database, payment, 'PART', at);
  else if (status !== undefined) setStatus(database, payment, status, at);
}

/** One execution of a standing order; it is skipped without funds. */
function runStandingOrder(database: Database, payment: Payment, at: string): void {
  const { content, booked, rejected } = payment;
  const [transfer] = content.transfers;
  const execution = executionOf(database, payment, at);
  const { debtor } = execution;
  if (debitOf(transfer, debtor.currency) <= spendable(debtor)) bookOne(execution, transfer, booked);
  else updatePayment(database, payment, { rejected: [...rejected, { part: booked, reason: noFunds }] });
  updatePayment(database, payment, { booked: booked + 1 });
  const next = content.standing && nth(executionDays(content.standing), booked + 1);
  if (next === undefined) setStatus(database, payment, 'ACSC', at);
  else updatePayment(database, payment, { stages: [{ at: `${next}T00:00:00.000Z`, book: true }] });
}

function nth<T>(items: Iterable<T>, index: number): T | undefined {
  let at = 0;
  for (const item of items) if (at++ === index) return item;
  return undefined;
}

function bookOne(execution: Execution, transfer: Transfer, part: number): void {
  const { database, payment, debtor } = execution;
  const { creditorName, creditorAccount, endToEndId, remittance, reference, currency, amount } = transfer;
  const minor = debitOf(transfer, debtor.currency);
  const told = {
    ...front(execution),
    creditorName,
    creditorIban: creditorAccount,
    ...defined({ endToEndId, remittance }),
    ...(reference !== undefined && { details: { remittanceInformationStructured: reference } }),
    ...(currency !== debtor.currency && { instructed: `${amount} ${currency}` }),
  };
  const { entry, further } = creditOf(database, creditorAccount, minor, debtor.currency);
  book(database, { ...told, paymentId: payment.paymentId, part }, [
    { accountId: debtor.accountId, minor: -minor },
    entry,
  ]);
  further?.(told);
}

/**
 * The credit of a transfer: to an account of this bank, or out of it. An account that is kept here in another currency alone
 * gets it by a booking of its own.
 */
function creditOf(
  database: Database,
  number: string,
  minor: bigint,
  currency: string,
): { entry: Entry; further?: (told: Booking) => void } {
  const kept = accountsNumbered(database, number);
  const same = kept.find((account) => account.currency === currency);
  if (same !== undefined) return { entry: { accountId: same.accountId, minor } };
  const out: Entry = { iban: clearingIban, minor };
  const [other] = kept;
  if (other === undefined) return { entry: out };
  const exchanged = exchange(minor, currency, other.currency);
  return {
    entry: out,
    further(told) {
      book(
        database,
        { ...told, currency: other.currency, instructed: `${formatMinor(minor, currency)} ${currency}` },
        [
          { iban: clearingIban, minor: -exchanged },
          { accountId: other.accountId, minor: exchanged },
        ],
      );
    },
  };
}

function bookTogether(execution: Execution, parts: readonly { transfer: Transfer }[]): void {
  if (parts.length === 0) return;
  const { database, payment, debtor } = execution;
  const remittance = `Bulk of ${String(parts.length)} payments`;
  const told = { ...front(execution), remittance };
  const details = {
    batchIndicator: true,
    batchNumberOfTransactions: parts.length,
    ...(parts.length <= mostEntryDetails && {
      entryDetails: parts.map(({ transfer }) => detailOf(transfer)),
    }),
  };
  const credits = parts.map(({ transfer }) => ({
    minor: debitOf(transfer, debtor.currency),
    number: transfer.creditorAccount,
  }));
  const made = credits.map(({ minor, number }) => creditOf(database, number, minor, debtor.currency));
  const sum = credits.reduce((total, { minor }) => total + minor, 0n);
  book(database, { ...told, paymentId: payment.paymentId, details }, [
    { accountId: debtor.accountId, minor: -sum },
    ...made.map(({ entry }) => entry),
  ]);
  for (const { further } of made) further?.(told);
}

/** A longer batch is told by its number alone: the member is optional, and every page with the entry would carry it. */
const mostEntryDetails = 500;

/** One transfer of a batch, as its entry tells it. */
function detailOf({
  amount,
  currency,
  creditorName,
  endToEndId,
  remittance,
  reference,
}: Transfer): EntryDetails {
  return {
    transactionAmount: { currency, amount: `-${amount}` },
    creditorName,
    ...defined({ endToEndId, remittanceInformationUnstructured: remittance }),
    ...(reference !== undefined && { remittanceInformationStructured: { reference } }),
  };
}

function front({ database, payment: { psuId }, debtor, at: bookedAt }: Execution): Booking {
  const debtorName = psuId === undefined ? undefined : findPerson(database, psuId)?.name;
  return {
    bookedAt,
    currency: debtor.currency,
    debtorIban: numberOf(debtor),
    ...defined({ debtorName }),
  };
}

/** The debtor account; it existed when the payment was accepted. */
function debtorOf(database: Database, { content }: Payment): Account {
  const account = debtorAccount(database, content.debtor);
  if (account === undefined) throw new Error('a payment from an account that is not there');
  return account;
}

const isClosed = (account: Account): boolean => (factsOf(account).status ?? 'enabled') !== 'enabled';

/** The amount that an account can pay: its balance and its credit line. */
const spendable = ({ balance, creditLimit }: Account): bigint => balance + (creditLimit ?? 0n);

/** True if the debtor's account covers the whole payment now. */
export function hasFunds(database: Database, payment: Payment): boolean {
  const debtor = debtorOf(database, payment);
  return totalDebit(payment.content, debtor.currency) <= spendable(debtor);
}
