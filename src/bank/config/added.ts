import { accountsOf, cardsOf } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import type { Database } from '../books/database.ts';
import { seedOf, usualSeed } from '../books/made.ts';
import { allPeople } from '../books/people.ts';
import type { LedgerPerson } from '../books/people.ts';
import { account as accountShape } from './account-section.ts';
import { checkPeople } from './config.ts';
import { readDocument } from '../../settings/documents/document.ts';
import type { Fault } from '../../settings/documents/document.ts';
import { accountForFile, personForFile } from './export.ts';
import { person as personShape } from './people-section.ts';
import { planAccount, planCustomer } from './plan-bank.ts';
import type { AccountToOpen, PersonToAdd } from './plan.ts';
import { Report, wrongIn } from '../../settings/documents/shape.ts';
import type { Located, Shape } from '../../settings/documents/shape.ts';

/** What was read of a JSON value, or the first thing that is wrong with it, by a path such as `accounts[0].iban`. */
export type Added<Value> = { value: Value } | { fault: Pick<Fault, 'path' | 'why'> };

/** Reads a customer as a bank's file has them, for a bank that runs: with the accounts, and with the people that it knows. */
export function readCustomer(database: Database, given: object): Promise<Added<PersonToAdd>> {
  return read(given, personShape, (person, report) => {
    const others = allPeople(database).map(({ psuId }) => psuId);
    checkPeople([person], wrongIn(report, person.where), others);
    for (const one of person.accounts) refuseFiles(one, report);
    return planCustomer(person, { seed: seedOf(database) ?? usualSeed, absolute: (name) => name, report });
  });
}

/** Reads a further account of a customer as a bank's file has it; `place` tells accounts without a number apart. */
export function readAccount(
  database: Database,
  given: object,
  { psuId, place }: { psuId: string; place: string },
): Promise<Added<AccountToOpen>> {
  return read(given, accountShape, (account, report) => {
    refuseFiles(account, report);
    const { settledBy } = account;
    const own = allNumbers(database, psuId);
    if (settledBy !== undefined && !own.includes(settledBy.replace(/ /g, '').toUpperCase()))
      report.add({ ...account.where, path: 'settledBy' }, 'this customer has no account with that number');
    return planAccount(account, {
      place,
      seed: seedOf(database) ?? usualSeed,
      absolute: (name) => name,
      report,
    });
  });
}

/** A customer as a file has them, with changes: a member that is null is as if it were left out. */
export function changedCustomer(database: Database, person: LedgerPerson, changes: object): object {
  return merged({ ...personForFile(database, person), accounts: undefined }, changes);
}

/** An account as a file has it, with changes; its entries stay what they are, and so does its balance. */
export function changedAccount(database: Database, account: Account, changes: object): object {
  const all = allOf(database, account.psuId ?? '');
  const { transactions: _entries, ...now } = accountForFile(database, account, all);
  return merged(now, changes);
}

function merged(now: object, changes: object): object {
  // Who gets one approach has no list of several any more, and the other way round.
  const gone = 'approach' in changes ? 'approaches' : 'approaches' in changes ? 'approach' : '';
  const all: [string, unknown][] = [
    ...Object.entries(now).filter(([name]) => name !== gone),
    ...Object.entries(changes),
  ];
  const whole = new Map(all);
  return Object.fromEntries([...whole].filter(([, value]) => value !== undefined && value !== null));
}

async function read<Seen extends object, Value>(
  given: object,
  shape: Shape<Seen>,
  plan: (seen: Seen, report: Report) => Promise<Value>,
): Promise<Added<Value>> {
  const document = readDocument(JSON.stringify(given), 'body.json', 'members');
  if ('faults' in document) return { fault: document.faults[0] ?? { path: '', why: 'it cannot be read' } };
  const report = new Report();
  const seen = shape.read(document.root, report);
  const value = seen === undefined || report.faults.length > 0 ? undefined : await plan(seen, report);
  const [fault] = report.faults;
  if (fault !== undefined) return { fault };
  if (value === undefined) throw new Error('nothing was read, and nothing is wrong');
  return { value };
}

/** Who steers a bank from elsewhere has no business with the files of its machine. */
function refuseFiles(
  { files, where }: { files?: string[] | undefined; where: Located },
  report: Report,
): void {
  if (files !== undefined)
    report.add(
      where.of('files'),
      "files are named in a bank's file alone; here transactions are listed or generated",
    );
}

const allOf = (database: Database, psuId: string): Account[] => [
  ...accountsOf(database, psuId),
  ...cardsOf(database, psuId),
];

const allNumbers = (database: Database, psuId: string): string[] =>
  accountsOf(database, psuId).flatMap(({ iban, bban, msisdn }) => iban ?? bban ?? msisdn ?? []);
