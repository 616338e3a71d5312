import { statSync } from 'node:fs';
import { line } from '../../command-line.ts';
import { ObkError } from '../../errors.ts';
import { defaultBank } from '../../profile-name.ts';
import { readAddress } from './bank-address.ts';
import { bankNames, openBankHome } from './bank-home.ts';
import type { BankSettings } from './bank-home.ts';
import { whatRuns } from './whereabouts.ts';

/**
 * Throws USAGE where a bank of this home runs with its ledger in the file: doors, scenario and clock are in the ledger, so that the
 * second bank would open and close the doors of the first.
 */
export async function refuseSharedLedger(settings: BankSettings, database: string): Promise<void> {
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
