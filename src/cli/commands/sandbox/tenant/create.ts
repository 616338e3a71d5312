import type { Register, Run } from '../../../command.ts';

interface Options {
  name: string;
}

export const register: Register = (parent, start) =>
  start(
    parent.command('create').argument('<name>', 'organizationIdentifier, or value of the header'),
    {
      about:
        'Make a tenant of the bank inside; its first call makes it as well, and one that is there stays as it is',
      examples: ['obk sandbox tenant create team-a'],
      more: ['obk help sandbox tenant list', 'obk help sandbox start'],
    },
    run,
  );

const run: Run<Options> = async (context, { name }) => {
  const tenant = await context.ports.bank.tenant('create', name);
  return { kind: 'data', data: tenant, text: () => `Tenant: ${tenant.name}`, name: tenant.name };
};
