import { account } from '../config/account-section.ts';
import { person } from '../config/people-section.ts';
import { named, list, object } from './schema.ts';
import type { Members, Schema } from '../../base/schema.ts';
import { Amount, PsuId } from './shared-schemas.ts';

/** Customers and accounts are what a bank's file says of them: its shapes are the schemas of these bodies. */
const membersOf = ({ schema }: { schema: Schema }): Members => schema.properties ?? {};

const { psuId = {}, accounts = {}, ...ofPerson } = membersOf(person);
// Who steers a bank from elsewhere has no business with the files of its machine.
const { files: _files, ...ofAccount } = membersOf(account);
const { description: anAccount } = account.schema;

const AccountOfPerson = named('AccountOfPerson', object({}, ofAccount, anAccount));

export const NewPerson = named(
  'NewPerson',
  object(
    { psuId },
    {
      ...ofPerson,
      accounts: list(AccountOfPerson, accounts.description),
      balance: {
        ...Amount,
        description:
          'The balance of the one account in EUR that the PSU has where accounts is left out; 1000.00 without it.',
      },
    },
    "A customer (PSU) as a bank's file has them.",
  ),
);

export const NewAccount = named('NewAccount', object({ psuId: PsuId }, ofAccount, anAccount));

export const ChangedPerson = named(
  'ChangedPerson',
  changesOf(
    ofPerson,
    'What shall be otherwise; a member that is null is as if it had been left out. Secrets that are not named stay.',
  ),
);

const fixed = ['iban', 'bban', 'msisdn', 'pan', 'maskedPan', 'currency', 'settledBy'];
const money = ['balance', 'balances', 'past', 'transactions', 'generated'];

export const ChangedAccount = named(
  'ChangedAccount',
  changesOf(
    Object.fromEntries(Object.entries(ofAccount).filter(([name]) => ![...fixed, ...money].includes(name))),
    'What shall be otherwise; a member that is null is as if it had been left out. Numbers and currency stay, and money moves by entries.',
  ),
);

/** One of these members or more, each of which may be null. */
function changesOf(members: Members, about: string): Schema {
  const changed = Object.entries(members).map(([name, member]) => {
    const { description = '', ...schema } = inJson(member);
    return [name, { description, anyOf: [schema, { type: 'null' }] }] as const;
  });
  return object({}, Object.fromEntries(changed), about, { minProperties: 1 });
}

/** A file has `true` as a text; in JSON only the truth value itself is one. */
function inJson(schema: Schema): Schema {
  if (schema.enum?.includes(true)) {
    const { enum: _words, ...rest } = schema;
    return { ...rest, type: 'boolean' };
  }
  const { items, properties } = schema;
  const inner = Object.entries(properties ?? {}).map(([name, member]) => [name, inJson(member)] as const);
  return {
    ...schema,
    ...(items !== undefined && { items: inJson(items) }),
    ...(properties !== undefined && { properties: Object.fromEntries(inner) }),
  };
}
