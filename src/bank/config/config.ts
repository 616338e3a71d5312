import { capitalIban, clearingIban } from '../books/double-entry.ts';
import { clock, doorValues, faults, scenario, tpps } from './bank-section.ts';
import type { Schema } from '../../base/schema.ts';
import type { AccountPlan } from './account-section.ts';
import { people } from './people-section.ts';
import { consents, payments } from './resources-section.ts';
import { mapOf, may, usual } from '../../settings/documents/shape.ts';
import type { Located, ValueOf, Wrong } from '../../settings/documents/shape.ts';
import { text } from './values.ts';

/** A bank's file as a whole. */
export const bankFile = mapOf(
  {
    $schema: may('Where an editor finds the schema of this file.', text(1000)),
    seed: may(
      'Ids, secrets and IBANs that the file leaves out are made from it, always the same ones.',
      text(140),
    ),
    idKey: may('The key of the resourceIds; made from the seed without it.', text(140)),
    doors: may('How the bank is reached and whom it lets in; flags and variables win.', doorValues),
    bank: may(
      'A bank whose departures from the standard this one has: a template (`obk bank list`) or a file (`obk bank schema`).',
      text(1000),
    ),
    scenario: may('How the bank differs from its standard.', scenario),
    policy: may('As scenario: what the bank has decided for all its customers.', scenario),
    clock: may('The time of the bank; that of the world without it.', clock),
    faults: usual('Faults that wait for calls.', faults, []),
    tpps: usual('TPPs that the bank knows beside its own.', tpps, []),
    people: usual('The customers of the bank; without any the ready ones come (doors.people).', people, []),
    consents: usual('Consents that exist already.', consents, []),
    payments: usual('Payments that exist already.', payments, []),
  },
  'A bank of `obk sandbox start --config`.',
  (file, wrong) => {
    checkSwitches(file, wrong);
    checkPeople(file.people, wrong);
    checkIds(file, wrong);
  },
);

/** A bank's file that was read. */
export type BankFile = ValueOf<typeof bankFile>;

/** The JSON Schema (draft 2020-12) of a bank's file, for editors. */
export const bankSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A bank of obk sandbox start --config',
  ...bankFile.schema,
};

type Checked = Pick<BankFile, 'people' | 'consents' | 'payments' | 'scenario' | 'policy' | 'where'>;

function checkSwitches({ scenario: one, policy, where }: Checked, wrong: Wrong): void {
  const twice = Object.keys(policy ?? {}).find((name) => one !== undefined && Object.hasOwn(one, name));
  if (twice !== undefined) wrong(where.of('policy'), `${twice} stands in scenario, too`);
}

/**
 * Reports what is wrong with customers among each other; `others` are those whom the bank has besides. Without them those who
 * authorise are checked elsewhere, once it is known whether the ready customers come.
 */
export function checkPeople(all: BankFile['people'], wrong: Wrong, others?: readonly string[]): void {
  const known = others && new Set([...others, ...all.map(({ psuId }) => psuId)]);
  const first = firstOnly(wrong);
  for (const person of all) {
    first('customer', person.psuId, person.where.of('psuId'));
    const stranger = person.authorisers?.find((psuId) => known?.has(psuId) === false);
    if (stranger !== undefined)
      wrong(person.where.of('authorisers'), `no customer has the PSU-ID ${JSON.stringify(stranger)}`);
    const own = person.accounts.flatMap(({ iban, bban, msisdn }) => iban ?? bban ?? msisdn ?? []);
    for (const account of person.accounts) {
      checkNames(account, first, wrong);
      const { settledBy } = account;
      if (settledBy !== undefined && !own.includes(settledBy.replace(/ /g, '').toUpperCase()))
        wrong(account.where.of('settledBy'), 'this customer has no account with that number');
    }
  }
}

const numbers = ['iban', 'bban', 'msisdn', 'pan', 'maskedPan'] as const;

function checkNames(account: AccountPlan, first: First, wrong: Wrong): void {
  const currency = account.currency ?? 'EUR';
  for (const by of numbers) {
    const number = account[by];
    if (number === undefined) continue;
    // A card number that is shown may be that of several cards.
    if (by !== 'maskedPan') first(`account in ${currency}`, number, account.where.of(by));
    if (number === clearingIban || number === capitalIban)
      wrong(account.where.of(by), 'it is an account of the bank itself');
  }
}

function checkIds({ people: all, consents: agreed, payments: paid }: Checked, wrong: Wrong): void {
  const first = firstOnly(wrong);
  for (const { consentId, where } of agreed)
    if (consentId !== undefined) first('consent', consentId, where.of('consentId'));
  for (const { paymentId, where } of paid)
    if (paymentId !== undefined) first('payment', paymentId, where.of('paymentId'));
  for (const { transactionId, where } of all.flatMap(({ accounts }) =>
    accounts.flatMap(({ transactions }) => transactions ?? []),
  ))
    if (transactionId !== undefined) first('transaction', transactionId, where.of('transactionId'));
}

type First = (what: string, name: string, place: ReturnType<Located['of']>) => void;

/** Reports the second one of a kind with the same name. */
function firstOnly(wrong: Wrong): First {
  const seen = new Map<string, number>();
  return (what, name, place) => {
    const key = `${what} ${name}`;
    const line = seen.get(key);
    if (line === undefined) seen.set(key, place.line);
    else wrong(place, `another ${what} has it already (line ${String(line)})`);
  };
}
