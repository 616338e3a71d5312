import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { BankHome } from '../home/bank-home.ts';
import { damage } from '../books/damage.ts';
import { ensureKeys, trustedAuthorities } from '../home/keys.ts';
import { stopBank } from '../home/whereabouts.ts';

/** Begins anew whatever state the folder is in: what cannot be emptied is taken away with all that is beside it. */
export async function resetAlways(house: BankHome, usual: () => Promise<void>): Promise<void> {
  try {
    await usual();
    trustedAuthorities(house.shared, await ensureKeys(house.shared, house.clock.now()));
    return;
  } catch (error) {
    // An operation of the bank that is refused is no damage.
    if (error instanceof ObkError && error.code !== 'SANDBOX_UNAVAILABLE' && error.code !== 'STATE_NEWER')
      throw error;
  }
  house.close();
  await stopBank(house).catch(() => undefined);
  try {
    clear(house.path);
    house.ledger();
    await ensureKeys(house.shared, house.clock.now());
  } catch (error) {
    throw damage(error, house.path);
  }
}

/** The address stays, since saved links lead there, and so do the other banks, the tenants and the snapshots. */
function clear(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) rmSync(folder, { force: true });
  else
    for (const name of readdirSync(folder))
      if (!['address.json', 'banks', 'ledger.db.snapshots', 'ledger.db.tenants'].includes(name))
        rmSync(join(folder, name), { recursive: true, force: true });
}
