import { ObkError } from '../../base/errors.ts';
import { findAccount, addAccount } from './accounts.ts';
import { capitalIban, book, clearingIban, openingText } from './double-entry.ts';
import { bankClock } from './clock.ts';
import type { Database } from './database.ts';
import { ledgerDoors } from './ledger-doors.ts';
import { findPerson, insertPerson, knownSecrets } from './people.ts';
import { optionPeople } from './people-options.ts';
import { defined } from '../../base/defined.ts';
import type { NewAccount } from './accounts.ts';
import { ownIban, ownPan } from './iban.ts';
import { definitions } from './people-seed.ts';
import type { Definition } from './people.ts';

/** The numbers of their accounts begin here: no other account has these, however many people the bank inside gets. */
const firstNumber = 100_000;
const peopleApart = 1000;

/**
 * Adds the ready people (`--people options`) that the bank's doors ask for and the ledger does not have; a customer of a file who
 * has the PSU-ID of one stays. Their secrets are those that everybody knows. `world` is the time of the world. Throws USAGE where
 * another customer has the account of one.
 */
export function addReadyPeople(database: Database, world: Date): void {
  if (ledgerDoors(database).ready) openReadyPeople(database, bankClock(database, { now: () => world }).now());
}

/** The ready people by PSU-ID, each with the accounts that they get. */
export const readyPeople = (): readonly { psuId: string; accounts: ReturnType<typeof accountNames> }[] =>
  optionPeople.map((definition, index) => ({
    psuId: definition.psuId,
    accounts: accountNames(definition, firstNumber + peopleApart * index),
  }));

/** Adds those of the ready people whom the ledger does not have; `now` is the time of the bank. Throws as above. */
export function openReadyPeople(database: Database, now: Date): void {
  database.atomically(() => {
    const missing = [...optionPeople.entries()].filter(
      ([, { psuId }]) => findPerson(database, psuId) === undefined,
    );
    if (missing.length === 0) return;
    for (const currency of ['EUR', 'USD', 'GBP'])
      if (findAccount(database, capitalIban, currency) === undefined) openOwnAccounts(database, currency);
    const { last } = database.one<{ last: bigint }>(
      'SELECT coalesce(max(position), -1) AS last FROM people',
    ) ?? { last: -1n };
    for (const [index, definition] of missing) {
      insertPerson(database, definition, Number(last) + 1 + index, knownSecrets);
      try {
        openAccountsOf(database, definition, firstNumber + peopleApart * index, now);
      } catch (cause) {
        throw taken(cause, definition.psuId);
      }
    }
  });
}

function taken(cause: unknown, psuId: string): unknown {
  if (!(cause instanceof Error) || !/UNIQUE/.test(cause.message)) return cause;
  return new ObkError({
    code: 'USAGE',
    title: `The ready customer ${psuId} cannot be added: another customer has the account.`,
    hint: ["Leave --people out, or change the account in the bank's file."],
    cause,
  });
}

/** The currencies in which the bank keeps accounts. */
const ledgerCurrencies = ['EUR', 'USD', 'GBP'] as const;

/** Opens the bank's own accounts in a currency. */
export function openOwnAccounts(database: Database, currency: string): void {
  addAccount(database, { iban: clearingIban, currency, name: 'Clearing' }, 1);
  addAccount(database, { iban: capitalIban, currency, name: 'Capital' }, 2);
}

/** How far apart the numbers of accounts are. */
const accountsApart = 111;

/** Fills empty books with the people of the bank inside. */
export function seedPeople(database: Database, now: Date): void {
  for (const currency of ledgerCurrencies) openOwnAccounts(database, currency);
  let number = 1000;
  for (const [position, definition] of definitions.entries()) {
    insertPerson(database, definition, position);
    openAccountsOf(database, definition, number, now);
    number += accountsApart * definition.accounts.length;
  }
}

/** Opens the accounts of a PSU with the numbers after this one. */
function openAccountsOf(database: Database, definition: Definition, after: number, now: Date): void {
  const { psuId, corporateId } = definition;
  for (const { index, account, number, names } of numbered(definition, after)) {
    const { name, opening, others = [], card, creditLimit } = account;
    const facts = corporateId === undefined ? undefined : ({ usage: 'ORGA', deposits: true } as const);
    let main = 0n;
    for (const [sub, { currency, opening: cents }] of [{ currency: 'EUR', opening }, ...others].entries()) {
      const accountId = addAccount(
        database,
        { ...names, currency, psuId, name, creditLimit, ...defined({ facts }) },
        index * 10 + sub,
      );
      if (sub === 0) main = accountId;
      if (cents !== 0) addOpening(database, { accountId, ...names, currency }, cents, now);
    }
    if (card !== undefined)
      addAccount(
        database,
        { ...card, pan: ownPan(number), currency: 'EUR', psuId, settledBy: main },
        index * 10 + 9,
      );
  }
}

/** The accounts of a PSU with the numbers after this one, by all names and currencies that `openAccountsOf` gives them. */
function accountNames(definition: Definition, after: number): (NamedAccount & { currency: string })[] {
  return numbered(definition, after).flatMap(({ account, number, names }) => [
    ...['EUR', ...(account.others ?? []).map(({ currency }) => currency)].map((currency) => ({
      ...names,
      currency,
    })),
    ...(account.card === undefined ? [] : [{ ...account.card, pan: ownPan(number), currency: 'EUR' }]),
  ]);
}

function numbered({ accounts }: Definition, after: number) {
  return accounts.map((account, index) => {
    const number = after + accountsApart * (index + 1);
    return {
      index,
      account,
      number,
      names: namesOf(ownIban(account.country, number), number, account.number),
    };
  });
}

/** The name of an account: an IBAN, or the number in its place. */
function namesOf(iban: string, number: number, kind: 'bban' | 'msisdn' | undefined): NamedAccount {
  if (kind === 'bban') return { bban: iban.slice(4) };
  // A range for drama and tests, which no operator gives out.
  if (kind === 'msisdn') return { msisdn: `+49151${String(number).padStart(8, '0')}` };
  return { iban };
}

type NamedAccount = Pick<NewAccount, 'iban' | 'bban' | 'msisdn' | 'pan' | 'maskedPan'>;

/** Books the opening balance of an account. */
export function addOpening(
  database: Database,
  { accountId, iban, currency }: { accountId: bigint; iban?: string | undefined; currency: string },
  minor: number | bigint,
  now: Date,
): void {
  const creditor = iban === undefined ? {} : { creditorIban: iban };
  book(database, { bookedAt: now.toISOString(), currency, remittance: openingText, ...creditor }, [
    { iban: capitalIban, minor: BigInt(-minor) },
    { accountId, minor: BigInt(minor) },
  ]);
}
