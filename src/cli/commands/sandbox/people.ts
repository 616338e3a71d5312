import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import type { BankPerson } from '../../../bank/door.ts';
import { nearest } from '../../../base/nearest.ts';
import { definitions } from '../../render/wrap.ts';
import { grouped } from '../output/for-person.ts';
import { oneOf, usageError } from '../flags/flag-values.ts';

const further = ['additionalPassword', 'encryptedPassword', 'additionalEncryptedPassword'] as const;
const fields = ['psuId', 'password', 'otp', 'iban', 'approach', ...further] as const;

const flags = (command: Flags) =>
  command
    .argument('[id]', 'one PSU-ID')
    .option('--field <NAME>', `print one value: ${fields.join(', ')}`, oneOf('--field', fields));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Show the customers of the bank inside, whose behaviour their PSU-ID decides',
      examples: ['obk sandbox people', 'obk sandbox people --json'],
      more: ['obk help payment authorise'],
    },
    run,
  );

const run: Run<Options> = async (context, { id, field }) => {
  const { people } = await context.ports.bank.control('listPeople');
  if (id === undefined) {
    if (field !== undefined)
      throw usageError(
        '--field needs a PSU-ID.',
        line`obk sandbox people ${people[0]?.psuId ?? 'redirect'} --field ${field}`,
      );
    return {
      kind: 'rows',
      columns: [
        { key: 'psuId', title: 'PSU-ID' },
        { key: 'approach', title: 'APPROACH', spare: 1 },
        { key: 'start', title: 'START', wide: true },
        { key: 'methods', title: 'METHODS', wide: true },
        { key: 'iban', title: 'ACCOUNT', forPerson: grouped, wide: true },
        { key: 'balance', title: 'BALANCE', align: 'right', wide: true },
        { key: 'password', title: 'PASSWORD', whole: true },
        { key: 'otp', title: 'OTP', whole: true },
        { key: 'description', title: 'WHAT HAPPENS' },
      ],
      rows: people.map((person) => ({
        ...shown(person),
        ...firstAccount(person),
        methods: methodIds(person),
      })),
      nameKey: 'psuId',
      empty: 'The bank inside has no customers.',
    };
  }
  const person = people.find((candidate) => candidate.psuId === id);
  if (person === undefined) {
    const near = nearest(
      id,
      people.map(({ psuId }) => psuId),
    ).map((name) => line`obk sandbox people ${name}`);
    throw usageError(`The bank inside has no customer ${JSON.stringify(id)}.`, ...near, 'obk sandbox people');
  }
  if (field !== undefined) {
    const value = field === 'iban' ? firstAccount(person).iban : person[field];
    if (value === undefined) throw usageError(`${id} has no ${field}.`, line`obk sandbox people ${id}`);
    return { kind: 'data', data: { psuId: id, [field]: value }, text: () => value, name: value };
  }
  return {
    kind: 'data',
    data: shown(person),
    text: (style) =>
      definitions(
        [
          ['PSU-ID', person.psuId],
          ['What happens', person.description],
          ['Approach', `${person.approach}, ${person.start} start`],
          ['Password', person.password],
          ['OTP', person.otp],
          [
            'Methods',
            person.methods.map(({ id: method, name }) => `${method} (${name})`).join(', ') || 'none',
          ],
          ...person.accounts.map(
            (account) => ['Account', `${numberOf(account)}  ${account.balance} ${account.currency}`] as const,
          ),
          ...person.cards.map(
            ({ pan, balance, currency }) => ['Card', `${pan}  ${balance} ${currency}`] as const,
          ),
        ],
        { indent: 0, width: Math.max(style.width, 40) },
      ).join('\n'),
    name: person.psuId,
  };
};

/** Without the empty IBAN of an account that has none. */
const shown = (person: BankPerson) => ({
  ...person,
  accounts: person.accounts.map(({ iban, ...account }) => ({ ...(iban !== '' && { iban }), ...account })),
});

function firstAccount({ accounts }: BankPerson): { iban?: string; balance?: string } {
  const [first] = accounts;
  if (first === undefined) return {};
  return { ...(first.iban !== '' && { iban: first.iban }), balance: `${first.balance} ${first.currency}` };
}

const numberOf = ({ iban, bban, msisdn }: BankPerson['accounts'][number]) =>
  [iban, bban, msisdn].find((number) => number !== undefined && number !== '') ?? '';

function methodIds({ methods }: BankPerson): string {
  return methods.map(({ id }) => id).join(', ');
}
