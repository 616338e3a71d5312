import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { frameworkNames } from '../../../standard/xs2a/origin.ts';
import { presets } from '../../../standard/xs2a/variants.ts';
import { oneOf } from '../flags/flag-values.ts';
import { readBank } from '../profile/bank-file.ts';
import { columnsOf, needed, rowsAs } from '../../../base/fields.ts';
import { any, list, map, text, textOrNull } from '../../../base/schema.ts';
import type { BankSettings } from '../../../settings/records/profile.ts';
import { bankTemplates } from '../../../settings/banks/templates.ts';
import { settingsByKey } from '../profile/setting-keys.ts';
import { bankSchema } from '../../../settings/profile/bank-schema.ts';

const showFlags = (command: Flags) =>
  command
    .argument('<bank>', 'a template (obk bank list), or the file of a bank')
    .option('--framework <V>', 'as it is in this framework (1.3.2)', oneOf('--framework', frameworkNames));

type ShowOptions = OptionsOf<typeof showFlags>;

const registerShow: Register = (command, start) =>
  start(
    showFlags(command),
    {
      about:
        'Print all that a template or the file of a bank says, with what it extends, as a file to start from',
      examples: ['obk bank show adorsys-xs2a', 'obk bank show adorsys-xs2a --output bank.json'],
      exits: [3],
      more: ['obk help bank list', 'obk help bank diff', 'obk help profile create'],
    },
    runShow,
  );

const runShow: Run<ShowOptions> = async (context, { bank, framework }) => {
  const data = await readBank(context, bank, (its) => framework ?? its ?? presets.v1.framework);
  return { kind: 'data', data, text: () => JSON.stringify(data, null, 2), name: bank };
};

const fields = {
  name: needed(text, 'NAME'),
  about: needed(text, 'ABOUT'),
  met: needed(textOrNull, 'MET'),
  sets: needed(list(text), 'SETS', { wide: true }),
  settings: needed(map(any)),
  byFramework: needed(map(any)),
};

const registerList: Register = (command, start) =>
  start(
    command,
    {
      about: 'List the templates that profile create --bank takes: what is known of banks on one software',
      examples: [
        'obk bank list',
        'obk bank list --json',
        'obk profile create acme --base-url https://api.acme.example/psd2 --environment test --bank adorsys-xs2a --signing none',
      ],
      prints: rowsAs(
        'bankTemplates',
        fields,
        'Templates of banks, as profile create --bank takes them; byFramework has what differs by the framework.',
      ),
      more: ['obk help profile create', 'obk help bank explain', 'obk help bank lint'],
    },
    runList,
  );

/** The release of its software that a template has met, and when; null where it never met one that runs. */
const metBy = ({ meta: { met } = {} }: BankSettings): string | null =>
  met === undefined ? null : `${met.release}, ${met.on}`;

const runList: Run<object> = () =>
  Promise.resolve({
    kind: 'rows',
    columns: columnsOf(fields),
    rows: bankTemplates.map(({ name, about, settings, byFramework = {} }) => ({
      name,
      about,
      met: metBy(settings),
      sets: [
        ...new Set(
          [settings, ...Object.values(byFramework)].flatMap((one) => settingsByKey(one)).map(([key]) => key),
        ),
      ].filter((key) => !key.startsWith('meta.')),
      settings,
      byFramework,
    })),
    nameKey: 'name',
    empty: 'There are no templates.',
  });

const registerSchema: Register = (command, start) =>
  start(
    command,
    {
      about: 'Print the JSON Schema of the file that describes a bank: every setting, with what it means',
      examples: ['obk bank schema --output bank-file.schema.json'],
      more: ['obk help bank lint', 'obk help profile create'],
    },
    runSchema,
  );

const runSchema: Run<object> = () => {
  const data = bankSchema();
  return Promise.resolve({ kind: 'data', data, text: () => JSON.stringify(data, null, 2) });
};

export const register = {
  show: registerShow,
  list: registerList,
  schema: registerSchema,
};
