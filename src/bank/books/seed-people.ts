import { defined } from '../../base/defined.ts';
import { addAccount } from './accounts.ts';
import type { NewAccount } from './accounts.ts';
import { book, capitalIban, clearingIban, openingText } from './booking.ts';
import type { Database } from './database.ts';
import { ownIban, ownPan } from './iban.ts';
import { definitions } from './people-seed.ts';
import { insertPerson } from './people.ts';
import type { Definition } from './people.ts';

/** The currencies in which the bank keeps accounts. */
const ledgerCurrencies = ['EUR', 'USD', 'GBP'] as const;

/** Opens the bank's own accounts in a currency. */
export function openOwnAccounts(database: Database, currency: string): void {
  addAccount(database, { iban: clearingIban, currency, name: 'Clearing' }, 1);
  addAccount(database, { iban: capitalIban, currency, name: 'Capital' }, 2);
}

/** How far apart the numbers of accounts are. */
const apart = 111;

/** Fills empty books with the people of the bank inside. */
export function seedPeople(database: Database, now: Date): void {
  for (const currency of ledgerCurrencies) openOwnAccounts(database, currency);
  let number = 1000;
  for (const [position, definition] of definitions.entries()) {
    insertPerson(database, definition, position);
    openAccountsOf(database, definition, number, now);
    number += apart * definition.accounts.length;
  }
}

/** Opens the accounts of a PSU with the numbers after this one. */
export function openAccountsOf(database: Database, definition: Definition, after: number, now: Date): void {
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
export function accountNames(definition: Definition, after: number): (NamedAccount & { currency: string })[] {
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
    const number = after + apart * (index + 1);
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
