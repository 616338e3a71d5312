import { ObkError } from '../../base/errors.ts';
import { isTenantName, tenantKey, tenantPath } from '../../base/profile-name.ts';
import { parseUrl } from '../../base/url.ts';
import type { Doors } from '../../settings/doors/doors.ts';

/** There are as many tenants as a bank may have. */
export class TooManyTenants extends Error {
  readonly most: number;

  constructor(most: number) {
    super(`This bank has ${String(most)} tenants, and may have no more.`);
    this.most = most;
  }
}

/** What the name of a tenant is made of, in words. */
export const tenantNameTakes =
  '1 to 64 letters, digits, blanks and . _ : @ + -, with a letter or digit first and no blank last';

/** Throws USAGE for a text that cannot name a tenant. */
export function needTenantName(text: string): void {
  if (!isTenantName(text))
    throw new ObkError({
      code: 'USAGE',
      title: `${JSON.stringify(text)} cannot be the name of a tenant.`,
      detail: `A name has ${tenantNameTakes}.`,
      hint: ['obk sandbox tenant create team-a'],
    });
}

/** The doors of the bank as a tenant has them: its links begin with its path. */
export function doorsOfTenant(doors: Doors, name: string): Doors {
  const path = tenantPath(tenantKey(name));
  return {
    ...doors,
    basePath: doors.basePath + path,
    publicUrl: doors.publicUrl === undefined ? undefined : doors.publicUrl + path,
  };
}

/** Whether a link to a page may be one of this bank: that of a tenant names it, as every link of the tenant does. */
export function isOwnLink({ tenant }: { tenant?: string }, link: string): boolean {
  const [, key] =
    /\/tenant\/([a-z0-9_-]+)\/(?:sca|oauth|login)\/[^/]+$/.exec(parseUrl(link)?.pathname ?? '') ?? [];
  return tenant === undefined || key === undefined || key === tenantKey(tenant);
}
