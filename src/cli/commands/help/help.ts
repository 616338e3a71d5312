import type { Register, Run } from '../../command.ts';

interface Options {
  command: readonly string[];
}

export const register: Register = (parent, start) =>
  start(
    parent.command('help').argument('[command...]', 'words of a command, or a topic'),
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
