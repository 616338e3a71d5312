import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { BankProcess } from '../door.ts';
import { defaultBank } from '../../base/profile-name.ts';
import { isGivenName, lives, readAddress } from './bank-address.ts';
import type { SavedAddress } from './bank-address.ts';
import { bankNames, namedBanks } from './bank-home.ts';
import type { BankHome } from './bank-home.ts';
import { claimed } from './start-elsewhere.ts';
import { whatRuns } from './whereabouts.ts';

const patienceMs = 15_000;
/** The file of the process that takes a name, or removes what is left of a bank. */
const markName = 'taking';

/** The name that a process has taken: it is given back by `release`, or by `withdraw` where no bank came of it. */
export interface TakenName {
  release: () => void;
  /** Takes the folder away as well, if this process has made it. */
  withdraw: () => void;
}

/**
 * Takes the name of a bank for this process, until it is given back: of two that start under it at the same time one is
 * refused. Throws USAGE where a bank of the name runs already; a bank that a run of obk has started for itself gives
 * its place.
 */
export async function takeName(house: BankHome): Promise<TakenName> {
  const isNew = !existsSync(house.path);
  const mark = join(house.folder, markName);
  for (const until = performance.now() + patienceMs; ;) {
    // An earlier bank of the name may take its folder along.
    mkdirSync(house.path, { recursive: true, mode: 0o700 });
    const mine = claimed(mark);
    if (!existsSync(house.path)) continue;
    const release = () => {
      if (mine) rmSync(mark, { force: true });
    };
    const running = await whatRuns(house);
    if (running !== undefined && stays(house, running)) {
      release();
      throw runsAlready(house, running);
    }
    const withdraw = () => {
      release();
      if (isNew) remove(house.path, (pid) => pid === undefined || pid === process.pid);
    };
    if (mine || performance.now() > until) return { release, withdraw };
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Whether the bank that runs was started by somebody, and not by a run of obk for itself. */
function stays({ name, path }: BankHome, { idleMs }: BankProcess): boolean {
  return name !== defaultBank || (idleMs === null && readAddress(path).started !== undefined);
}

/** Takes away what a bank leaves in its folder; one with a name and a ledger in a file keeps both and its address. */
export function leave({ name, path, tokenFile }: BankHome): void {
  if (isPassing(name, readAddress(path))) remove(path, (pid) => pid === undefined || pid === process.pid);
  else rmSync(tokenFile, { force: true });
}

/** Whether nothing is left of a bank once it has ended. */
const isPassing = (name: string, { started }: SavedAddress): boolean =>
  !isGivenName(name) || started?.database === ':memory:';

/** Takes away the folders of such banks whose process was killed. */
export function sweep(stateDir: string): void {
  for (const name of bankNames(stateDir)) {
    const path = join(namedBanks(stateDir), name);
    if (isPassing(name, readAddress(path))) remove(path, (pid) => pid !== undefined && !lives(pid));
  }
}

/**
 * Removes the folder of a bank that such a process served last, or none did. What cannot be removed, since it is another
 * user's or the disk is full, hinders no other bank: it stays until a later start may remove it.
 */
function remove(path: string, isWhose: (pid?: number) => boolean): void {
  try {
    removeWhole(path, isWhose);
  } catch (error) {
    if (!(error instanceof ObkError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

/** Removes it as a whole: its name may be taken again meanwhile. */
function removeWhole(path: string, isWhose: (pid?: number) => boolean): void {
  const isOver = () => isWhose(readAddress(path).servedBy);
  const mark = join(path, markName);
  if (!isOver() || !claimed(mark)) return;
  if (!isOver()) {
    rmSync(mark, { force: true });
    return;
  }
  // No bank has a name with a dot.
  const gone = `${path}.${String(process.pid)}`;
  renameSync(path, gone);
  rmSync(gone, { recursive: true, force: true });
}

function runsAlready({ name, shared }: BankHome, { baseUrl, pid }: BankProcess): ObkError {
  return new ObkError({
    code: 'USAGE',
    title: `The bank ${name} runs already, at ${baseUrl} (process ${String(pid)}).`,
    detail: 'Two banks of one name would have one ledger, one scenario and one clock.',
    hint: [
      `obk sandbox start --port 0 --name ${freeName(bankNames(dirname(shared)))}`,
      `obk sandbox stop --at ${name}`,
    ],
  });
}

function freeName(taken: readonly string[]): string {
  for (let number = 2; ; number += 1)
    if (!taken.includes(`bank-${String(number)}`)) return `bank-${String(number)}`;
}
