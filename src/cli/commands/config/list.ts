import { columnsOf, rowsAs } from '../../../base/fields.ts';
import { settingFields, settingRows } from './setting-rows.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';

const flags = (command: Flags) =>
  command.option('--show-origin', 'say what gives each setting (always in JSON)');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      prints: rowsAs(
        'settings',
        settingFields,
        'The settings in force; a value is text, a number, true, false or a list.',
      ),
      about: 'List the settings in force: of the profile, of variables, and what holds without any',
      examples: ['obk config list --show-origin', 'obk config list --profile sandbox --json'],
      exits: [3],
      more: ['obk help environment', 'obk help profile edit'],
    },
    run,
  );

const run: Run<Options> = async (context, { showOrigin = false }) => ({
  kind: 'rows',
  columns: columnsOf(settingFields, { origin: { wide: !showOrigin }, from: { wide: !showOrigin } }),
  rows: (await settingRows(context)).map((row) => ({ ...row })),
  nameKey: 'key',
  empty: 'There are no settings.',
});
