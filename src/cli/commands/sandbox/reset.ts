import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { ObkError } from '../../../base/errors.ts';
import { question } from '../flags/prompts.ts';

const flags = (command: Flags) => command.option('-y, --yes', 'do not ask');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Give the bank inside a new ledger: balances as on the first day, no payments, new passwords',
      examples: ['obk sandbox reset --yes'],
    },
    run,
  );

const run: Run<Options> = async (context, { yes }) => {
  const { person, bank } = context.ports;
  if (yes !== true && person.present) {
    const agreed = await person.confirm(question('yes', 'Forget all payments of the bank inside?'));
    if (!agreed) throw new ObkError({ code: 'NOT_CONFIRMED', title: 'Nothing was reset.' });
  }
  await bank.reset();
  return { kind: 'data', data: { reset: true }, text: () => 'The bank inside begins anew.' };
};
