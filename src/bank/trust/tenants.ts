import { tenantKey, tenantPath } from '../../base/profile-name.ts';
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
