// The reference pages of docs, each made from a table of the program. `npm run completions` writes them.
import { definitions } from '../../../src/bank/books/people-seed.ts';
import { optionPeople } from '../../../src/bank/books/people-options.ts';
import type { Definition } from '../../../src/bank/books/people.ts';
import { switches } from '../../../src/bank/rules/scenario.ts';
import type { Switch } from '../../../src/bank/rules/policy.ts';
import { policy } from '../../../src/bank/rules/policy.ts';
import { variables } from '../../../src/cli/commands/help/environment.ts';
import { errorMeanings } from '../../../src/cli/commands/help/errors.ts';
import { exitMeanings } from '../../../src/cli/commands/output/exit-meanings.ts';
import { doorKeys, doors, doorVariable } from '../../../src/settings/doors/table.ts';
import { bankRows } from '../../../src/settings/profile/bank.ts';
import { rowsByKey } from '../../../src/settings/profile/keys.ts';
import type { SettingRow } from '../../../src/settings/profile/row.ts';

const note = '<!-- Made from the tables of obk by `npm run completions`; a test compares it. -->';

type Cells = readonly string[];

/** A text in a cell of a table: what Markdown would read as its own is escaped. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/[<>*]/g, '\\$&').trim();
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
const codes = (texts: readonly string[]): string => texts.map(code).join(', ');

const table = (titles: Cells, rows: readonly Cells[]): string =>
  [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const page = (title: string, intro: string, ...parts: readonly string[]): string =>
  `${[`# ${title}`, note, intro, ...parts].join('\n\n')}\n`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const ended = (text: string): string => (/[.:!?]$/.test(text) ? text : `${text}.`);

/** Settings whose row has neither a flag nor a sentence of its own. */
const meanings: Readonly<Record<string, string>> = {
  'psu.context': 'Further headers about the customer (`psu.context.PSU-User-Agent`)',
  tokenStore: 'Where OAuth2 tokens are kept',
  'state.store': 'Where the state is kept',
  'state.urlFrom': 'Reference to the URL of the PostgreSQL database that holds the state',
  'state.keyFrom': 'Reference to the key that encrypts the state in that database',
  'state.oldKeyFrom': 'Reference to the previous key, while it is being replaced',
  'state.schema': 'Schema of that database; `obk` if not set',
  'answers.digest': 'What to do with an answer whose digest is wrong; `verify` if not set',
  currency: 'Currency of amounts that name none',
  bankVars: 'Values of the variables in the addresses of the bank (`bankVars.NAME`)',
  'oauth.clientSecretFrom': 'Reference to the client_secret of OAuth2',
};

function settingRow([key, row]: readonly [string, SettingRow]): Cells {
  const meaning = meanings[key] ?? cell(row.help ?? row.means ?? '');
  if (meaning === '') throw new Error(`${key} has no meaning`);
  const values =
    row.kind === 'choice' ? codes(row.values) : row.kind === 'yes-no' ? codes(['true', 'false']) : '';
  const standard = 'otherwise' in row ? code(String(row.otherwise)) : '';
  return [code(key), row.flag === undefined ? '' : code(row.flag), ended(capital(meaning)), values, standard];
}

const settingTitles = ['Setting', 'Flag', 'Meaning', 'Values', 'Default'];
const isOfBank = ([key]: readonly [string, SettingRow]): boolean =>
  Object.hasOwn(bankRows, key.split('.')[0] ?? '');
const own = [...rowsByKey].filter((entry) => !isOfBank(entry) || entry[1].side === 'own');
const ofBank = [...rowsByKey].filter((entry) => isOfBank(entry) && entry[1].side !== 'own');

/** A setting of a bank by its dotted keys; `signing` is one row in a profile and many in a description. */
function leaves([key, row]: readonly [string, SettingRow]): (readonly [string, SettingRow])[] {
  return row.kind === 'group'
    ? Object.entries(row.members).flatMap(([name, member]) => leaves([`${key}.${name}`, member]))
    : [[key, row]];
}

function bankRow(entry: readonly [string, SettingRow]): Cells {
  const [key = '', , ...rest] = settingRow(entry);
  const { side } = entry[1];
  return [key, ...rest, side === undefined ? '' : side === 'people' ? 'readers' : side];
}

const switchTable = (chosen: Readonly<Record<string, Switch>>): string =>
  table(
    ['Switch', 'What it decides', 'Values; the first is the default'],
    Object.entries(chosen).map(([name, { about, values, open }]) => [
      code(name),
      `${cell(about)} …`,
      [
        ...Object.entries(values).map(([value, meaning]) => `${code(value)}: ${cell(meaning)}`),
        ...(open === undefined ? [] : [`or ${cell(open.takes)}`]),
      ].join('<br>'),
    ]),
  );

const people = (chosen: readonly Definition[]): string =>
  table(
    ['PSU-ID', 'Approach', 'Started by', 'SCA methods', 'What happens'],
    chosen.map(({ psuId, approaches, start, methods, description }) => [
      code(psuId),
      approaches.join(', '),
      start === 'implicit' ? 'bank' : 'TPP',
      methods.map(({ id }) => id).join(', '),
      cell(description),
    ]),
  );

