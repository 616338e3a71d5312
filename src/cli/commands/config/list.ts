import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { settingRows } from './setting-rows.ts';

const flags = (command: Flags) =>
  command.option('--show-origin', 'say what gives each setting (always in JSON)');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'List the settings in force: of the profile, of variables, and what holds without any',
      examples: ['obk config list --show-origin', 'obk config list --profile sandbox --json'],
      exits: [3],
      more: ['obk help environment', 'obk help profile edit'],
    },
    run,
  );

const run: Run<Options> = async (context, { showOrigin = false }) => ({
  kind: 'rows',
  columns: [
    { key: 'key', title: 'KEY' },
    { key: 'value', title: 'VALUE' },
    { key: 'origin', title: 'ORIGIN', wide: !showOrigin },
    { key: 'from', title: 'FROM', wide: !showOrigin },
  ],
  rows: (await settingRows(context)).map((row) => ({ ...row })),
  nameKey: 'key',
  empty: 'There are no settings.',
});
