import type { Doors, TenantsBy } from '../../settings/doors/doors.ts';
import { openLedger } from '../books/ledger.ts';
import type { Filling, Ledger } from '../books/ledger.ts';
import type { RunningBank } from '../trust/call.ts';
import { doorsOfTenant } from '../trust/tenants.ts';
import { TenantLedgers } from './tenant-ledgers.ts';
import type { TenantLimits } from './tenant-ledgers.ts';

/** What is needed to open the ledgers of tenants: the one of the bank as a whole, and how a bank is made of a ledger. */
interface Opening {
  by: TenantsBy;
  /** The ledger of the bank as a whole: a file, or `:memory:`; those of the tenants are beside it. */
  path: string;
  /** What a new tenant's ledger holds; without it the people of the bank inside. */
  filling: Filling | undefined;
  make: (ledger: Ledger, doors: Doors, ending: AbortSignal) => RunningBank;
  limits?: TenantLimits;
}

/** The tenants of a bank: each has what the bank as a whole would have, and steers by the same token. */
export function openTenants(whole: RunningBank, { by, path, filling, make, limits }: Opening): TenantLedgers {
  const open = (file: string, name: string, ending: AbortSignal): RunningBank => {
    const ledger = openLedger(file, whole.wallClock.now(), filling);
    try {
      const bank = make(ledger, doorsOfTenant(whole.doors, name), AbortSignal.any([ending, whole.ending]));
      return {
        ...bank,
        tenants,
        tenant: name,
        // The whole bank gets its token once it listens.
        get adminToken() {
          return whole.adminToken;
        },
      };
    } catch (error) {
      ledger.close();
      throw error;
    }
  };
  const folder = path === ':memory:' ? undefined : `${path}.tenants`;
  const tenants = new TenantLedgers({ by, folder, open }, limits);
  return tenants;
}
