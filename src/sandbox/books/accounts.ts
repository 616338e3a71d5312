import type { Database } from './database.ts';

/** An account of the bank, or a card account (with a PAN and no IBAN); `psuId` is null for the bank's own. */
export interface Account {
  accountId: bigint;
  iban: string | null;
  pan: string | null;
  psuId: string | null;
  currency: string;
  name: string;
  balance: bigint;
  /** In minor units; card accounts only. */
  creditLimit: bigint | null;
  /** The account that pays the invoices of a card. */
  settledBy: bigint | null;
}

const columns = 'accountId, iban, pan, psuId, currency, name, balance, creditLimit, settledBy';

/** A card account. */
export type CardAccount = Account & { pan: string };

/** An account that is not a card account. */
export type IbanAccount = Account & { iban: string };

/** The account with this IBAN in this currency, which for payments is EUR. */
export function findAccount(database: Database, iban: string, currency = 'EUR'): IbanAccount | undefined {
  return database.one<IbanAccount>(
    `SELECT ${columns} FROM accounts WHERE iban = ? AND currency = ?`,
    iban,
    currency,
  );
}

const ofPerson = `SELECT ${columns} FROM accounts WHERE psuId = ?`;

/** The accounts of a PSU, the first one first. */
export function accountsOf(database: Database, psuId: string): IbanAccount[] {
  return database.all<IbanAccount>(`${ofPerson} AND pan IS NULL ORDER BY position`, psuId);
}

/** The card accounts of a PSU. */
export function cardsOf(database: Database, psuId: string): CardAccount[] {
  return database.all<CardAccount>(`${ofPerson} AND pan IS NOT NULL ORDER BY position`, psuId);
}

/** The account with this number of the ledger's own. */
export function accountById(database: Database, accountId: bigint): Account | undefined {
  return database.one<Account>(`SELECT ${columns} FROM accounts WHERE accountId = ?`, accountId);
}

/** The kinds of names for an account. */
export const accountNames = {
  iban: 'iban',
  bban: 'substr(iban, 5)',
  pan: 'pan',
  maskedPan: "substr(pan, 1, 6) || '******' || substr(pan, 13)",
} as const;

/** The accounts of PSUs that a name may mean: several where it is that of a multicurrency account. */
export function accountsNamed(database: Database, by: keyof typeof accountNames, name: string): Account[] {
  return database.all<Account>(
    `SELECT ${columns} FROM accounts WHERE ${accountNames[by]} = ? AND psuId IS NOT NULL ORDER BY position`,
    name,
  );
}

/** Adds an account without money; its number. */
export function addAccount(
  database: Database,
  account: {
    iban?: string;
    pan?: string;
    currency: string;
    psuId?: string;
    name: string;
    creditLimit?: number;
    settledBy?: bigint;
  },
  position: number,
): bigint {
  const row = database.one<{ accountId: bigint }>(
    `INSERT INTO accounts (iban, pan, currency, psuId, name, creditLimit, settledBy, position) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     RETURNING accountId`,
    account.iban ?? null,
    account.pan ?? null,
    account.currency,
    account.psuId ?? null,
    account.name,
    account.creditLimit ?? null,
    account.settledBy ?? null,
    position,
  );
  return row?.accountId ?? 0n;
}
