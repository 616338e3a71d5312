import type { Register, Run } from '../../../command.ts';

interface Options {
  name: string;
}

export const register: Register = (parent, start) =>
  start(
    parent.command('delete').argument('<name>', 'letters, digits, - and _'),
    {
      about: 'Delete a snapshot of the bank inside',
      examples: ['obk sandbox snapshot delete before-the-test'],
      more: ['obk help sandbox snapshot list', 'obk help sandbox reset'],
    },
    run,
  );

const run: Run<Options> = async (context, { name }) => {
  const snapshot = await context.ports.bank.snapshot('delete', name);
  return { kind: 'data', data: snapshot, text: () => `Deleted: ${snapshot.name}`, name: snapshot.name };
};
