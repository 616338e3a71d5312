import type { Register, Run } from '../../command.ts';

export const register: Register = (parent, start) =>
  start(
    parent.command('export'),
    {
      about: 'Print the bank inside as it stands as a file for obk sandbox start --config',
      examples: ['obk sandbox export --output bank.yaml'],
      more: ['obk help sandbox start', 'obk help sandbox schema'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  const config = await context.ports.bank.exportConfig();
  return { kind: 'data', data: { config }, text: () => config.replace(/\n$/, '') };
};
