import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ObkError } from '../../errors.ts';
import type { BankProcess } from '../../ports/bank.ts';
import { defaultBank } from '../../profile-name.ts';
import { isGivenName, lives, readAddress } from './bank-address.ts';
import { bankNames, namedBanks } from './bank-home.ts';
import type { BankHome } from './bank-home.ts';
import { claimed } from './start-elsewhere.ts';
import { whatRuns } from './whereabouts.ts';

const patienceMs = 15_000;

/**
 * Takes the name of a bank for this process, until `release`: of two that start under it at the same time one is
 * refused. Throws USAGE where a bank of the name runs already; a bank that a run of obk has started for itself gives
 * its place.
 */
export async function takeName(house: BankHome): Promise<{ release: () => void }> {
  const mark = join(house.folder, 'taking');
  for (const until = performance.now() + patienceMs; ;) {
    const mine = claimed(mark);
    const release = () => {
      if (mine) rmSync(mark, { force: true });
    };
    const running = await whatRuns(house);
    if (running !== undefined && stays(house, running)) {
      release();
      throw runsAlready(house.name, running.baseUrl, running.pid);
    }
    if (mine || performance.now() > until) return { release };
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Whether the bank that runs was started by somebody, and not by a run of obk for itself. */
function stays({ name, path }: BankHome, { idleMs }: BankProcess): boolean {
  return name !== defaultBank || (idleMs === null && readAddress(path).started !== undefined);
}

/** Takes away what a bank without a name leaves in its folder; one that has a name keeps its ledger and its address. */
export function leave({ name, path, tokenFile }: BankHome): void {
  if (isGivenName(name)) rmSync(tokenFile, { force: true });
  else rmSync(path, { recursive: true, force: true });
}

/** Takes away the folders of banks without a name whose process was killed. */
export function sweep(stateDir: string): void {
  for (const name of bankNames(stateDir)) {
    const path = join(namedBanks(stateDir), name);
    const { servedBy } = readAddress(path);
    if (!isGivenName(name) && servedBy !== undefined && !lives(servedBy))
      rmSync(path, { recursive: true, force: true });
  }
}

function runsAlready(name: string, baseUrl: string, pid: number): ObkError {
  return new ObkError({
    code: 'USAGE',
    title: `The bank ${name} runs already, at ${baseUrl} (process ${String(pid)}).`,
    detail: 'Two banks of one name would have one ledger, one scenario and one clock.',
    hint: [
      ...(name === defaultBank ? ['obk sandbox start --port 0 --name ANOTHER'] : []),
      `obk sandbox stop --at ${name}`,
    ],
  });
}
