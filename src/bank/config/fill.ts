import { defined } from '../../base/defined.ts';
import { consentMoves } from '../../standard/xs2a/codes.ts';
import type { AccountAccess } from '../../standard/xs2a/wire-accounts.ts';
import { usualFramework } from '../../standard/xs2a/variants.ts';
import { accountsOf, addAccount, findAccount, numberOf } from '../books/accounts.ts';
import { capitalIban } from '../books/double-entry.ts';
import { setClock } from '../books/clock.ts';
import type { Database } from '../books/database.ts';
import { isoDay, stagesOf } from '../books/life-cycle.ts';
import { nextId } from '../books/made.ts';
import { insertPerson, lockPerson } from '../books/people.ts';
import { openReadyPeople, addOpening, openOwnAccounts } from '../books/ready-people.ts';
import { addClient } from '../oauth/oauth-clients.ts';
import { addFault } from '../rules/faults.ts';
import { setScenario } from '../rules/scenario.ts';
import { insertAuthorisation } from '../sca/authorisation-store.ts';
import { findParent } from '../sca/authorised-things.ts';
import { insertConsent } from '../stores/consent-store.ts';
import type { Consent } from '../stores/consent-store.ts';
import { insertPayment, noteHistory } from '../stores/payment-store.ts';
import type { Payment } from '../stores/payment-store.ts';
import { findPerson } from '../books/people.ts';
import { writeEntries } from './entries.ts';
import type { AccountToOpen, BankPlan } from './plan.ts';
import { referenceFrom } from './resources-section.ts';
import type { ConsentPlan } from './resources-section.ts';

const dayMs = 86_400_000;

/** Fills empty books with what a bank's file holds; `world` is the time of the world. */
export function fillBooks(database: Database, plan: BankPlan, world: Date): void {
  const now = plan.clock === undefined ? world : new Date(plan.clock.at);
  if (plan.clock !== undefined) setClock(database, plan.clock, world);
  database.run("UPDATE meta SET value = ? WHERE key = 'seededAt'", now.toISOString());
  setScenario(database, plan.scenario);
  for (const fault of plan.faults) addFault(database, fault);
  for (const client of plan.clients) addClient(database, client);
  addPeople(database, plan.people, now);
  // Before what they have agreed to.
  if (plan.isReady) openReadyPeople(database, now);
  for (const consent of plan.consents) addConsent(database, consent, now);
  for (const payment of plan.payments) addPayment(database, payment, now);
}

/** Adds customers with their accounts after those whom the ledger has. */
export function addPeople(database: Database, people: BankPlan['people'], now: Date): void {
  const { next } = database.one<{ next: bigint }>(
    'SELECT coalesce(max(position), -1) + 1 AS next FROM people',
  ) ?? {
    next: 0n,
  };
  const currencies = new Set([
    'EUR',
    ...people.flatMap(({ accounts }) => accounts.map(({ currency }) => currency)),
  ]);
  openMissing(database, currencies);
  const opened: Opened[] = [];
  for (const [position, person] of people.entries()) {
    const { definition, accounts, locked } = person;
    const { psuId } = definition;
    insertPerson(database, definition, Number(next) + position, person);
    if (locked) lockPerson(database, psuId);
    opened.push(...openAll(database, psuId, accounts, 0));
  }
  writeAll(database, opened, now);
}

/** Opens further accounts of a customer; returns their numbers in the ledger. */
export function addAccounts(
  database: Database,
  psuId: string,
  accounts: readonly AccountToOpen[],
  now: Date,
): bigint[] {
  openMissing(database, new Set(accounts.map(({ currency }) => currency)));
  const row = database.one<{ next: bigint }>(
    'SELECT coalesce(max(position), -1) + 1 AS next FROM accounts WHERE psuId = ?',
    psuId,
  );
  const opened = openAll(database, psuId, accounts, Number(row?.next ?? 0n));
  writeAll(database, opened, now);
  return opened.map(({ accountId }) => accountId);
}

/** The bank's own accounts in these currencies, which are the other side of each booking. */
function openMissing(database: Database, currencies: ReadonlySet<string>): void {
  for (const currency of currencies)
    if (findAccount(database, capitalIban, currency) === undefined) openOwnAccounts(database, currency);
}

interface Opened {
  accountId: bigint;
  account: AccountToOpen;
}

function openAll(
  database: Database,
  psuId: string,
  accounts: readonly AccountToOpen[],
  first: number,
): Opened[] {
  const own = new Map<string, bigint>();
  for (const one of accountsOf(database, psuId)) own.set(numberOf(one), one.accountId);
  return accounts.map((account, index) => {
    const { settledBy, facts, ...rest } = account;
    const payer = settledBy === undefined ? undefined : own.get(settledBy);
    const accountId = addAccount(
      database,
      { ...rest, psuId, settledBy: payer, ...defined({ facts }) },
      first + index,
    );
    for (const number of account.numbers) own.set(number, accountId);
    return { accountId, account };
  });
}

