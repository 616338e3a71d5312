import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { defaultBank } from '../../base/profile-name.ts';
import { readAddress } from './bank-address.ts';
import { bankNames, openBankHome } from './bank-home.ts';
import type { BankSettings } from './bank-home.ts';
import { claimed } from './start-elsewhere.ts';
import { whatRuns } from './whereabouts.ts';

const patienceMs = 15_000;

/**
 * Takes the file of a ledger for a bank of this home that starts; the function that it returns gives it back, once the bank is
 * known to run. Of several that start at the same time all but one are refused. Throws USAGE where a bank runs with it already.
 */
export async function takeLedger(
  settings: BankSettings,
  shared: string,
  database: string,
): Promise<() => void> {
  if (database === ':memory:') return () => undefined;
  mkdirSync(shared, { recursive: true, mode: 0o700 });
  const mark = join(shared, `taking-${createHash('sha256').update(realPath(database)).digest('hex')}`);
  for (const until = performance.now() + patienceMs; ;) {
    const mine = claimed(mark);
    const release = () => {
      if (mine) rmSync(mark, { force: true });
    };
    try {
      await refuseSharedLedger(settings, database);
    } catch (error) {
      release();
      throw error;
    }
    if (mine || performance.now() > until) return release;
    await new Promise((again) => setTimeout(again, 25));
  }
}

/** The same for every path to a file, which need not be there yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(resolve(path));
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

/**
 * Throws USAGE where a bank of this home runs with its ledger in the file: doors, scenario and clock are in the ledger, so that the
 * second bank would open and close the doors of the first.
 */
async function refuseSharedLedger(settings: BankSettings, database: string): Promise<void> {
  const file = fileAt(database);
  if (file === undefined) return;
  for (const name of [defaultBank, ...bankNames(settings.stateDir)]) {
    const house = openBankHome(settings, name);
    const { started } = readAddress(house.path);
    if (fileAt(started?.database ?? house.ledgerPath) !== file) continue;
    const running = await whatRuns(house);
    if (running === undefined) continue;
    throw new ObkError({
      code: 'USAGE',
      title: `The ledger ${database} is that of the bank ${name}, which runs at ${running.baseUrl}.`,
      detail: "Two banks of one ledger would have one scenario and one clock, and change each other's doors.",
      hint: [
        'obk sandbox start --port 0 --database :memory:   # or another file',
        line`obk sandbox stop --at ${name}`,
      ],
    });
  }
}

/** Tells files apart, by whatever path; what cannot be looked at is told by who opens it. */
function fileAt(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${String(dev)}:${String(ino)}`;
  } catch {
    return undefined;
  }
}
