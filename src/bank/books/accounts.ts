import { defined } from '../../base/defined.ts';
import type { AccountReference } from '../../standard/xs2a/wire.ts';
import type { Balance } from '../../standard/xs2a/wire-accounts.ts';
import type { Database } from './database.ts';
import { maskedPan } from './iban.ts';

/** What a bank's file says of an account beyond its names and its money. */
export interface AccountFacts {
  ownerName?: string;
  displayName?: string;
  product?: string;
  cashAccountType?: string;
  status?: 'enabled' | 'deleted' | 'blocked';
  usage?: 'PRIV' | 'ORGA';
  bic?: string;
  details?: string;
  linkedAccounts?: string;
  /** Deposits are made up as pending. */
  deposits?: boolean;
  /** The kinds of balances on offer; each is so many minor units more than the booked balance. */
  balances?: readonly (Pick<Balance, 'balanceType' | 'creditLimitIncluded'> & { ahead: string })[];
}

/** The names of an account: a payment account has one of the first three, a card account a (masked) PAN alone. */
interface Names {
  iban: string | null;
  bban: string | null;
  msisdn: string | null;
  pan: string | null;
  maskedPan: string | null;
}

/** An account of the bank, or a card account; `psuId` is null for the bank's own. */
export interface Account extends Names {
  accountId: bigint;
  psuId: string | null;
  currency: string;
  name: string;
  balance: bigint;
  /** In minor units; credit lines. */
  creditLimit: bigint | null;
  /** The account that pays the invoices of a card. */
  settledBy: bigint | null;
  /** JSON; null for the accounts of the bank's own people. */
  facts: string | null;
}

const columns =
  'accountId, iban, bban, msisdn, pan, maskedPan, psuId, currency, name, balance, creditLimit, settledBy, facts';

/** Whether this is a card account: it has no other name than its card number. */
export const isCard = ({ iban, bban, msisdn }: Names): boolean => (iban ?? bban ?? msisdn) === null;

/** Returns the facts of an account that its file gave. */
export const factsOf = ({ facts }: Pick<Account, 'facts'>): AccountFacts =>
  facts === null ? {} : (JSON.parse(facts) as AccountFacts);

/** Returns the name by which an account is told from others: one text for all currencies of a multicurrency account. */
export const numberOf = ({ iban, bban, msisdn, maskedPan: masked, pan }: Names): string =>
  iban ?? bban ?? msisdn ?? masked ?? pan ?? '';

/** Returns an account as the wire names it; a card number is masked. */
export function referenceOf(account: Names & { currency?: string }): AccountReference {
  const { iban, bban, msisdn, maskedPan: masked, currency } = account;
  const name = iban !== null ? { iban } : bban !== null ? { bban } : msisdn !== null ? { msisdn } : undefined;
  return { ...(name ?? { maskedPan: masked ?? '' }), ...defined({ currency }) };
}

/** The account with this IBAN in this currency. */
export function findAccount(database: Database, iban: string, currency = 'EUR'): Account | undefined {
  return database.one<Account>(
    `SELECT ${columns} FROM accounts WHERE iban = ? AND currency = ?`,
    iban,
    currency,
  );
}

const ofPerson = `SELECT ${columns} FROM accounts WHERE psuId = ?`;
const hasNumber = 'coalesce(iban, bban, msisdn) IS NOT NULL';

/** The accounts of a PSU, the first one first. */
export function accountsOf(database: Database, psuId: string): Account[] {
  return database.all<Account>(`${ofPerson} AND ${hasNumber} ORDER BY position`, psuId);
}

/** The card accounts of a PSU. */
export function cardsOf(database: Database, psuId: string): Account[] {
  return database.all<Account>(`${ofPerson} AND NOT ${hasNumber} ORDER BY position`, psuId);
}

/** The account with this number of the ledger's own. */
export function accountById(database: Database, accountId: bigint): Account | undefined {
  return database.one<Account>(`SELECT ${columns} FROM accounts WHERE accountId = ?`, accountId);
}

