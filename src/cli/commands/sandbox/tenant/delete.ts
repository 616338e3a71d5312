import type { Register, Run } from '../../../command.ts';

interface Options {
  name: string;
}

export const register: Register = (parent, start) =>
  start(
    parent.command('delete').argument('<name>', 'organizationIdentifier, or value of the header'),
    {
      about: 'Delete a tenant of the bank inside with its ledger and its snapshots',
      examples: ['obk sandbox tenant delete team-a'],
      more: ['obk help sandbox tenant list', 'obk help sandbox reset'],
    },
    run,
  );

const run: Run<Options> = async (context, { name }) => {
  const tenant = await context.ports.bank.tenant('delete', name);
  return { kind: 'data', data: tenant, text: () => `Deleted: ${tenant.name}`, name: tenant.name };
};
