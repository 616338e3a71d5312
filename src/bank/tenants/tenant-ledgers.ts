import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TenantsBy, Doors } from '../../settings/doors/doors.ts';
import { damage } from '../books/damage.ts';
import type { RunningBank, TakenBank, Tenant, Tenants } from '../trust/call.ts';
import { isTenantName, nameOfKey, tenantKey, tenantPath } from '../../base/profile-name.ts';
import { TooManyTenants, doorsOfTenant } from '../trust/tenants.ts';
import { openLedger } from '../books/ledger.ts';
import type { Filling, Ledger } from '../books/ledger.ts';

/** How many tenants there may be, how many ledgers stay open at a time, and for how long one that nobody uses does. */
interface TenantLimits {
  most: number;
  open: number;
  idleMs: number;
  /** How long a tenant that is removed waits for the calls that are being answered. */
  graceMs: number;
}

const usualTenantLimits: TenantLimits = { most: 100, open: 16, idleMs: 60_000, graceMs: 2_000 };

/** What the ledgers of tenants need of the bank that serves them. */
export interface TenantHouse {
  by: TenantsBy;
  /** The folder of the ledgers; without one they are in memory, and stay open. */
  folder: string | undefined;
  /** Opens or makes the ledger at a path (`:memory:`), and the bank that works with it. */
  open: (path: string, name: string, ending: AbortSignal) => RunningBank;
}

/** A ledger that is open, and how many use it. */
interface Opened {
  bank: RunningBank;
  ending: AbortController;
  users: number;
  usedAt: number;
}

interface Kept {
  name: string;
  opened?: Opened;
  /** Resolves when the tenant is gone. */
  removing?: Promise<void>;
}

const ofLedger = 'tenant-';
/** First what a ledger that is made anew under the name must not find: snapshots, and changes that are not in it yet. */
const files = ['.snapshots', '.snapshots-journal', '-wal', '-shm', '-journal', ''];

/** The ledgers of the tenants: opened with the first call, closed when nobody needs them. */
export class TenantLedgers implements Tenants {
  readonly by: TenantsBy;
  readonly #house: TenantHouse;
  readonly #limits: TenantLimits;
  readonly #kept: Map<string, Kept>;
  #sweeping: NodeJS.Timeout | undefined;

  constructor(house: TenantHouse, limits: TenantLimits = usualTenantLimits) {
    this.by = house.by;
    this.#house = house;
    this.#limits = limits;
    this.#kept = new Map(namesIn(house.folder).map((name) => [name, { name }]));
  }

  /** How many ledgers are open. */
  get open(): number {
    return [...this.#kept.values()].filter(({ opened }) => opened !== undefined).length;
  }

  all(): Tenant[] {
    return [...this.#kept.values()]
      .filter(({ removing }) => removing === undefined)
      .map(({ name }) => described(name))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  find(name: string): Tenant | undefined {
    const kept = this.#kept.get(name);
    return kept === undefined || kept.removing !== undefined ? undefined : described(name);
  }

  async take(name: string): Promise<TakenBank | undefined> {
    const kept = this.#kept.get(name);
    if (kept === undefined) return undefined;
    if (kept.removing === undefined) return this.#taken(kept);
    await kept.removing;
    return this.take(name);
  }

  async takeOrMake(name: string): Promise<TakenBank> {
    const taken = await this.take(name);
    if (taken !== undefined) return taken;
    if (!isTenantName(name)) throw new Error(`${JSON.stringify(name)} was not checked`);
    if (this.#kept.size >= this.#limits.most) throw new TooManyTenants(this.#limits.most);
    const made: Kept = { name };
    // Opened before it is known: a ledger that cannot be made leaves no tenant behind.
    const bank = this.#taken(made);
    this.#kept.set(name, made);
    return bank;
  }

  async remove(name: string): Promise<void> {
    const kept = this.#kept.get(name);
    if (kept === undefined) return;
    kept.removing ??= this.#remove(kept);
    await kept.removing;
  }

  /** Closes all ledgers. */
  close(): void {
    clearTimeout(this.#sweeping);
    for (const kept of this.#kept.values()) this.#shut(kept);
  }

  #taken(kept: Kept): TakenBank {
    kept.opened ??= this.#open(kept.name);
    const { opened } = kept;
    opened.users += 1;
    let isTaken = true;
    return {
      bank: opened.bank,
      release: () => {
        if (!isTaken) return;
        isTaken = false;
        opened.users -= 1;
        opened.usedAt = performance.now();
        this.#sweep();
      },
    };
  }

  #open(name: string): Opened {
    const { folder } = this.#house;
    const ending = new AbortController();
    const path = folder === undefined ? ':memory:' : this.#pathOf(folder, name);
    return {
      bank: this.#house.open(path, name, ending.signal),
      ending,
      users: 0,
      usedAt: performance.now(),
    };
  }

  #pathOf(folder: string, name: string): string {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw damage(error, folder);
    }
    return join(folder, fileOf(name));
  }

  /** Closes the ledgers that nobody has used for long, and those beyond the bound that were used longest ago. */
  #sweep(): void {
    clearTimeout(this.#sweeping);
    if (this.#house.folder === undefined) return;
    const now = performance.now();
    const free = [...this.#kept.values()]
      .filter(({ opened }) => opened !== undefined && isFree(opened))
      .sort((one, other) => usedAt(one) - usedAt(other));
    let beyond = this.open - this.#limits.open;
    for (const kept of free) {
      if (beyond <= 0 && now - usedAt(kept) < this.#limits.idleMs) break;
      this.#shut(kept);
      beyond -= 1;
    }
    if (this.open === 0) return;
    this.#sweeping = setTimeout(() => {
      this.#sweep();
    }, this.#limits.idleMs).unref();
  }

  #shut(kept: Kept): void {
    const { opened } = kept;
    if (opened === undefined) return;
    delete kept.opened;
    opened.ending.abort();
    opened.bank.pushes.close();
    opened.bank.ledger.close();
  }

  async #remove(kept: Kept): Promise<void> {
    const { opened } = kept;
    opened?.ending.abort();
    for (const until = performance.now() + this.#limits.graceMs; performance.now() < until;) {
      if (opened === undefined || opened.users === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    this.#shut(kept);
    const { folder } = this.#house;
    try {
      if (folder !== undefined)
        for (const end of files) rmSync(join(folder, fileOf(kept.name)) + end, { force: true });
      this.#kept.delete(kept.name);
    } finally {
      delete kept.removing;
    }
  }
}

const described = (name: string): Tenant => ({ name, path: tenantPath(tenantKey(name)) });

const fileOf = (name: string): string => `${ofLedger}${tenantKey(name)}.db`;

const usedAt = ({ opened }: Kept): number => opened?.usedAt ?? 0;

const isFree = ({ users, bank }: Opened): boolean => users === 0 && !bank.pushes.isBusy();

function namesIn(folder: string | undefined): string[] {
  if (folder === undefined || !existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => {
    const [, key] = /^tenant-([a-z0-9_-]+)\.db$/.exec(file) ?? [];
    return (key !== undefined && nameOfKey(key)) || [];
  });
}

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
