import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { actOn } from './by-id.ts';

const flags = (command: Flags) =>
  command.argument('<of>', 'number of a notification, or the id of its payment, consent or basket (@last)');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Have the bank inside push a notification again, which it never does by itself',
      examples: ['obk sandbox resend ID', 'obk sandbox log --notifications   # the numbers'],
      more: ['obk help sandbox log', 'obk help listen'],
    },
    run,
  );

const run: Run<Options> = async (context, { of }) => {
  const again = await actOn(context, { id: of, nouns: ['payment', 'consent', 'basket'] }, (id) =>
    context.ports.bank.control('resendNotification', { body: { of: id } }),
  );
  return {
    kind: 'data',
    data: again,
    text: () => `Notification ${String(again.resent)} is pushed again.`,
    name: String(again.resent),
  };
};
