import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { notEmpty } from '../flags/sca-options.ts';
import { migratedText, siteText, stateOptions } from './state-options.ts';

const flags = (command: Flags) =>
  stateOptions(
    command.option('--role <NAME>', 'role that daily runs use (obk_app)', notEmpty('--role'), 'obk_app'),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Make the files of the state, or the tables of one that machines share, and print the SQL of a role that may use these and no more',
      examples: [
        'obk state init',
        'obk state init --url-from env:OBK_OWNER_URL --output role.sql',
        'obk state init --role ci_runner',
      ],
      exits: [3],
      more: ['obk help state migrate', 'obk help state doctor', 'obk help config set'],
    },
    run,
  );

const run: Run<Options> = async (context, { role }) => {
  const made = await context.ports.stateStore.make(role);
  const { statements } = made;
  return {
    kind: 'data',
    data: { ...made, role },
    // Of a database it is a script for psql as it stands.
    text: () => [`${statements.length === 0 ? '' : '-- '}${migratedText(made)}`, ...statements].join('\n'),
    name: siteText(made),
    next: ['obk state doctor'],
  };
};
