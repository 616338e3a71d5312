import type { Registers } from '../../command.ts';

export const register: Registers = {
  export: (command, start) =>
    start(
      command,
      {
        about: 'Print the bank inside as it stands as a file for obk sandbox start --config',
        examples: ['obk sandbox export --output bank.yaml'],
        more: ['obk help sandbox start', 'obk help sandbox schema'],
      },
      async ({ ports: { bank } }) => {
        const config = await bank.control('exportConfig');
        return { kind: 'data', data: { config }, text: () => config.replace(/\n$/, '') };
      },
    ),
  schema: (command, start) =>
    start(
      command,
      {
        about: "Print the JSON Schema of a bank's file, for editors and for reading",
        examples: ['obk sandbox schema --output bank.schema.json'],
        more: ['obk help sandbox start'],
      },
      async ({ ports: { bank } }) => {
        const data = await bank.configSchema();
        return { kind: 'data', data, text: () => JSON.stringify(data, null, 2) };
      },
    ),
};
