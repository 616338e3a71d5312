import { columnsOf, needed, rowsAs } from '../../../base/fields.ts';
import { any, list, map, text, textOrNull } from '../../../base/schema.ts';
import type { Register, Run } from '../../command.ts';
import type { BankSettings } from '../../../settings/records/profile.ts';
import { bankTemplates } from '../../../settings/banks/templates.ts';
import { settingsByKey } from '../profile/setting-keys.ts';

const fields = {
  name: needed(text, 'NAME'),
  about: needed(text, 'ABOUT'),
  met: needed(textOrNull, 'MET'),
  sets: needed(list(text), 'SETS', { wide: true }),
  settings: needed(map(any)),
  byFramework: needed(map(any)),
};

export const register: Register = (command, start) =>
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
    run,
  );

/** The release of its software that a template has met, and when; null where it never met one that runs. */
const metBy = ({ meta: { met } = {} }: BankSettings): string | null =>
  met === undefined ? null : `${met.release}, ${met.on}`;

const run: Run<object> = () =>
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
