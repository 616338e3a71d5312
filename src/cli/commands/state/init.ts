import type { Register, Run } from '../../command.ts';
import type { StateMigrated } from '../../../client/ports/state-store.ts';
import { notEmpty } from '../flags/sca-options.ts';
import { stateOptions } from './state-options.ts';

interface Options {
  urlFrom?: string;
  role: string;
}

export const register: Register = (parent, start) =>
  start(
    stateOptions(
      parent
        .command('init')
        .option('--role <NAME>', 'role that daily runs use (obk_app)', notEmpty('--role'), 'obk_app'),
    ),
    {
      about:
        'Make the tables of a state that machines share, and print the SQL of a role that may use them and no more',
      examples: [
        'obk state init --url-from env:OBK_OWNER_URL --output role.sql',
        'obk state init --role ci_runner',
      ],
      exits: [3],
      more: ['obk help state migrate', 'obk help state doctor', 'obk help config set'],
    },
    run,
  );

const run: Run<Options> = async (context, { role }) => {
  const { stateStore } = context.ports;
  const statements = await stateStore.roleStatements(role);
  const made = await stateStore.make();
  return {
    kind: 'data',
    data: { ...made, role, statements },
    // It is a script for psql as it stands.
    text: () => [`-- ${saidOf(made)}`, ...statements].join('\n'),
    name: made.schema,
    next: ['obk state doctor'],
  };
};

/** The outcome of a migration in one line. */
export function saidOf({ server, schema, before, after }: StateMigrated): string {
  const where = `schema ${schema} of ${server}`;
  if (before === after) return `Nothing to do: ${where} is of version ${String(after)}.`;
  return before === 0
    ? `Made: ${where}, version ${String(after)}.`
    : `Migrated: ${where}, from version ${String(before)} to ${String(after)}.`;
}
