import type { Flags, OptionsOf, Register, Run } from '../../command.ts';

const flags = (command: Flags) => command.argument('[command...]', 'words of a command, or a topic');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Help on a command or a topic',
      examples: ['obk help payment init', 'obk help exit-codes', 'obk help flags'],
      more: [
        'obk help exit-codes',
        'obk help errors',
        'obk help flags',
        'obk help environment',
        'obk help references',
      ],
    },
    run,
  );

const run: Run<Options> = async (context, { command }) => {
  const text = await context.helpPage(command);
  return { kind: 'data', data: { command: command.join(' '), text }, text: () => text };
};
