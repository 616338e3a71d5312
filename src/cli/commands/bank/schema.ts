import type { Register, Run } from '../../command.ts';
import { bankSchema } from '../../../settings/profile/bank-schema.ts';

export const register: Register = (command, start) =>
  start(
    command,
    {
      about: 'Print the JSON Schema of the file that describes a bank: every setting, with what it means',
      examples: ['obk bank schema --output bank-file.schema.json'],
      more: ['obk help bank lint', 'obk help profile create'],
    },
    run,
  );

const run: Run<object> = () => {
  const data = bankSchema();
  return Promise.resolve({ kind: 'data', data, text: () => JSON.stringify(data, null, 2) });
};