const scenario = Object.fromEntries(
  Object.entries(switches).filter(([name]) => !Object.hasOwn(policy, name)),
);

/** Every reference page by its path. */
export const referencePages: Readonly<Record<string, string>> = {
  'docs/reference/settings.md': page(
    'Settings of a profile',
    'Which settings can a profile have? Set one with `obk profile edit NAME FLAG VALUE`, or with\n' +
      '`obk config set SETTING VALUE --profile NAME`. `obk config list --profile NAME` shows those in force and where each comes\n' +
      'from. The settings that describe a bank are [on their own page](bank-settings.md).',
    table(
      settingTitles,
      own.map((entry) => settingRow(entry)),
    ),
  ),
  'docs/reference/bank-settings.md': page(
    'Settings of a bank description',
    'Which settings can describe a bank? They are in the file of `--bank FILE`, and each can be changed in a profile with\n' +
      '`--set SETTING=VALUE`. [Describing a bank](../bank-description.md) explains how they work together;\n' +
      '`obk bank schema` prints them as a JSON Schema for an editor.\n\n' +
      'The last column names who acts on a setting if not both sides do: `tpp` (the built-in bank ignores it), `bank` (obk as a\n' +
      'client ignores it), or its readers.',
    table(
      ['Setting', 'Meaning', 'Values', 'Default', 'Only for'],
      ofBank.flatMap((entry) => leaves(entry)).map((entry) => bankRow(entry)),
    ),
  ),
  'docs/reference/variables.md': page(
    'Environment variables',
    'Which environment variables does obk read? A flag overrides a variable, and a variable overrides the project file\n' +
      '(`.obk.json`) and the profile. `obk help environment` prints the same list.',
    table(
      ['Variable', 'Meaning'],
      variables.map(([names, meaning]) => [codes(names.split(', ')), ended(capital(cell(meaning)))]),
    ),
  ),
  'docs/reference/exit-codes.md': page(
    'Exit codes and error codes',
    'What does an exit code mean, and who must act? The codes do not change between releases. `obk help exit-codes` and\n' +
      '`obk help errors` print these tables, and `obk explain CODE` explains one code.',
    '## Exit codes',
    table(
      ['Exit', 'Name', 'Meaning', 'What to do', 'Who'],
      exitMeanings.map(({ code: exit, name, long, advice, who }) => [
        String(exit),
        code(name),
        cell(long),
        cell(advice),
        who === 'nobody' ? '' : who,
      ]),
    ),
    '## Error codes',
    'With `--json`, the last line on stderr is an object whose member `error.code` is one of these. If the bank refused a call,\n' +
      '`error.tppMessages` holds its own codes, and these may lead to another exit code.',
    table(
      ['Error code', 'Exit', 'Meaning'],
      errorMeanings.map(({ code: name, exit, meaning }) => [code(name), String(exit), cell(meaning)]),
    ),
  ),
  'docs/reference/customers.md': page(
    'Customers of the built-in bank',
    'Which customer do I need for a test? The PSU-ID chooses what happens. `obk sandbox people` prints the customers with their\n' +
      'accounts, passwords and one-time passwords; `obk sandbox people PSU-ID` prints one.',
    '## The standard customers',
    people(definitions),
    '## One customer for each option',
    '`obk sandbox start --people options` adds these. They are the same at every start, with the password `password` and the\n' +
      'one-time password `123456`.',
    people(optionPeople),
  ),
  'docs/reference/switches.md': page(
    'Switches of the built-in bank',
    'How can the built-in bank differ from its default? `obk sandbox scenario set NAME VALUE` sets a switch for all customers,\n' +
      '`obk sandbox scenario` shows them, and a file of `--config` holds them under `scenario` or `policy`. Each value completes\n' +
      'the sentence before it.',
    '## Policy: what a bank decides for all its customers',
    switchTable(policy),
    '## Scenario: how the bank behaves on the wire',
    switchTable(scenario),
  ),
  'docs/reference/doors.md': page(
    'Doors of the built-in bank',
    'How is the built-in bank reached, and who may call it? Each door is a flag of `obk sandbox start`, a variable, and a key of\n' +
      '`doors` in a file of `--config`. A flag overrides a variable, and a variable overrides the file.',
    table(
      ['Flag', 'Variable', 'Key', 'Meaning', 'Values', 'Default'],
      doorKeys.map((key) => {
        const door: (typeof doors)[typeof key] & {
          readonly value?: string;
          readonly choices?: readonly string[];
          readonly standard?: string;
        } = doors[key];
        return [
          code([door.flag, door.value].filter(Boolean).join(' ')),
          code(doorVariable(key)),
          code(key),
          ended(capital(cell(door.about))),
          codes(door.choices ?? []),
          door.standard === undefined ? '' : code(door.standard),
        ];
      }),
    ),
  ),
};
