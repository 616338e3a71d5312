import { columnsOf, needed, rowSchema, rowsAs } from '../../../base/fields.ts';
import { text } from '../../../base/schema.ts';
import type { Register, Registers } from '../../command.ts';
import { ObkError } from '../../../base/errors.ts';
import { isTenantName, tenantNameTakes } from '../../../base/profile-name.ts';

const fields = {
  name: needed(text, 'NAME'),
  path: needed(text, 'PATH OF ITS PAGES'),
};

/** The commands that act on one tenant, each by an operation of the bank. */
function ofOne(
  operation: 'createTenant' | 'deleteTenant',
  { about, example, more, done }: { about: string; example: string; more: string; done: string },
): Register {
  return (command, start) =>
    start(
      command.argument('<name>', 'organizationIdentifier, or value of the header'),
      {
        prints: { name: 'tenant', schema: rowSchema(fields) },
        about,
        examples: [example],
        more: ['obk help sandbox tenant list', more],
      },
      async (context, { name }) => {
        needTenantName(name);
        const tenant = await context.ports.bank.control(operation, { path: { tenant: name } });
        return { kind: 'data', data: tenant, text: () => `${done}: ${tenant.name}`, name: tenant.name };
      },
    );
}

export const register: Registers = {
  list: (command, start) =>
    start(
      command,
      { prints: rowsAs('tenants', fields), examples: ['obk sandbox tenant list'] },
      async ({ ports: { bank } }) => ({
        kind: 'rows',
        columns: columnsOf(fields),
        rows: (await bank.control('listTenants')).tenants.map((tenant) => ({ ...tenant })),
        nameKey: 'name',
        empty: 'There is no tenant; the first call of one makes it.',
      }),
    ),
  create: ofOne('createTenant', {
    about:
      'Make a tenant of the bank inside; its first call makes it as well, and one that is there stays as it is',
    example: 'obk sandbox tenant create team-a',
    more: 'obk help sandbox start',
    done: 'Tenant',
  }),
  delete: ofOne('deleteTenant', {
    about: 'Delete a tenant of the bank inside with its ledger and its snapshots',
    example: 'obk sandbox tenant delete team-a',
    more: 'obk help sandbox reset',
    done: 'Deleted',
  }),
};

/** Throws USAGE for a text that cannot name a tenant. */
function needTenantName(text: string): void {
  if (isTenantName(text)) return;
  throw new ObkError({
    code: 'USAGE',
    title: `${JSON.stringify(text)} cannot be the name of a tenant.`,
    detail: `A name has ${tenantNameTakes}.`,
    hint: ['obk sandbox tenant create team-a'],
  });
}
