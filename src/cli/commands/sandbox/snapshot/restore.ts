import type { Register, Run } from '../../../command.ts';

interface Options {
  name: string;
}

export const register: Register = (parent, start) =>
  start(
    parent.command('restore').argument('<name>', 'letters, digits, - and _'),
    {
      about:
        'Put the bank inside back as it was: people, payments, consents, scenario, clock, faults and calls',
      examples: ['obk sandbox snapshot restore before-the-test'],
      more: ['obk help sandbox snapshot list', 'obk help sandbox reset'],
    },
    run,
  );

const run: Run<Options> = async (context, { name }) => {
  const snapshot = await context.ports.bank.snapshot('restore', name);
  return { kind: 'data', data: snapshot, text: () => `Restored: ${snapshot.name}`, name: snapshot.name };
};