/** The kinds of names for an account, and where the ledger has them; a German or Dutch IBAN has its BBAN in it. */
const accountNames = {
  iban: 'iban = ?1',
  bban: '(bban = ?1 OR (bban IS NULL AND substr(iban, 5) = ?1))',
  msisdn: 'msisdn = ?1',
  pan: 'pan = ?1',
  maskedPan: 'maskedPan = ?1',
} as const;

/** The accounts of PSUs that a name may mean: several where it is that of a multicurrency account. */
export function accountsNamed(database: Database, by: keyof typeof accountNames, name: string): Account[] {
  return database.all<Account>(
    `SELECT ${columns} FROM accounts WHERE ${accountNames[by]} AND psuId IS NOT NULL ORDER BY position`,
    name,
  );
}

/** The accounts that a reference means: without a currency all of a multicurrency account. */
export function referenced(database: Database, reference: AccountReference): Account[] {
  const by = (Object.keys(accountNames) as (keyof typeof accountNames)[]).find(
    (name) => reference[name] !== undefined,
  );
  if (by === undefined) return [];
  const found = accountsNamed(database, by, (reference[by] ?? '').replace(/ /g, '').toUpperCase());
  const { currency } = reference;
  return found.filter((account) => currency === undefined || account.currency === currency);
}

/** The accounts of PSUs with this number, which is an IBAN, a BBAN or a mobile number. */
export function accountsNumbered(database: Database, number: string): Account[] {
  return (['iban', 'bban', 'msisdn'] as const)
    .map((by) => accountsNamed(database, by, number))
    .reduce((found, next) => (found.length > 0 ? found : next));
}

/** The account that a payment debits: of several currencies euro, else the first. */
export function debtorAccount(database: Database, reference: AccountReference): Account | undefined {
  const found = referenced(database, reference);
  return found.find(({ currency }) => currency === 'EUR') ?? found[0];
}

/** An account to be opened. */
export interface NewAccount extends Partial<{ [Name in keyof Names]: string | undefined }> {
  currency: string;
  psuId?: string;
  name: string;
  creditLimit?: number | bigint | undefined;
  settledBy?: bigint | undefined;
  facts?: AccountFacts;
  /** It has the past that its file gives, and none is made up. */
  hasHistory?: boolean;
}

/** Opens an account without money; returns its number. */
export function addAccount(database: Database, account: NewAccount, position: number): bigint {
  const { pan, facts } = account;
  const masked = account.maskedPan ?? (pan === undefined ? null : maskedPan(pan));
  const row = database.one<{ accountId: bigint }>(
    `INSERT INTO accounts (iban, bban, msisdn, pan, maskedPan, currency, psuId, name, creditLimit, settledBy, position, facts,
     hasHistory) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING accountId`,
    account.iban ?? null,
    account.bban ?? null,
    account.msisdn ?? null,
    pan ?? null,
    masked,
    account.currency,
    account.psuId ?? null,
    account.name,
    account.creditLimit ?? null,
    account.settledBy ?? null,
    position,
    facts === undefined ? null : JSON.stringify(facts),
    account.hasHistory === true ? 1 : 0,
  );
  return row?.accountId ?? 0n;
}

/** The kind of an account (ISO 20022); a card has none. */
export function cashAccountTypeOf(account: Account): string {
  return factsOf(account).cashAccountType ?? (isCard(account) ? '' : 'CACC');
}

/** Has an account be called or treated otherwise; its numbers, its currency and its money stay. */
export function updateAccount(
  database: Database,
  accountId: bigint,
  {
    name,
    creditLimit,
    facts,
  }: Pick<NewAccount, 'name' | 'creditLimit'> & { facts: AccountFacts | undefined },
): void {
  database.run(
    'UPDATE accounts SET name = ?, creditLimit = ?, facts = ? WHERE accountId = ?',
    name,
    creditLimit ?? null,
    facts === undefined ? null : JSON.stringify(facts),
    accountId,
  );
}
