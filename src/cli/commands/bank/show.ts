import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { frameworkNames } from '../../../standard/xs2a/origin.ts';
import { presets } from '../../../standard/xs2a/variants.ts';
import { oneOf } from '../flags/flag-values.ts';
import { readBank } from '../profile/bank-file.ts';

const flags = (command: Flags) =>
  command
    .argument('<bank>', 'a template (obk bank list), or the file of a bank')
    .option('--framework <V>', 'as it is in this framework (1.3.2)', oneOf('--framework', frameworkNames));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Print all that a template or the file of a bank says, with what it extends, as a file to start from',
      examples: ['obk bank show adorsys-xs2a', 'obk bank show adorsys-xs2a --output bank.json'],
      exits: [3],
      more: ['obk help bank list', 'obk help bank diff', 'obk help profile create'],
    },
    run,
  );

const run: Run<Options> = async (context, { bank, framework }) => {
  const data = await readBank(context, bank, (its) => framework ?? its ?? presets.v1.framework);
  return { kind: 'data', data, text: () => JSON.stringify(data, null, 2), name: bank };
};
