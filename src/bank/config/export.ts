import { defined } from '../../base/defined.ts';
import { formatMinor } from '../../standard/formats/money/amount.ts';
import { accountById, factsOf, isCard } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import { hasOwnTime } from '../books/clock.ts';
import type { Database } from '../books/database.ts';
import type { Ledger } from '../books/ledger.ts';
import { madeFrom, seedOf } from '../books/made.ts';
import { allPeople } from '../books/people.ts';
import type { LedgerPerson } from '../books/people.ts';
import { allClients } from '../oauth/oauth-clients.ts';
import { allFaults } from '../rules/faults.ts';
import { ownTpp } from '../trust/own-tpp.ts';
import { chosenSwitches } from '../rules/scenario.ts';
import { entriesForFile } from './export-entries.ts';
import { consentsForFile, paymentsForFile } from './export-resources.ts';
import { writeDocument } from './write-document.ts';

/** A part of a file: what is undefined is left out. */
export type FilePart = Readonly<Record<string, unknown>>;

/**
 * Writes the file of a bank as it stands: started with it, a bank has the same people, accounts, entries, consents and payments. What
 * is on its way (open authorisations, logins, tokens, baskets) and how the bank is reached are not in it.
 */
export function exportBank({ main, log, pageKey }: Ledger, now: Date): string {
  const seed = seedOf(main);
  const isMade = seed !== undefined && madeFrom(seed, 'page key') === pageKey;
  // The bank's own TPP is known to every bank.
  const clients = allClients(main).filter(
    ({ clientId, redirectUris }) => clientId !== ownTpp || redirectUris.length > 0,
  );
  const file: FilePart = {
    seed,
    idKey: isMade ? undefined : pageKey,
    scenario: unlessEmpty(chosenSwitches(main)),
    clock: clockForFile(main, now),
    faults: unlessEmpty(allFaults(log)),
    tpps: unlessEmpty(
      clients.map(({ clientId, redirectUris }) => ({
        id: clientId,
        redirectUris: unlessEmpty([...redirectUris]),
      })),
    ),
    people: allPeople(main).map((person) => personForFile(main, person)),
    consents: unlessEmpty(consentsForFile(main)),
    payments: unlessEmpty(paymentsForFile(main)),
  };
  return writeDocument(file);
}

/** The time as it is now, where it is not that of the world. */
function clockForFile(database: Database, now: Date): FilePart | undefined {
  const own = hasOwnTime(database);
  return own && { at: now.toISOString(), stands: own === 'stands' ? true : undefined };
}

function unlessEmpty<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

/** A customer as a file has them. */
export function personForFile(database: Database, person: LedgerPerson): FilePart {
  const {
    approaches,
    attempts,
    locks,
    noFundsConfirmation,
    accounts: _own,
    additional: _second,
    ...rest
  } = person;
  const [approach, ...others] = approaches;
  const {
    psuId,
    name,
    description,
    password,
    otp,
    additionalPassword,
    locked,
    wrongSecrets: _wrong,
    phone,
    ...terms
  } = rest;
  const numbers = database.all<{ accountId: bigint }>(
    'SELECT accountId FROM accounts WHERE psuId = ? ORDER BY position, accountId',
    psuId,
  );
  const accounts = numbers.flatMap(({ accountId }) => accountById(database, accountId) ?? []);
  return {
    psuId,
    name,
    description,
    password,
    additionalPassword,
    otp,
    ...(others.length === 0 ? { approach } : { approaches }),
    // However they came in, so that a file that is read and written again is the same.
    ...Object.fromEntries(Object.entries(terms).sort(([one], [other]) => (one < other ? -1 : 1))),
    phone,
    locked: locked ? true : undefined,
    limits: unlessEmpty(defined({ attempts, locks })),
    fundsConfirmation: noFundsConfirmation === true ? false : undefined,
    accounts: unlessEmpty(accounts.map((account) => accountForFile(database, account, accounts))),
  };
}

/** An account as a file has it. */
export function accountForFile(database: Database, account: Account, all: readonly Account[]): FilePart {
  const { currency, creditLimit, settledBy, balance, accountId } = account;
  const { ownerName, balances, deposits, ...facts } = factsOf(account);
  const amount = (minor: bigint) => formatMinor(minor, currency);
  const payer = all.find((other) => other.accountId === settledBy);
  const made = database.one<{ hasHistory: bigint }>(
    'SELECT hasHistory FROM accounts WHERE accountId = ?',
    accountId,
  );
  const isMadeUp = made?.hasHistory === 0n;
  const numbers = (['iban', 'bban', 'msisdn', 'pan'] as const).map((by) => [by, account[by] ?? undefined]);
  return {
    ...(Object.fromEntries(numbers) as FilePart),
    maskedPan: account.pan === null || !isCard(account) ? (account.maskedPan ?? undefined) : undefined,
    currency,
    name: account.name,
    owner: ownerName,
    ...facts,
    creditLimit: creditLimit === null ? undefined : amount(creditLimit),
    settledBy: payer?.iban ?? payer?.bban ?? payer?.msisdn ?? undefined,
    balance: amount(balance),
    balances: balances?.map(({ ahead, ...kind }) => ({ ...kind, amount: amount(balance + BigInt(ahead)) })),
    past: isMadeUp ? 'made-up' : undefined,
    deposits: account.facts === null ? (isMadeUp ? undefined : true) : deposits,
    transactions: isMadeUp ? undefined : unlessEmpty(entriesForFile(database, account)),
  };
}
