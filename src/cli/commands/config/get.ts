import { rowSchema } from '../../../base/fields.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { cellText } from '../../render/table.ts';
import { checkKey } from '../profile/setting-keys.ts';
import { ownKeys } from './change.ts';
import { settingFields, settingRows } from './setting-rows.ts';

const flags = (command: Flags) => command.argument('<key>', 'such as baseUrl or psu.id');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      prints: { name: 'setting', schema: rowSchema(settingFields) },
      about: 'Print one setting as it is in force; nothing where it is not set',
      examples: ['obk config get activeProfile', 'obk config get timeoutMs --json'],
      exits: [3],
      more: ['obk help config list'],
    },
    run,
  );

const run: Run<Options> = async (context, { key }) => {
  checkKey(key, [...ownKeys, 'requireEnvironment']);
  const found = (await settingRows(context)).find((row) => row.key === key);
  return {
    kind: 'data',
    data: found ?? { key, value: null, origin: null, from: null },
    text: () => (found === undefined ? '' : cellText(found.value)),
    ...(found === undefined ? {} : { name: key }),
  };
};
