import type { Tenants } from '../trust/call.ts';
import { isTenantName } from '../../base/profile-name.ts';
import { tenantNameTakes, TooManyTenants } from '../trust/tenants.ts';
import type { ControlCall, ControlHandler } from './control-call.ts';
import { badRequest, noTenant, Problem } from './problem.ts';

/** Those who have a ledger of their own. */
export const tenants = {
  listTenants: ({ bank: { tenants: known } }) => ({
    status: 200,
    body: { by: known?.by ?? null, tenants: known?.all() ?? [] },
  }),
  getTenant: (call) => ({ status: 200, body: knownTenant(call) }),
  async createTenant(call) {
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
  async deleteTenant(call) {
    const found = knownTenant(call);
    await needTenants(call).remove(found.name);
    return { status: 200, body: found };
  },
} as const satisfies Readonly<Record<string, ControlHandler>>;

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