function writeAll(database: Database, opened: readonly Opened[], now: Date): void {
  writeEntries(database, opened, now);
  // The past of these accounts is made up later, and takes the opening up.
  for (const { accountId, account } of opened)
    if (!account.hasHistory && account.balance !== 0n) {
      const { iban, currency, balance } = account;
      addOpening(database, { accountId, currency, ...defined({ iban }) }, balance, now);
    }
}

function accessOf({ access }: ConsentPlan): AccountAccess {
  const { where: _where, ownerName, accounts, balances, transactions, ...all } = access;
  const lists = Object.entries({ accounts, balances, transactions }).flatMap(([name, list]) =>
    list === undefined ? [] : [[name, list.map(referenceFrom)] as const],
  );
  return {
    ...all,
    ...Object.fromEntries(lists),
    ...(ownerName !== undefined && { additionalInformation: { ownerName: ownerName.map(referenceFrom) } }),
  };
}

/** What a TPP says in headers, and a file does not. */
const unsaid = {
  ...{ redirectUri: undefined, nokRedirectUri: undefined },
  ...{ redirectPreferred: undefined, decoupledPreferred: undefined, explicitPreferred: undefined },
};

function addConsent(database: Database, plan: ConsentPlan, now: Date): void {
  const made = nextId(database, 'consent');
  const { tpp, psuId, status, recurring, frequencyPerDay, validUntil, combined } = plan;
  const consent: Consent = {
    ...{ tpp, psuId, status, recurring, frequencyPerDay, validUntil, combined },
    consentId: plan.consentId ?? made,
    access: accessOf(plan),
    ...unsaid,
    lastActionDate: plan.lastActionDate ?? isoDay(now),
  };
  insertConsent(database, consent, plan.dueAt ?? dueOf(consent, now));
  const isAuthorised = status !== 'received' && status !== 'rejected';
  const parent = findParent(database, 'consent', consent.consentId);
  const by = plan.authorisedBy ?? (isAuthorised && psuId !== undefined ? [psuId] : []);
  for (const one of by) {
    const person = findPerson(database, one);
    if (parent === undefined || person === undefined) continue;
    const sca = {
      approach: person.approaches[0],
      scaStatus: 'finalised',
      psuId: one,
      methodId: person.methods[0]?.id,
      framework: usualFramework,
      confirm: false,
      byToken: false,
      passwords: 1,
      attempts: 0,
    } as const;
    insertAuthorisation(database, parent, sca, now);
  }
}

/** When a consent ends by itself; one that has ended does nothing more. */
function dueOf({ status, validUntil, recurring }: Consent, now: Date): string | undefined {
  if (consentMoves[status].length === 0) return undefined;
  if (status !== 'valid') return new Date(now.getTime() + dayMs).toISOString();
  if (!recurring) return new Date(now.getTime() + 20 * 60_000).toISOString();
  return validUntil.startsWith('9999') ? undefined : new Date(Date.parse(validUntil) + dayMs).toISOString();
}

function addPayment(
  database: Database,
  { plan, order, bytes }: BankPlan['payments'][number],
  now: Date,
): void {
  const made = nextId(database, 'payment');
  const { tpp, psuId, status, framework, service, product, cancelRequested } = plan;
  const createdAt = plan.createdAt ?? now.toISOString();
  const stages =
    plan.stages?.map(({ at, status: next, book }) => ({
      at,
      ...defined({ status: next }),
      ...(book === true && { book: true as const }),
    })) ?? (waiting.has(status) ? stagesOf('next-day', now, order.executeAt).slice(1) : []);
  const payment: Payment = {
    ...{ tpp, psuId, status, framework, service, product, cancelRequested, createdAt, stages },
    contentType: plan.contentType ?? 'application/json',
    paymentId: plan.paymentId ?? made,
    requestId: plan.requestId ?? made,
    body: bytes,
    content: order,
    sessionPsuId: undefined,
    ...unsaid,
    noFundsPreferred: undefined,
    rejected: plan.rejected.map(({ part, reason }) => ({ part, reason })),
    booked: plan.booked ?? (settled.has(status) ? 1 : 0),
    dueAt: open.has(status) ? new Date(now.getTime() + dayMs).toISOString() : stages[0]?.at,
  };
  insertPayment(database, payment, plan.history === undefined);
  for (const { status: passed, at } of plan.history ?? [])
    noteHistory(database, payment.paymentId, passed, at);
}

const open: ReadonlySet<string> = new Set(['RCVD', 'PATC']);
const settled: ReadonlySet<string> = new Set(['ACSC', 'ACCC', 'PART']);
/** The statuses after which a payment is booked by itself. */
const waiting: ReadonlySet<string> = new Set(['ACTC', 'ACWC', 'ACWP', 'ACCP', 'ACFC', 'ACSP', 'PDNG']);
