import type { Register, Run } from '../../command.ts';

export const register: Register = (parent, start) =>
  start(
    parent.command('schema'),
    {
      about: "Print the JSON Schema of a bank's file, for editors and for reading",
      examples: ['obk sandbox schema --output bank.schema.json'],
      more: ['obk help sandbox start'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  const data = await context.ports.bank.configSchema();
  return { kind: 'data', data, text: () => JSON.stringify(data, null, 2) };
};
