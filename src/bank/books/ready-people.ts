import { ObkError } from '../../base/errors.ts';
import { findAccount } from './accounts.ts';
import { capitalIban } from './booking.ts';
import { bankClock } from './clock.ts';
import type { Database } from './database.ts';
import { ledgerDoors } from './ledger-doors.ts';
import { findPerson, insertPerson, knownSecrets } from './people.ts';
import { optionPeople } from './people-options.ts';
import { accountNames, openAccountsOf, openOwnAccounts } from './seed-people.ts';

/** The numbers of their accounts begin here: no other account has these, however many people the bank inside gets. */
const firstNumber = 100_000;
const apart = 1000;

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
    accounts: accountNames(definition, firstNumber + apart * index),
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
        openAccountsOf(database, definition, firstNumber + apart * index, now);
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
