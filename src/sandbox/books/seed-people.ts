import { addAccount } from './accounts.ts';
import { book, capitalIban, clearingIban, openingText } from './booking.ts';
import type { Database } from './database.ts';
import { ownIban, ownPan } from './iban.ts';
import { definitions } from './people-seed.ts';
import { insertPerson } from './people.ts';

/** The currencies in which the bank keeps accounts. */
const ledgerCurrencies = ['EUR', 'USD', 'GBP'] as const;

/** Opens the bank's own accounts in a currency. */
export function openOwnAccounts(database: Database, currency: string): void {
  addAccount(database, { iban: clearingIban, currency, name: 'Clearing' }, 1);
  addAccount(database, { iban: capitalIban, currency, name: 'Capital' }, 2);
}

/** Fills empty books with the people of the bank inside. */
export function seedPeople(database: Database, now: Date): void {
  for (const currency of ledgerCurrencies) openOwnAccounts(database, currency);
  let number = 1000;
  for (const [position, definition] of definitions.entries()) {
    insertPerson(database, definition, position);
    const { psuId } = definition;
    for (const [index, { country, name, opening, others = [], card }] of definition.accounts.entries()) {
      number += 111;
      const iban = ownIban(country, number);
      let main = 0n;
      for (const [sub, { currency, opening: cents }] of [{ currency: 'EUR', opening }, ...others].entries()) {
        const accountId = addAccount(database, { iban, currency, psuId, name }, index * 10 + sub);
        if (sub === 0) main = accountId;
        addOpening(database, { accountId, iban, currency }, cents, now);
      }
      if (card !== undefined)
        addAccount(
          database,
          { ...card, pan: ownPan(number), currency: 'EUR', psuId, settledBy: main },
          index * 10 + 9,
        );
    }
  }
}

/** Books the opening balance of an account. */
export function addOpening(
  database: Database,
  { accountId, iban, currency }: { accountId: bigint; iban?: string; currency: string },
  minor: number | bigint,
  now: Date,
): void {
  const creditor = iban === undefined ? {} : { creditorIban: iban };
  book(database, { bookedAt: now.toISOString(), currency, remittance: openingText, ...creditor }, [
    { iban: capitalIban, minor: BigInt(-minor) },
    { accountId, minor: BigInt(minor) },
  ]);
}
