import type { Tenants } from '../trust/call.ts';
import { isTenantName, tenantNameTakes } from '../../base/profile-name.ts';
import { TooManyTenants } from '../trust/tenants.ts';
import type { ControlCall, Operations } from './control-call.ts';
import { badRequest, noTenant, Problem } from './problem.ts';
import { list, named, object, orNull, text } from '../openapi/schema.ts';
import { inPath } from '../openapi/operation.ts';

const tenant = { name: 'team-a', path: '/tenant/team-a' };

const Tenant = named(
  'Tenant',
  object(
    {
      name: text('The organizationIdentifier or the value of the header.'),
      path: text('In front of the paths of its pages and of its OAuth server, which carry no header.'),
    },
    {},
    'One of those who have a ledger of their own, with its own people, scenario, clock, faults, calls, events and snapshots.',
  ),
);

const byTenant = inPath(
  'tenant',
  'The name of the tenant: an organizationIdentifier, or a value of the header.',
  'team-a',
  text(undefined, { pattern: '^[A-Za-z0-9](?:[A-Za-z0-9 ._:@+-]{0,62}[A-Za-z0-9._:@+-])?$', maxLength: 64 }),
);

/** Those who have a ledger of their own. */
export const tenants = {
  listTenants: {
    at: 'GET /tenants',
    summary: 'List the tenants',
    about:
      'Those who have a ledger of their own at this bank (`obk sandbox start --tenants`), in the order of their names.',
    gives: {
      status: 200,
      about: 'The tenants.',
      schema: object({
        by: orNull(
          text(
            'What tenants are named after: `certificate`, or `header:` and the name of the header; null where the bank has one ledger for all.',
          ),
        ),
        tenants: list(Tenant),
      }),
      example: { by: 'header:X-Tenant', tenants: [tenant] },
    },
    run: ({ bank: { tenants: known } }) => ({
      status: 200,
      body: { by: known?.by ?? null, tenants: known?.all() ?? [] },
    }),
  },
  getTenant: {
    at: 'GET /tenants/{tenant}',
    summary: 'Show a tenant',
    about: 'Its other paths are those of this document, below this one: `/tenants/team-a/people`.',
    parameters: [byTenant],
    gives: { status: 200, about: 'The tenant.', schema: Tenant, example: tenant },
    also: [404],
    run: (call) => ({ status: 200, body: knownTenant(call) }),
  },
  createTenant: {
    at: 'PUT /tenants/{tenant}',
    summary: 'Make a tenant',
    about:
      'A tenant is made by its first call as well; one that is there stays as it is. There are at most 100.',
    parameters: [byTenant],
    gives: { status: 200, about: 'The tenant.', schema: Tenant, example: tenant },
    also: [409],
    async run(call) {
      const known = needTenants(call);
      const name = call.path['tenant'] ?? '';
      if (!isTenantName(name))
        throw badRequest(
          `${JSON.stringify(name)} is no name of a tenant.`,
          `It has ${tenantNameTakes}.`,
          'tenant',
        );
      try {
        (await known.takeOrMake(name)).release();
      } catch (error) {
        if (error instanceof TooManyTenants)
          throw conflict(`There are ${String(error.most)} tenants.`, 'The bank has no more than these.', [
            'DELETE /sandbox/api/tenants/{tenant}',
          ]);
        throw error;
      }
      return { status: 200, body: knownTenant(call) };
    },
  },
  deleteTenant: {
    at: 'DELETE /tenants/{tenant}',
    summary: 'Forget a tenant',
    about: 'Its ledger and snapshots are gone, and its streams end. A later call under the name begins anew.',
    parameters: [byTenant],
    gives: { status: 200, about: 'The tenant that is forgotten.', schema: Tenant, example: tenant },
    also: [404],
    async run(call) {
      const found = knownTenant(call);
      await needTenants(call).remove(found.name);
      return { status: 200, body: found };
    },
  },
} as const satisfies Operations;

function needTenants({ bank }: ControlCall): Tenants {
  if (bank.tenants !== undefined && bank.tenant === undefined) return bank.tenants;
  if (bank.tenant !== undefined)
    throw conflict('A tenant has no tenants.', 'They are those of the bank as a whole.', [
      'GET /sandbox/api/tenants',
    ]);
  throw conflict('This bank has no tenants.', 'It has one ledger for all TPPs.', [
    'obk sandbox start --tenants header:X-Tenant',
  ]);
}

function knownTenant({ bank, path }: ControlCall): object & { name: string } {
  const name = path['tenant'] ?? '';
  const found = bank.tenants?.find(name);
  if (found === undefined) throw noTenant(name);
  return found;
}

const conflict = (title: string, detail: string, next: readonly string[]): Problem =>
  new Problem(409, { title, detail, next });

/** 400: the bank as a whole has no ledger that a TPP reaches. */
export function needTenant({ bank }: Pick<ControlCall, 'bank'>): void {
  if (bank.tenants === undefined || bank.tenant !== undefined) return;
  throw badRequest(
    'The path names no tenant.',
    'Each tenant of this bank has a ledger of its own, and is steered below /sandbox/api/tenants/{tenant}.',
    undefined,
    ['GET /sandbox/api/tenants', 'POST /sandbox/api/tenants/team-a/reset'],
  );
}
