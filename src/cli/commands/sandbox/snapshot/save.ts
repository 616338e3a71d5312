import type { Register, Run } from '../../../command.ts';

interface Options {
  name: string;
}

export const register: Register = (parent, start) =>
  start(
    parent.command('save').argument('<name>', 'letters, digits, - and _'),
    {
      about: 'Save the bank inside as it stands, under a name; an earlier snapshot of that name is replaced',
      examples: ['obk sandbox snapshot save before-the-test'],
      more: ['obk help sandbox snapshot list', 'obk help sandbox reset'],
    },
    run,
  );

const run: Run<Options> = async (context, { name }) => {
  const snapshot = await context.ports.bank.snapshot('save', name);
  return { kind: 'data', data: snapshot, text: () => `Saved: ${snapshot.name}`, name: snapshot.name };
};
